internal import Basics
internal import DossierAPI
internal import HTTPServer
internal import JobQueue
internal import JSON
internal import Learning
internal import Observability

/// `/api/v1/recall`: the user's recall cards, their answers, and the concepts that the user knows and finds hard.
struct RecallRoutes: Sendable {
    static let kind = "recall"
    /// The attempts to store an answer while others are stored at the same time.
    private static let attempts = 5

    let cards: any RecallRepository
    let usage: any UsageRepository
    let plans: CurrentPlans
    let jobs: JobService
    let availability: ModelAvailability
    let now: @Sendable () -> Timestamp

    // MARK: Reading

    /// The due cards, the longest due first, without their answers.
    func due(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context)
        let time = now()
        do {
            let due = try await cards.dueRecallCards(of: context.user, at: time, offset: page.offset, limit: page.size)
            let total = try await cards.dueRecallCardCount(of: context.user, at: time)
            return APIResponse(
                .array(due.compactMap(LearningCard.init).map(\.questionJSON)), pagination: page.json(total: total))
        } catch {
            throw APIError(error)
        }
    }

    /// A card with its answer and its reviews.
    func card(_ context: RequestContext) async throws(APIError) -> APIResponse {
        APIResponse(try await card(of: context).json)
    }

    func delete(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let id = try context.cardID()
        do {
            guard try await cards.deleteRecallCard(id, of: context.user) else { throw APIError.noCard }
        } catch {
            throw (error as? StoreError).map(APIError.init) ?? .noCard
        }
        return APIResponse(["card_id": JSON(id), "removed": true])
    }

    /// The concepts of answered cards, the latest answered first.
    func concepts(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context)
        do {
            let all = try await cards.latestRecallCards(of: context.user, limit: ConceptHistory.mostCards)
            let standings = ConceptHistory(all.compactMap(LearningCard.init), at: now()).standings
            return APIResponse(
                .array(standings.dropFirst(page.offset).prefix(page.size).map(\.json)),
                pagination: page.json(total: standings.count))
        } catch {
            throw APIError(error)
        }
    }

    private func card(of context: RequestContext) async throws(APIError) -> LearningCard {
        let id = try context.cardID()
        let found: [RecallCard]
        do {
            found = try await cards.recallCards([id], of: context.user)
        } catch {
            throw APIError(error)
        }
        guard let card = found.first.flatMap(LearningCard.init) else { throw .noCard }
        return card
    }

    // MARK: Answers

    /// Grades an answer: the choice of an option and a learner's own rating at once, an answer in own words by a job.
    func answer(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["answer", "rating"])
        let given = try AnswerRequest(body)
        let card = try await card(of: context)
        let idempotency = try context.idempotency(body)
        switch (card.question.form, given.answer) {
        case (.mcq, let choice?):
            guard card.question.options.contains(where: choice.hasSameBytes) else {
                throw .invalid("answer", "must be one of the card's options, word for word")
            }
            let grade = AnswerGrade(choice: choice, felt: given.rating, of: card.question)
            return try await record(grade, of: card, idempotency, context)
        case (.mcq, nil):
            throw .invalid("answer", "is missing; it is one of the card's options")
        case (.open, nil):
            guard let rating = given.rating else {
                throw .invalid("answer", "is missing; a learner who compared the answer sends 'rating' alone")
            }
            return try await record(AnswerGrade(own: rating, of: card.question), of: card, idempotency, context)
        case (.open, let answer?):
            if given.rating == .again { throw .invalid("rating", "must be hard, good or easy beside an answer") }
            return try await graded(answer, given.rating, of: card, idempotency, context)
        }
    }

    /// Waits for the job that compares an answer with the source.
    private func graded(
        _ answer: String, _ rating: ReviewRating?, of card: LearningCard, _ idempotency: Idempotency?,
        _ context: RequestContext
    ) async throws(APIError) -> APIResponse {
        var input: JSON = ["card_id": JSON(card.id), "answer": JSON(answer)]
        if let rating { input["rating"] = JSON(rating.word) }
        return try await jobs.answer(
            of: Self.kind, input: input, idempotency: idempotency, availability, context)
    }

    /// Stores an answer that is graded already. An answer that was stored before is answered as it was counted.
    private func record(
        _ grade: AnswerGrade, of read: LearningCard, _ idempotency: Idempotency?, _ context: RequestContext
    ) async throws(APIError) -> APIResponse {
        var card = read
        for _ in 0..<Self.attempts {
            if let idempotency, let earlier = card.review(idempotency.reviewID) {
                guard earlier.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict(nil) }
                return APIResponse(
                    grade.json(of: card, isCounted: true), headers: [("Idempotent-Replayed", "true")])
            }
            let time = now()
            guard card.isDue(at: time) else { return APIResponse(grade.json(of: card, isCounted: false)) }
            let after = card.reviewed(
                CardReview(
                    id: idempotency?.reviewID ?? "\(card.revision + 1)", rating: grade.rating, answeredAt: time,
                    fingerprint: idempotency?.fingerprint))
            do {
                if try await cards.store([after.record]) == [card.id] {
                    return APIResponse(grade.json(of: after, isCounted: true))
                }
            } catch {
                throw APIError(error)
            }
            card = try await self.card(of: context)
        }
        throw .overloaded
    }
}

