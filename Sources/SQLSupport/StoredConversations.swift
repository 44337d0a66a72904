package import JobQueue


extension ConversationTurn {
    /// Reads the columns job, conversation, user_id, subject, question, answer, citations, asked_at and answered_at.
    package init(_ row: inout some StoredRow) {
        self.init(
            job: row.text(), conversation: row.text(), user: row.integer(), subject: row.text(), question: row.text(),
            answer: row.text(), citations: row.text(), askedAt: row.integer(), answeredAt: row.integer())
    }
}

extension ConversationEntry {
    /// Reads the columns conversation, subject, question, asked_at, answered_at and turns.
    package init(_ row: inout some StoredRow) {
        self.init(
            id: row.text(), subject: row.text(), title: row.text(), createdAt: row.integer(),
            updatedAt: row.integer(), turns: row.int())
    }
}

extension Passage {
    /// Reads the columns kind, source, part, owner, title, url, text, terms and written_at.
    package init(_ row: inout some StoredRow) throws {
        let word = row.text()
        guard let kind = Kind(rawValue: word) else { throw StoreError.unexpected(reason: "passage of '\(word)'") }
        self.init(
            kind: kind, source: row.text(), part: row.integer(), owner: row.integerIfAny(), title: row.text(),
            url: row.textIfAny(), text: row.text(), terms: row.text(), writtenAt: row.integer())
    }
}

extension PassageVector {
    /// Reads the columns digest, model and components.
    package init(_ row: inout some StoredRow) {
        self.init(digest: row.text(), model: row.text(), components: row.text())
    }
}

/// The terms of a search that an index can be asked for.
package enum SearchTerms {
    /// Letters and digits only, each once, so that they can stand in any index's language.
    package static func usable(_ terms: [String]) -> [String] {
        var seen: Set<String> = []
        return terms.filter { term in
            !term.isEmpty && term.utf8.count <= 100 && term.allSatisfy { $0.isLetter || $0.isNumber }
                && seen.insert(term).inserted
        }
    }
}
