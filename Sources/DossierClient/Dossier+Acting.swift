public import Foundation

extension Dossier {
    /// Analyzes an article or a video and waits for the answer (`POST /api/analyze`, up to 60 s on the server).
    ///
    /// Costs a credit. A user's tap should rather be a ``Submission`` of an ``AnalysisInput``, which shows progress
    /// and survives a relaunch. The key is sent with every attempt of this call.
    public func analyze(
        _ input: AnalysisInput, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> Analysis {
        let analysis: Analysis = try await post("/api/analyze", input, key: idempotencyKey, wait: .seconds(60))
        await core.forget([Paths.credits])
        return analysis
    }

    /// Says whether a text, or what is found at an address, matters to somebody who invests (`POST /v1/interpret`).
    public func interpret(
        _ textOrURL: String, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> Interpretation {
        try await post("/v1/interpret", InterpretationInput(textOrURL), key: idempotencyKey, wait: .seconds(60))
    }

    /// Asks a question about an article.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - article: The article.
    ///   - conversation: ``ArticleAnswer/conversationID`` of an earlier answer, to continue it.
    ///   - formFactor: How long the answer may be.
    ///   - idempotencyKey: Sent with every attempt.
    /// - Returns: The answer.
    /// - Throws: ``DossierError``, or `CancellationError`.
    public func ask(
        _ question: String, about article: Article.ID, in conversation: Conversation.ID? = nil,
        formFactor: FormFactor = .phone, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> ArticleAnswer {
        let body = QuestionBody(
            question: question, conversationID: conversation?.rawValue, formFactor: formFactor.rawValue)
        let answer: ArticleAnswer = try await post(
            Paths.article(article) + "/chat", body, key: idempotencyKey, wait: .seconds(30))
        await forgetConversations(answer.conversationID)
        return answer
    }

    /// Asks a question about investing.
    public func ask(
        _ question: String, in conversation: Conversation.ID? = nil, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> EducationAnswer {
        let body = QuestionBody(question: question, conversationID: conversation?.rawValue, formFactor: nil)
        let answer: EducationAnswer = try await post(
            "/api/v1/education/chat", body, key: idempotencyKey, wait: .seconds(30))
        await forgetConversations(answer.conversationID)
        return answer
    }

    /// Asks for a report (`POST /research/generate`). While an equal report of the user is unfinished, the answer is
    /// that one and no further credit is taken; follow it with ``Jobs/updates(of:after:)``.
    public func generateReport(
        ticker: String, persona: Persona.ID, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> ReportTicket {
        let ticket: ReportTicket = try await post(
            "/api/v1/research/generate", ["ticker": ticker, "investor_persona": persona.rawValue],
            key: idempotencyKey, wait: .zero)
        await core.jobEnded()
        return ticket
    }

    /// Compares companies, or what several investors make of one (`POST /research/compare`), for a credit. The result of
    /// the job is a ``Comparison``; follow it with ``Jobs/updates(of:after:)``.
    public func compare(
        _ input: ComparisonInput, idempotencyKey: IdempotencyKey = .random()
    ) async throws -> Job {
        let body = ["tickers": input.tickers, "investor_personas": input.personas.map(\.rawValue)]
        let job: Job = try await post("/api/v1/research/compare", body, key: idempotencyKey, wait: .zero)
        await core.jobEnded()
        return job
    }

    /// Reads how a report is doing. Meant for apps that know reports only; ``Jobs/updates(of:after:)`` costs less.
    public func reportStatus(_ id: Job.ID) async throws -> ReportStatus {
        try await core.sender.value(.get("\(Paths.reports)/\(Endpoint.escaped(id.rawValue))/status"))
    }

    /// Changes what the user owns and how much other news they see; `nil` leaves a part as it is.
    @discardableResult
    public func updatePreferences(
        focus: FocusProfile? = nil, holdings: [Holding]? = nil
    ) async throws -> Preferences {
        let body = try JSONEncoder.dossier.encode(PreferencesBody(focusProfile: focus, holdings: holdings))
        let preferences: Preferences = try await core.sender.value(
            Endpoint(method: .put, path: Paths.preferences, body: body))
        await core.forget([
            Paths.preferences, Paths.feed, Paths.personalizedFeed, Paths.storyGroups, Paths.latestBrief,
        ])
        return preferences
    }

    /// Puts a stock on the user's watchlist, unless it is there.
    @discardableResult
    public func addToWatchlist(_ ticker: String) async throws -> WatchlistItem {
        let item: WatchlistItem = try await core.sender.value(watchlist(.put, ticker))
        await core.forget([Paths.watchlist])
        return item
    }

    /// Takes a stock off the user's watchlist.
    @discardableResult
    public func removeFromWatchlist(_ ticker: String) async throws -> WatchlistRemoval {
        let removal: WatchlistRemoval = try await core.sender.value(watchlist(.delete, ticker))
        await core.forget([Paths.watchlist])
        return removal
    }

    /// Deletes a finished job with its input and its result. The ledger keeps what it cost.
    @discardableResult
    public func deleteJob(_ id: Job.ID) async throws -> Deletion {
        let deletion: Deletion = try await core.sender.value(Endpoint(method: .delete, path: Paths.job(id)))
        await core.forget([Paths.job(id), "\(Paths.job(id))/result", Paths.jobs])
        return deletion
    }

    /// Deletes a finished report with the passages that conversations cite.
    @discardableResult
    public func deleteReport(_ id: Job.ID) async throws -> Deletion {
        let path = "\(Paths.reports)/\(Endpoint.escaped(id.rawValue))"
        let deletion: Deletion = try await core.sender.value(Endpoint(method: .delete, path: path))
        await core.forget([path, Paths.reports, Paths.job(id), "\(Paths.job(id))/result", Paths.jobs])
        return deletion
    }

    /// Deletes a conversation in which no answer is being written.
    @discardableResult
    public func deleteConversation(_ id: Conversation.ID) async throws -> ConversationDeletion {
        let path = "\(Paths.conversations)/\(Endpoint.escaped(id.rawValue))"
        let deletion: ConversationDeletion = try await core.sender.value(Endpoint(method: .delete, path: path))
        await core.forget([path, Paths.conversations])
        return deletion
    }

    /// Erases the account with everything of it, and what is stored of it on this device. Nothing brings it back.
    ///
    /// From now on the service refuses the account's tokens; sign the user out.
    ///
    /// - Returns: The erasure, which goes on for some seconds; ``deletionStatus(_:)`` tells when it has completed.
    @discardableResult
    public func deleteAccount() async throws -> AccountDeletion {
        let deletion: AccountDeletion = try await core.sender.value(
            Endpoint(method: .delete, path: Paths.account, query: ["confirm": "true"]))
        try await forgetLocalData()
        return deletion
    }

    /// Tells how far the erasure of an account is. Nobody needs to be signed in for it.
    public func deletionStatus(_ id: AccountDeletion.ID) async throws -> AccountDeletionStatus {
        try await core.sender.value(.get("\(Paths.deletions)/\(Endpoint.escaped(id.rawValue))"))
    }

    /// Asks for an archive of everything that the service keeps of the account.
    ///
    /// - Returns: The job that makes the archive, which is free; the same one for an hour. When it has completed,
    ///   ``exportedData()`` has the archive.
    @discardableResult
    public func exportData() async throws -> Job {
        try await core.sender.value(Endpoint(method: .post, path: Paths.export))
    }

    /// The newest archive of the account: lines of JSON, for a file. It is kept for 7 days.
    ///
    /// - Throws: ``DossierError`` with the code ``DossierError/Code/conflict`` while the first archive is made, and
    ///   ``DossierError/Code/notFound`` when there is none.
    public func exportedData() async throws -> Data {
        let answer = try await core.sender.response(to: .get(Paths.export))
        guard answer.body.last == UInt8(ascii: "\n") else {
            throw DossierError(.connectionLost, message: "The archive is not whole.")
        }
        return answer.body
    }

    /// Removes the cache and the saved submissions of the account that is signed in, on this device only. Call it
    /// when the user signs out.
    public func forgetLocalData() async throws {
        let account = await core.sender.authentication.account()
        await configuration.cache.removeAll(account: account)
        for submission in try await core.submissions.unfinished() { try await core.submissions.forget(submission.id) }
    }

    /// Sends any request with this client's authentication, retries, errors and decoding: for addresses of a newer
    /// server. The envelope of the native API is taken off.
    ///
    /// ```swift
    /// let kinds: JSONValue = try await dossier.send(.get, "/api/v1/kinds")
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET`, `PUT` and `DELETE` are repeated by the retry policy. A `POST` is repeated only with a key, or
    ///     when the server cannot have seen it (429, no connection).
    ///   - path: From the root, already escaped: `/api/v1/kinds`.
    ///   - query: Parameters, not escaped.
    ///   - body: Sent as JSON.
    ///   - idempotencyKey: Sent with every attempt.
    ///   - type: What the answer is decoded as.
    /// - Returns: The answer.
    /// - Throws: ``DossierError``, or `CancellationError`.
    public func send<Value: Decodable & Sendable>(
        _ method: TransportRequest.Method, _ path: String, query: [String: String] = [:], body: JSONValue? = nil,
        idempotencyKey: IdempotencyKey? = nil, as type: Value.Type = Value.self
    ) async throws -> Value {
        try await core.sender.value(
            Endpoint(
                method: method, path: path, query: query, body: try body.map { try JSONEncoder.dossier.encode($0) },
                key: idempotencyKey))
    }

    private func post<Value: Decodable & Sendable>(
        _ path: String, _ body: some Encodable, key: IdempotencyKey, wait: Duration
    ) async throws -> Value {
        try await core.sender.value(
            Endpoint(
                method: .post, path: path, body: try JSONEncoder.dossier.encode(body), key: key, serverWait: wait))
    }

    private func watchlist(_ method: TransportRequest.Method, _ ticker: String) -> Endpoint {
        Endpoint(method: method, path: "\(Paths.watchlist)/\(Endpoint.escaped(ticker))")
    }

    private func forgetConversations(_ id: Conversation.ID) async {
        await core.forget([Paths.conversations, "\(Paths.conversations)/\(Endpoint.escaped(id.rawValue))"])
    }
}

private struct QuestionBody: Encodable {
    let question: String
    let conversationID: String?
    let formFactor: String?
}

private struct PreferencesBody: Encodable {
    let focusProfile: FocusProfile?
    let holdings: [Holding]?
}
