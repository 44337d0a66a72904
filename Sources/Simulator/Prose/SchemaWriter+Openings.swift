internal import Basics
internal import JobQueue
internal import News

/// Beginnings that a prompt asks for: `beginning with "Since you hold" and the ticker`.
extension SchemaWriter {
    /// The first sentence of a text that has to begin with given words.
    mutating func opening(_ field: Field) -> String? {
        guard let opening = field.hint.opening else { return nil }
        let isEnglish = writer.phrases.language == .english
        guard field.hint.continuesOpening else {
            guard isEnglish else { return nil }
            let rest = writer.phrase("openings")
            return opening + (opening.last.map { ".!?".contains($0) } == true ? "" : " " + rest)
        }
        guard let holding = holding(field) else { return nil }
        let clause =
            occasion?.clause(forHoldersOfIt: isNamed(holding)) ?? writer.phrase("openings")
        guard !isEnglish else { return "\(opening) \(holding), " + clause }
        return writer.phrases.holding.map { $0.replacing("{holding}", with: holding) + " " + clause }
    }

    /// What the reader holds: the entry of a list that the text is for, else the first line of the section that the
    /// hint names.
    private func holding(_ field: Field) -> String? {
        if let subject = field.subject, subject.identifier != nil, let name = subject.name { return name }
        let section = material.context.first { field.hint.says($0.name) }
        return section?.text.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    /// Whether the titles name the company of a ticker.
    private func isNamed(_ ticker: String) -> Bool {
        guard let symbol = TickerSymbol(ticker) else { return false }
        let titles = material.sections.filter { $0.isTitle && !$0.isEarlier }.map(\.text)
        return titles.contains { title in
            TickerRecognizer().mentions(in: title).contains { $0.ticker == symbol }
        }
    }
}
