internal import Foundation

extension Dossier {
    /// Answers a card and schedules it: with one of its options, or in own words, which a model compares with the source.
    ///
    /// ```swift
    /// let due = try await dossier.page(of: .dueCards())
    /// if let card = due.items.first {
    ///     let grade = try await dossier.answer(card.id, with: "The central bank")
    ///     show(grade.isRight, grade.answer, grade.sentence)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - answer: One of the options, word for word, or up to 2000 characters.
    ///   - rating: How it felt; `nil` leaves that to the server.
    ///   - idempotencyKey: Sent with every attempt; the same key and answer count once.
    /// - Returns: What the answer was worth.
    /// - Throws: ``DossierError``, or `CancellationError`.
    public func answer(
        _ card: RecallCard.ID, with answer: String, rating: RecallCard.Rating? = nil,
        idempotencyKey: IdempotencyKey = .random()
    ) async throws -> AnswerGrade {
        try await send(AnswerBody(answer: answer, rating: rating), to: card, idempotencyKey)
    }

    /// Takes the learner's own word for how an open question went.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - rating: How it went.
    ///   - idempotencyKey: Sent with every attempt; the same key and rating count once.
    /// - Returns: What the answer was worth.
    /// - Throws: ``DossierError``, or `CancellationError`.
    public func rate(
        _ card: RecallCard.ID, _ rating: RecallCard.Rating, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> AnswerGrade {
        try await send(AnswerBody(answer: nil, rating: rating), to: card, idempotencyKey)
    }

    /// Deletes a card with its reviews.
    @discardableResult
    public func removeCard(_ card: RecallCard.ID) async throws -> RecallCardRemoval {
        let removal: RecallCardRemoval = try await core.sender.value(
            Endpoint(method: .delete, path: Paths.recallCard(card)))
        await core.forget([Paths.recallConcepts, Paths.recallCard(card)])
        return removal
    }

    /// Adds exported cards, and replaces those that were reviewed later elsewhere. May be repeated, since cards are
    /// compared.
    @discardableResult
    public func importCards(_ cards: RecallExport) async throws -> RecallImport {
        let outcome: RecallImport = try await core.sender.value(
            Endpoint(
                method: .post, path: "\(Paths.recall)/import", body: try JSONEncoder.dossier.encode(cards),
                isRepeatable: true))
        await core.forget([Paths.recallConcepts] + cards.cards.map { Paths.recallCard($0.id) })
        return outcome
    }

    private func send(
        _ body: AnswerBody, to card: RecallCard.ID, _ key: IdempotencyKey
    ) async throws -> AnswerGrade {
        let grade: AnswerGrade = try await core.sender.value(
            Endpoint(
                method: .post, path: "\(Paths.recallCard(card))/answers", body: try JSONEncoder.dossier.encode(body),
                key: key, serverWait: .seconds(30)))
        await core.forget([Paths.recallConcepts, Paths.recallCard(card)])
        return grade
    }
}

private struct AnswerBody: Encodable {
    let answer: String?
    let rating: RecallCard.Rating?
}
