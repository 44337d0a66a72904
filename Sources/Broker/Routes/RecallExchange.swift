internal import Basics
internal import DossierAPI
internal import FoundationEssentials
internal import JobQueue
internal import JSON
internal import Learning

/// Export and import of recall cards as JSON.
extension RecallRoutes {
    static let mostExported = 500
    private static let format = "dossier-recall"
    private static let version: Int64 = 1

    /// A part of the user's cards by id; `next_cursor` names where the next part begins.
    func export(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let limit = try context.queryInteger("limit", in: 1...Self.mostExported, default: Self.mostExported)
        let given = context.query("cursor")
        guard given.map(LearningCard.isID) ?? true else { throw .invalid("cursor", "is no cursor of an export") }
        let cursor = given ?? ""
        let found: [RecallCard]
        do {
            found = try await cards.recallCards(of: context.user, after: cursor, limit: limit + 1)
        } catch {
            throw APIError(error)
        }
        let part = found.prefix(limit)
        return APIResponse([
            "format": JSON(Self.format), "version": JSON(Self.version), "algorithm": JSON(FSRSParameters.algorithm),
            "cards": .array(part.compactMap { LearningCard($0) }.map(\.json)),
            "next_cursor": found.count > limit ? JSON(part.last?.id) : .null,
        ])
    }

    /// Adds cards, and replaces those that were reviewed later elsewhere.
    func `import`(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["format", "version", "algorithm", "cards", "next_cursor"])
        if let format = body["format"].value, format != JSON(Self.format) {
            throw .invalid("format", "must be \(Self.format)")
        }
        if let version = body["version"].value, version != JSON(Self.version) {
            throw .invalid("version", "must be \(Self.version)")
        }
        if let algorithm = body["algorithm"].value, algorithm != JSON(FSRSParameters.algorithm) {
            throw .invalid("algorithm", "must be \(FSRSParameters.algorithm)")
        }
        let imported = try ImportedCards(body["cards"], of: context.user, at: now()).cards
        do {
            try await checkRoom(for: imported, of: context.user)
            let stored = try await cards.recallCards(imported.map(\.id), of: context.user)
            let known = Dictionary(stored.compactMap(LearningCard.init).map { ($0.id, $0) }) { first, _ in first }
            let changed = imported.compactMap { card -> LearningCard? in
                guard let mine = known[card.id] else { return card }
                guard let time = card.schedule.lastReview else { return nil }
                if let own = mine.schedule.lastReview, own >= time { return nil }
                return card.replacing(mine)
            }
            let written = try await cards.store(changed.map(\.record))
            let added = written.count { known[$0] == nil }
            return APIResponse([
                "added": JSON(added), "updated": JSON(written.count - added),
                "unchanged": JSON(imported.count - written.count),
            ])
        } catch let error as StoreError {
            throw APIError(error)
        } catch {
            throw error as? APIError ?? .internal
        }
    }

    /// - Throws: `limitReached` for more cards than a user may have, `storageFull` for more bytes.
    private func checkRoom(for imported: [LearningCard], of user: UserID) async throws {
        let count = try await cards.recallCardCount(of: user)
        guard count + imported.count <= RecallCard.mostPerUser else { throw APIError.tooManyCards }
        if let limit = plans.plan(of: user).storedBytes {
            let bytes = imported.reduce(0) { $0 + $1.record.content.utf8.count + $1.record.schedule.utf8.count }
            let used = try await usage.usage(of: user).storedBytes
            guard used + bytes <= limit else { throw APIError.storageFull(limit: limit) }
        }
    }
}

extension APIError {
    fileprivate static let tooManyCards = APIError(
        409, .limitReached, "A user has at most \(RecallCard.mostPerUser) recall cards.",
        user: "You have too many cards. Delete some to add others.",
        details: ["what": "recall_cards", "limit": JSON(RecallCard.mostPerUser)])
}

/// The cards of an import, each of whose faults is reported by its place.
private struct ImportedCards {
    private static let most = 500
    private static let longestQuestion = 1000
    private static let longestAnswer = 2000
    private static let longestSpan = 4000
    private static let longestConcept = 120
    private static let longestTitle = 300
    private static let longestURL = 2048
    private static let greatestStability = 365_000.0

    private(set) var cards: [LearningCard] = []
    private let user: UserID
    private let time: Timestamp

    init(_ field: JSONField, of user: UserID, at time: Timestamp) throws(APIError) {
        (self.user, self.time) = (user, time)
        do throws(JSONFieldError) {
            let fields = try field.array()
            guard fields.count <= Self.most else { throw field.failure("must have at most \(Self.most) elements") }
            var seen: Set<String> = []
            for field in fields {
                let card = try card(field)
                guard seen.insert(card.id).inserted else { throw field.failure("is in the list twice") }
                cards.append(card)
            }
        } catch {
            throw .invalid(error)
        }
    }

