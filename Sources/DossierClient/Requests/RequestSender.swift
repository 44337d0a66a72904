internal import Foundation

/// Sends requests: headers, sign-in, attempts, pauses, deadlines.
struct RequestSender: Sendable {
    let server: URL
    let authentication: any Authentication
    let configuration: Dossier.Configuration

    private var pacing: Pacing { configuration.pacing }

    /// The answer to a request, after as many attempts as it takes: a success, or `304`.
    func response(to endpoint: Endpoint) async throws -> TransportResponse {
        try Task.checkCancellation()
        let limit = configuration.deadline + endpoint.serverWait
        let attempt = Locked<String?>(nil)
        do {
            return try await pacing.limited(to: limit) {
                try await attempts(endpoint, until: pacing.now() + limit, naming: attempt)
            }
        } catch {
            try Task.checkCancellation()
            guard let error = error as? DossierError else { throw error }
            if error.code == .timedOut { configuration.connectivity.learn(.disconnected) }
            throw attempt.withLock { $0 }.map { error.of(request: $0) } ?? error
        }
    }

    /// Reads an answer of the server's.
    func value<Value: Decodable & Sendable>(
        _ endpoint: Endpoint, as type: Value.Type = Value.self
    ) async throws -> Value {
        try AnswerReader(response: try await response(to: endpoint), endpoint: endpoint).value()
    }

    /// The answer to a request with a single attempt: for those who have pauses of their own.
    func singleResponse(to endpoint: Endpoint, within limit: Duration) async throws -> TransportResponse {
        do {
            return try await pacing.limited(to: limit) { try await attemptWithSignIn(endpoint, naming: Locked(nil)) }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// The head of an event stream, whose body comes as it arrives.
    func stream(_ endpoint: Endpoint) async throws -> TransportStream {
        let request = try await message(endpoint, timeout: configuration.streamIdleTimeout)
        do {
            return try await streamOnce(request)
        } catch let error as DossierError where error.status == 401 && error.code != .foreignAnswer {
            guard try await authentication.renew(after: error, rejected: request) else { throw error }
            return try await streamOnce(message(endpoint, timeout: configuration.streamIdleTimeout))
        }
    }

    private func streamOnce(_ request: TransportRequest) async throws -> TransportStream {
        let answer: TransportStream
        do {
            answer = try await pacing.limited(to: configuration.streamIdleTimeout) {
                try await configuration.transport.stream(request)
            }
        } catch {
            try Task.checkCancellation()
            guard let failure = error as? DossierError ?? DossierError(transportFailure: error) else { throw error }
            if failure.category == .network { configuration.connectivity.learn(.disconnected) }
            throw failure
        }
        guard answer.status == 200 else {
            var body = Data()
            for try await chunk in answer.body where body.count < 65_536 { body.append(chunk) }
            try check(status: answer.status, headers: answer.headers, body: body)
            throw DossierError(.connectionLost, status: answer.status, message: "The answer is no stream.")
        }
        try check(status: 200, headers: answer.headers, body: Data())
        guard answer.headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true else {
            throw DossierError(.connectionLost, message: "The answer is no stream.")
        }
        return answer
    }

    private func attempts(
        _ endpoint: Endpoint, until deadline: Duration, naming attemptID: Locked<String?>
    ) async throws -> TransportResponse {
        var attempt = 1
        while true {
            do {
                return try await attemptWithSignIn(endpoint, naming: attemptID)
            } catch let error as DossierError {
                try Task.checkCancellation()
                attempt += 1
                let mayRepeat = endpoint.canBeRepeated || error.status == 429 || error.wasNotSent
                guard error.isRetryable, mayRepeat,
                    let pause = configuration.retryPolicy.pause(
                        beforeAttempt: attempt, retryAfter: error.retryAfter, random: pacing.random()),
                    pacing.now() + pause < deadline, configuration.retryBudget.take()
                else { throw error }
                if error.retryAfter == nil {
                    try await configuration.connectivity.pause(pause, sleep: pacing.sleep)
                } else {
                    try await pacing.sleep(pause)
                }
            }
        }
    }

    /// One attempt; after a 401 and a renewal of the session, the same once more.
    private func attemptWithSignIn(
        _ endpoint: Endpoint, naming attemptID: Locked<String?>
    ) async throws -> TransportResponse {
        let request = try await message(endpoint, naming: attemptID)
        do {
            return try await answer(to: request)
        } catch let error as DossierError where error.status == 401 && error.code != .foreignAnswer {
            guard try await authentication.renew(after: error, rejected: request) else { throw error }
            return try await answer(to: message(endpoint, naming: attemptID))
        }
    }

    /// The request as it is sent, signed.
    func message(
        _ endpoint: Endpoint, naming attemptID: Locked<String?> = Locked(nil), timeout: Duration? = nil
    ) async throws -> TransportRequest {
        let id = UUID().uuidString.lowercased()
        attemptID.withLock { $0 = id }
        var request = TransportRequest(
            endpoint.method, try endpoint.url(on: server), body: endpoint.body,
            timeout: timeout ?? configuration.requestTimeout + endpoint.serverWait)
        request.headers = ["Accept": "application/json", "Accept-Version": "1.0", "X-Request-ID": id]
        if endpoint.body != nil { request.headers["Content-Type"] = "application/json" }
        if let key = endpoint.key { request.headers["Idempotency-Key"] = key.rawValue }
        request.headers.merge(endpoint.headers) { $1 }
        try await authentication.authorize(&request)
        return request
    }

    private func answer(to request: TransportRequest) async throws -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await passed(request, by: configuration.middleware[...])
        } catch {
            try Task.checkCancellation()
            guard let failure = error as? DossierError ?? DossierError(transportFailure: error) else { throw error }
            if failure.category == .network { configuration.connectivity.learn(.disconnected) }
            throw failure
        }
        try check(status: response.status, headers: response.headers, body: response.body)
        return response
    }

    /// Whether an answer is Dossier's, and a success.
    ///
    /// - Throws: ``DossierError`` for all other answers.
    func check(status: Int, headers: [String: String], body: Data) throws(DossierError) {
        guard headers["x-api-version"] != nil else {
            configuration.connectivity.learn(.disconnected)
            throw DossierError(
                .foreignAnswer, status: status, message: "Something else than Dossier answered, with \(status).",
                retryAfter: AnswerReader.retryAfter(headers))
        }
        configuration.connectivity.learn(.connected)
        guard (200...299).contains(status) || status == 304 else {
            throw DossierError(refusal: body, status: status, headers: headers)
        }
    }

    private func passed(
        _ request: TransportRequest, by middleware: ArraySlice<any Middleware>
    ) async throws -> TransportResponse {
        guard let first = middleware.first else { return try await configuration.transport.send(request) }
        return try await first.send(request) { try await passed($0, by: middleware.dropFirst()) }
    }
}
