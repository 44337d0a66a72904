package import DossierAPI
package import Foundation
package import HTTP

/// A client of a Dossier broker.
///
///     let client = BrokerClient(baseURL: "http://127.0.0.1:5001", transport: HTTPClient())
///     let job = try await client.submit(kind: "research", input: ["ticker": "AAPL", "persona": "buffett"])
///     for try await update in client.updates(of: job.id) { print(update.progress) }
///     let report = try await client.result(of: job.id)
package struct BrokerClient: Sendable {
    private let baseURL: String
    private let user: String?
    private let accessToken: String?
    private let transport: any HTTPTransport

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: The address of the broker, without a slash at the end.
    ///   - user: The id of the user, for a broker in development or with a gateway.
    ///   - accessToken: The token of the user, for a broker that requires tokens.
    ///   - transport: Sends the requests.
    package init(baseURL: String, user: String? = nil, accessToken: String? = nil, transport: any HTTPTransport) {
        self.baseURL = baseURL
        self.user = user
        self.accessToken = accessToken
        self.transport = transport
    }

    // MARK: Jobs

    /// Submits a job.
    ///
    /// - Parameters:
    ///   - kind: The kind of job.
    ///   - input: The input of the kind; any value that encodes as a JSON object.
    ///   - priority: Orders the user's own jobs; higher runs first.
    ///   - within: The seconds within which the result is needed, from 3,600 to 86,400: the job's model calls may then
    ///     go by batch, at half the price.
    ///   - idempotencyKey: A key under which the same request can be sent again safely.
    /// - Returns: The job, pending as a rule.
    /// - Throws: `ClientError`.
    package func submit(
        kind: String, input: some Encodable & Sendable, priority: Int? = nil, within: Int? = nil,
        idempotencyKey: String? = nil
    ) async throws(ClientError) -> JobResource {
        var headers: HTTPHeaders = [:]
        headers["Idempotency-Key"] = idempotencyKey
        let body = try encode(JobRequest(kind: kind, input: input, priority: priority, within: within))
        return try await read(.post, "/api/v1/jobs", headers: headers, body: body)
    }

    /// Reads a job, at once or, with `wait`, when it has ended (after 60 s at most).
    package func job(_ id: String, wait seconds: Int = 0) async throws(ClientError) -> JobResource {
        try await read(.get, "/api/v1/jobs/\(id)" + (seconds > 0 ? "?wait=\(seconds)" : ""))
    }

    /// The result of a completed job, as JSON.
    package func result(of id: String) async throws(ClientError) -> Data {
        let response = try await send(.get, "/api/v1/jobs/\(id)/result")
        return Data(response.body)
    }

    /// Lists the user's jobs, newest first.
    package func jobs(
        status: String? = nil, kind: String? = nil, page: Int = 1, perPage: Int = 20
    ) async throws(ClientError) -> (jobs: [JobResource], pagination: Pagination?) {
        var query = "page=\(page)&per_page=\(perPage)"
        for (name, value) in [("status", status), ("kind", kind)] {
            if let value = value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) {
                query += "&\(name)=\(value)"
            }
        }
        let response = try await send(.get, "/api/v1/jobs?\(query)")
        let envelope: Envelope<[JobResource]> = try decode(response)
        return (envelope.data ?? [], envelope.pagination)
    }

    /// Cancels an unfinished job.
    package func cancel(_ id: String) async throws(ClientError) -> JobResource {
        try await read(.post, "/api/v1/jobs/\(id)/cancel")
    }

    /// Starts a failed or cancelled job again.
    package func retry(_ id: String) async throws(ClientError) -> JobResource {
        try await read(.post, "/api/v1/jobs/\(id)/retry")
    }

    /// The states of the job until it has ended, over an event stream that is reopened when it breaks.
    package func updates(of id: String) -> AsyncThrowingStream<JobResource, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await JobUpdates(client: self, id: id).forward { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    // MARK: Accounts and reports

    /// Reads the user's credits.
    package func credits() async throws(ClientError) -> CreditsResource { try await read(.get, "/api/v1/credits") }

    /// Lists the personas.
    package func personas() async throws(ClientError) -> [PersonaResource] { try await read(.get, "/api/v1/personas") }

    /// Requests a report on a company in the voice of an investor.
    package func generateReport(ticker: String, persona: String) async throws(ClientError) -> ReportSubmitted {
        let body = try encode(["ticker": ticker, "investor_persona": persona])
        return try await read(.post, "/api/v1/research/generate", body: body)
    }

    /// Reads the status of a report.
    package func reportStatus(_ id: String) async throws(ClientError) -> ReportStatus {
        try await read(.get, "/api/v1/research/reports/\(id)/status")
    }

    // MARK: Requests

    func stream(_ path: String, headers: HTTPHeaders) async throws(ClientError) -> HTTPStreamingResponse {
        do {
            return try await transport.stream(request(.get, path, headers: headers, body: []))
        } catch {
            throw .noAnswer(error)
        }
    }

    func read<Payload: Codable & Sendable>(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) async throws(ClientError) -> Payload {
        let envelope: Envelope<Payload> = try decode(try await send(method, path, headers: headers, body: body))
        guard let data = envelope.data else { throw .unexpected("the answer has no data") }
        return data
    }

    private func send(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) async throws(ClientError) -> HTTPResponse {
        let response: HTTPResponse
        do {
            response = try await transport.send(request(method, path, headers: headers, body: body))
        } catch {
            throw .noAnswer(error)
        }
        guard response.isSuccess else { throw ClientError(refusal: response) }
        return response
    }

    private func request(_ method: HTTPMethod, _ path: String, headers: HTTPHeaders, body: [UInt8]) -> HTTPRequest {
        var headers = headers
        headers["X-User-ID"] = user
        headers["Authorization"] = accessToken.map { "Bearer \($0)" }
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        var request = HTTPRequest(method, baseURL + path, headers: headers, body: body)
        request.limits.idle = .seconds(90)
        return request
    }

    private func encode(_ value: some Encodable) throws(ClientError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .unexpected("the input cannot be encoded as JSON")
        }
    }

    private func decode<Value: Decodable>(_ response: HTTPResponse) throws(ClientError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw .unexpected("the answer does not have the expected form")
        }
    }
}

