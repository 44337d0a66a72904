package import DossierAPI
package import Foundation
package import HTTP

/// Talks to a Dossier broker.
///
///     let client = DossierClient(baseURL: "http://127.0.0.1:5001", transport: HTTPClient())
///     let job = try await client.submit(kind: "research", input: ["ticker": "AAPL", "persona": "buffett"])
///     for try await update in client.updates(of: job.id) { print(update.progress) }
///     let report = try await client.result(of: job.id)
package struct DossierClient: Sendable {
    private let baseURL: String
    private let user: String?
    private let accessToken: String?
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - baseURL: Without a slash at the end.
    ///   - user: Who asks, for a broker in development or behind a gateway.
    ///   - accessToken: Says who asks, for a broker that takes tokens.
    ///   - transport: Carries the requests.
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
    ///   - input: What the kind asks for; anything that encodes as a JSON object.
    ///   - priority: Orders the user's own jobs; higher runs first.
    ///   - idempotencyKey: Makes it safe to send the same request again.
    /// - Returns: The job, which is still pending as a rule.
    /// - Throws: `ClientError`.
    package func submit(
        kind: String, input: some Encodable & Sendable, priority: Int? = nil, idempotencyKey: String? = nil
    ) async throws(ClientError) -> JobResource {
        var headers: HTTPHeaders = [:]
        headers["Idempotency-Key"] = idempotencyKey
        let body = try encode(JobRequest(kind: kind, input: input, priority: priority))
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

    package func cancel(_ id: String) async throws(ClientError) -> JobResource {
        try await read(.post, "/api/v1/jobs/\(id)/cancel")
    }

    package func retry(_ id: String) async throws(ClientError) -> JobResource {
        try await read(.post, "/api/v1/jobs/\(id)/retry")
    }

    /// The job at every change until it has ended, over one event stream that is opened again when it breaks.
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

    // MARK: The rest

    package func credits() async throws(ClientError) -> CreditsResource { try await read(.get, "/api/v1/credits") }

    package func personas() async throws(ClientError) -> [PersonaResource] { try await read(.get, "/api/v1/personas") }

    /// Asks for a report on a company in the voice of an investor.
    package func generateReport(ticker: String, persona: String) async throws(ClientError) -> ReportSubmitted {
        let body = try encode(["ticker": ticker, "investor_persona": persona])
        return try await read(.post, "/api/v1/research/generate", body: body)
    }

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
        guard let data = envelope.data else { throw .unexpected("the answer holds no data") }
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
            throw .unexpected("the input cannot be written as JSON")
        }
    }

    private func decode<Value: Decodable>(_ response: HTTPResponse) throws(ClientError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw .unexpected("the answer is not in the expected form")
        }
    }
}

/// The body of `POST /jobs`.
private struct JobRequest<Input: Encodable>: Encodable {
    var kind: String
    var input: Input
    var priority: Int?
}