    private func card(_ field: JSONField) throws(JSONFieldError) -> LearningCard {
        let known = [
            "id", "type", "question", "options", "concept", "answer", "source_span", "source", "analysis_id",
            "created_at", "schedule", "reviews",
        ]
        for key in try field.object().keys where !known.contains(where: key.hasSameBytes) {
            throw field[key].failure("is not a known field")
        }
        let question = try question(field)
        var id = LearningCard.id(of: question)
        if let given = field["id"].optional {
            id = try given.string()
            guard LearningCard.isID(id) else { throw given.failure("must be 32 digits of 0 to 9 and a to f") }
        }
        let reviews = try reviews(field["reviews"])
        let created = try field["created_at"].optional.map { created throws(JSONFieldError) in try past(created) }
        return LearningCard(
            question, id: id, of: user, schedule: try schedule(field["schedule"]), reviews: reviews,
            createdAt: created ?? time)
    }

    // MARK: The question

    private func question(_ field: JSONField) throws(JSONFieldError) -> RecallQuestion {
        guard let form = RecallQuestion.Form(rawValue: try field["type"].string()) else {
            throw field["type"].failure("must be open or mcq")
        }
        let answer = try text(field["answer"], Self.longestAnswer)
        var options: [String] = []
        if form == .mcq {
            for option in try field["options"].array() { options.append(try text(option, Self.longestAnswer)) }
            guard (2...10).contains(options.count) else {
                throw field["options"].failure("must have 2 to 10 elements")
            }
            guard options.contains(where: answer.hasSameBytes) else {
                throw field["answer"].failure("must be one of the options, word for word")
            }
        } else if field["options"].optional != nil {
            throw field["options"].failure("belongs to an mcq only")
        }
        let url = try text(field["source"]["url"], Self.longestURL)
        guard url.lowercased().hasPrefix("https://") || url.lowercased().hasPrefix("http://") else {
            throw field["source"]["url"].failure("must be the address of a web page, with http or https")
        }
        let title = try field["source"]["title"].optional.map { title throws(JSONFieldError) in
            try text(title, Self.longestTitle)
        }
        let kind = try field["source"]["kind"].optional?.string()
        guard [nil, "article", "video"].contains(kind) else {
            throw field["source"]["kind"].failure("must be article or video")
        }
        return RecallQuestion(
            form: form, question: try text(field["question"], Self.longestQuestion), options: options, answer: answer,
            concept: try text(field["concept"], Self.longestConcept),
            sourceSpan: try text(field["source_span"], Self.longestSpan),
            source: RecallQuestion.Source(url: url, title: title, kind: kind))
    }

    private func text(_ field: JSONField, _ limit: Int) throws(JSONFieldError) -> String {
        let text = try field.string()
        guard !text.allSatisfy(\.isWhitespace) else { throw field.failure("must not be empty") }
        guard text.unicodeScalars.count <= limit else { throw field.failure("must have at most \(limit) characters") }
        return text
    }

    // MARK: The past

    private func schedule(_ field: JSONField) throws(JSONFieldError) -> CardSchedule {
        guard let field = field.optional else { return CardSchedule(due: time) }
        let step = try field["step"].optional?.integer() ?? 0
        guard (0...10).contains(step) else { throw field["step"].failure("must be a whole number from 0 to 10") }
        let word = try field["state"].string()
        guard let phase = CardSchedule.Phase(word, step: Int(step)) else {
            throw field["state"].failure("must be learning, review or relearning")
        }
        let due = try time(field["due"])
        guard let reviewed = field["last_review"].optional else {
            guard word == "learning" else { throw field["last_review"].failure("is missing") }
            return CardSchedule(phase: phase, due: due)
        }
        let last = try past(reviewed)
        guard due >= last else { throw field["due"].failure("must not be before the last review") }
        let longest = Duration.seconds(86_400) * (FSRSParameters.standard.maximumInterval + 1)
        guard due <= last + longest else { throw field["due"].failure("is too long after the last review") }
        return CardSchedule(
            phase: phase,
            memory: MemoryState(
                stability: try number(field["stability"], in: MemoryState.leastStability...Self.greatestStability),
                difficulty: try number(field["difficulty"], in: MemoryState.difficulties)),
            lastReview: last, due: due)
    }

    private func reviews(_ field: JSONField) throws(JSONFieldError) -> [CardReview] {
        guard let field = field.optional else { return [] }
        let fields = try field.array()
        guard fields.count <= LearningCard.mostReviews else {
            throw field.failure("must have at most \(LearningCard.mostReviews) elements")
        }
        var reviews: [CardReview] = []
        for (index, field) in fields.enumerated() {
            guard let rating = ReviewRating(word: try field["rating"].string()) else {
                throw field["rating"].failure("must be one of again, hard, good, easy")
            }
            let answered = try past(field["answered_at"])
            if let before = reviews.last, answered < before.answeredAt {
                throw field["answered_at"].failure("must not be before that of the review before it")
            }
            reviews.append(CardReview(id: "import/\(index)", rating: rating, answeredAt: answered))
        }
        return reviews
    }

    private func number(_ field: JSONField, in range: ClosedRange<Double>) throws(JSONFieldError) -> Double {
        let number = try field.double()
        guard range.contains(number) else {
            throw field.failure("must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func past(_ field: JSONField) throws(JSONFieldError) -> Timestamp {
        let past = try time(field)
        guard past <= time + .seconds(60) else { throw field.failure("must not be in the future") }
        return past
    }

    private func time(_ field: JSONField) throws(JSONFieldError) -> Timestamp {
        let text = try field.string()
        guard let time = Timestamp(iso8601: text) else {
            throw field.failure("must be a time such as 2026-11-21T09:00:00Z")
        }
        return time
    }
}