/// The body of `POST /jobs`.
private struct JobRequest<Input: Encodable>: Encodable {
    var kind: String
    var input: Input
    var priority: Int?
    var within: Int?
}

extension BrokerClient {
    /// The periods of a company's figures.
    package enum Periods: String, Sendable, Hashable, CaseIterable {
        case annual, quarter, ttm, all
    }

    /// Reads profile, price and headline figures of a stock.
    ///
    /// - Parameter ticker: In any case; `BRK.B` and `BRK-B` are the same.
    /// - Returns: The stock. A missing part is `nil`, and `parts` has the reason.
    /// - Throws: `ClientError`; `refused` with `stockNotFound` when no source knows the stock.
    package func stock(_ ticker: String) async throws(ClientError) -> StockResource {
        try await read(.get, "/api/v1/stocks/\(Self.escaped(ticker))")
    }

    /// Reads the reported figures of a company.
    ///
    /// - Parameters:
    ///   - ticker: As for ``stock(_:)``.
    ///   - periods: The kind of periods.
    ///   - limit: The most periods, 1 to 100; `nil` for the service's default.
    /// - Returns: The periods, the newest first, each figure with its source.
    /// - Throws: `ClientError`.
    package func fundamentals(
        of ticker: String, periods: Periods = .annual, limit: Int? = nil
    ) async throws(ClientError) -> [FundamentalResource] {
        let query = "period=\(periods.rawValue)" + (limit.map { "&limit=\($0)" } ?? "")
        return try await read(.get, "/api/v1/stocks/\(Self.escaped(ticker))/fundamentals?\(query)")
    }

    /// Finds companies by ticker or name.
    ///
    /// - Parameters:
    ///   - text: A ticker or part of a name, up to 100 bytes.
    ///   - limit: The most companies, 1 to 50.
    /// - Returns: The companies, best matches first.
    /// - Throws: `ClientError`.
    package func searchStocks(_ text: String, limit: Int = 20) async throws(ClientError) -> [StockSearchResult] {
        try await read(.get, "/api/v1/stocks/search?q=\(Self.escaped(text))&limit=\(limit)")
    }

    // MARK: Watchlist

    /// Lists the stocks on the user's watchlist, latest first.
    package func watchlist() async throws(ClientError) -> [WatchlistItemResource] {
        try await read(.get, "/api/v1/watchlist")
    }

    /// Adds a stock to the user's watchlist, unless it is already on it.
    package func watch(_ ticker: String) async throws(ClientError) -> WatchlistItemResource {
        try await read(.put, "/api/v1/watchlist/\(Self.escaped(ticker))")
    }

    /// Removes a stock from the user's watchlist.
    ///
    /// - Returns: Whether the stock was on it.
    @discardableResult
    package func unwatch(_ ticker: String) async throws(ClientError) -> Bool {
        let removal: WatchlistRemoval = try await read(.delete, "/api/v1/watchlist/\(Self.escaped(ticker))")
        return removal.removed
    }

    /// The text escaped as one segment of an address.
    private static func escaped(_ text: String) -> String {
        let safe = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }
}

/// The reason why a request failed.
package enum ClientError: Error, Sendable {
    /// The broker answered with an error.
    case refused(status: Int, ErrorResource)
    /// No response came.
    case noAnswer(HTTPClientError)
    /// The response is not one that this client understands.
    case unexpected(String)

    init(refusal response: HTTPResponse) {
        struct Body: Decodable {
            var error: ErrorResource
        }
        if let body = try? JSONDecoder().decode(Body.self, from: Data(response.body)) {
            self = .refused(status: response.status, body.error)
        } else {
            self = .unexpected("the answer has the status \(response.status)")
        }
    }
}

extension ClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(_, let error): "\(error.message) (\(error.code.rawValue))"
        case .noAnswer(let error): "no answer from the broker: \(error)"
        case .unexpected(let problem): "unexpected answer: \(problem)"
        }
    }
}