extension Idempotency {
    /// The id of the review that a request with this key makes.
    fileprivate var reviewID: String { "key/" + SHA256.hex(key).prefix(32) }
}

/// The body of an answer: the option or the text, and how it felt.
private struct AnswerRequest {
    static let longestAnswer = 2000

    var answer: String?
    var rating: ReviewRating?

    init(_ body: JSONField) throws(APIError) {
        do {
            answer = try body["answer"].optional?.string()
            if let field = body["rating"].optional {
                rating = ReviewRating(word: try field.string())
                guard rating != nil else { throw field.failure("must be one of again, hard, good, easy") }
            }
        } catch let error as JSONFieldError {
            throw .invalid(error)
        } catch {
            throw .internal
        }
        guard let answer else { return }
        guard !answer.allSatisfy(\.isWhitespace) else { throw .invalid("answer", "must not be empty") }
        guard answer.unicodeScalars.count <= Self.longestAnswer else {
            throw .invalid("answer", "must have at most \(Self.longestAnswer) characters")
        }
    }
}

extension RequestContext {
    /// A card's id from the path; a malformed one is not found.
    fileprivate func cardID() throws(APIError) -> String {
        guard let id = request.parameters["card"], LearningCard.isID(id) else { throw .noCard }
        return id
    }
}

extension APIError {
    static let noCard = notFound("The recall card")
}

extension LearningCard {
    /// What a learner sees before the answer.
    fileprivate var questionJSON: JSON {
        [
            "id": JSON(id), "type": JSON(question.form.rawValue), "question": JSON(question.question),
            "options": question.form == .mcq ? JSON(question.options) : .null, "concept": JSON(question.concept),
            "source": question.source.json, "due_at": JSON(schedule.due.iso8601),
            "state": JSON(answers == 0 ? "new" : schedule.phase.stored.word), "answers": JSON(answers),
            "last_answered_at": JSON(schedule.lastReview?.iso8601),
        ]
    }

    /// The card with its answer, in the form of exports.
    var json: JSON {
        [
            "id": JSON(id), "type": JSON(question.form.rawValue), "question": JSON(question.question),
            "options": question.form == .mcq ? JSON(question.options) : .null, "concept": JSON(question.concept),
            "answer": JSON(question.answer), "source_span": JSON(question.sourceSpan),
            "source": question.source.json, "analysis_id": JSON(question.analysis),
            "created_at": JSON(createdAt.iso8601),
            "schedule": [
                "state": JSON(schedule.phase.stored.word), "step": JSON(schedule.phase.stored.step),
                "stability": JSON(schedule.memory?.stability), "difficulty": JSON(schedule.memory?.difficulty),
                "last_review": JSON(schedule.lastReview?.iso8601), "due": JSON(schedule.due.iso8601),
            ],
            "reviews": .array(
                reviews.map { ["rating": JSON($0.rating.word), "answered_at": JSON($0.answeredAt.iso8601)] }),
        ]
    }
}

extension ConceptStanding {
    fileprivate var json: JSON {
        [
            "concept": JSON(concept), "standing": JSON(level.rawValue), "cards": JSON(cards),
            "answers": JSON(answers), "lapses": JSON(lapses), "last_answered_at": JSON(lastAnsweredAt.iso8601),
            "recall": JSON((recall * 100).rounded() / 100),
        ]
    }
}
