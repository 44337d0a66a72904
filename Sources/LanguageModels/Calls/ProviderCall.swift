internal import Basics
internal import HTTP
internal import JSON

/// One call of one model: sends its requests and turns failures into `ModelError`.
struct ProviderCall: Sendable {
    let model: ModelDescription
    var endpoint: ProviderEndpoint
    let transport: any HTTPTransport
    let clock: TimeSource
    /// The provider's table of errors.
    let verdict: @Sendable (ErrorResponse) -> ErrorVerdict
    let readers = AnswerReaders()

    func failure(_ kind: ModelError.Kind) -> ModelError {
        ModelError(kind, provider: model.provider, model: model.id)
    }

    /// Sends a request whose answer is not streamed.
    ///
    /// - Returns: A successful response with its JSON.
    func send(_ url: String, headers: HTTPHeaders, body: JSON) async throws(ModelError) -> (HTTPResponse, JSON) {
        let request = makeRequest(url, headers: headers, body: body)
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw failure(transport: error)
        }
        guard response.isSuccess else { throw failure(response.status, response.headers, response.body) }
        guard let parsed = try? JSON(parsing: response.body), parsed.object != nil else {
            throw failure(response.status, response.headers, response.body)
        }
        if let error = parsed["error"], !error.isNull { throw failure(inStream: parsed, response.headers) }
        return (response, parsed)
    }

    /// Sends a request of any method and collects its answer.
    ///
    /// - Returns: A successful response.
    func exchange(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders, body: [UInt8] = [], within limit: Duration
    ) async throws(ModelError) -> HTTPResponse {
        var request = makeRequest(url, headers: headers, body: body)
        request.method = method
        request.limits.total = limit
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw failure(transport: error)
        }
        guard response.isSuccess else { throw failure(response.status, response.headers, response.body) }
        return response
    }

    /// Reads a response of one JSON value in each line, and passes each on as it arrives.
    func lines(
        of url: String, headers: HTTPHeaders, within limit: Duration, onLine: (JSON) async throws(ModelError) -> Void
    ) async throws(ModelError) {
        var request = makeRequest(url, headers: headers, body: [UInt8]())
        (request.method, request.limits.total, request.limits.body) = (.get, limit, Self.linesLimit)
        var bytes: [UInt8] = []
        do {
            let response = try await transport.stream(request)
            for try await chunk in response.body {
                bytes += chunk
                guard response.isSuccess else {
                    if bytes.count > 1 << 20 { break }
                    continue
                }
                guard chunk.contains(UInt8(ascii: "\n")) else { continue }
                var start = 0
                while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    try await pass(bytes[start..<end], onLine)
                    start = end + 1
                }
                bytes.removeFirst(start)
            }
            if Task.isCancelled { throw failure(.cancelled) }
            guard response.isSuccess else { throw failure(response.status, response.headers, bytes) }
            try await pass(bytes[...], onLine)
        } catch let error as ModelError {
            throw error
        } catch let error as HTTPClientError {
            throw failure(transport: error)
        } catch {
            throw failure(Task.isCancelled ? .cancelled : .connection("the results were interrupted"))
        }
    }

    private func pass(
        _ line: ArraySlice<UInt8>, _ onLine: (JSON) async throws(ModelError) -> Void
    ) async throws(ModelError) {
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return }
        guard let value = try? JSON(parsing: Array(line)) else {
            throw failure(.malformedAnswer("a line that is not JSON"))
        }
        try await onLine(value)
    }

    /// The most bytes of the results of a batch.
    private static let linesLimit = 1 << 30

    /// Sends a request whose answer is streamed, and passes each record on as it arrives.
    ///
    /// `body` makes the request's body, which is freed when the response begins: thousands of streams may last for
    /// minutes.
    ///
    /// - Returns: The headers of the response, after the end of its body.
    @discardableResult
    func stream(
        _ url: String, headers: HTTPHeaders, activity: CallActivity, body: () throws(ModelError) -> JSON,
        onRecord: (_ record: String, _ headers: HTTPHeaders) throws(ModelError) -> Void
    ) async throws(ModelError) -> HTTPHeaders {
        let response = try await open(url, headers, activity, body)
        activity.receivedHead(response)
        var records = StreamRecords()
        var bytes: [UInt8] = []
        var (hasBytes, hasRecord) = (false, false)
        do {
            for try await chunk in response.body {
                guard response.isSuccess else {
                    // An error body is small; more than a megabyte is not an error of a provider.
                    if bytes.count < 1 << 20 { bytes += chunk }
                    continue
                }
                hasBytes = hasBytes || !chunk.isEmpty
                for record in records.receive(chunk) {
                    hasRecord = true
                    try onRecord(record, response.headers)
                }
            }
            // A cancelled task sees the end of the stream, not an error; its last record is incomplete.
            if Task.isCancelled { throw failure(.cancelled) }
            for record in records.finish() {
                hasRecord = true
                try onRecord(record, response.headers)
            }
            // A page of a proxy, for example.
            if response.isSuccess, hasBytes, !hasRecord { throw failure(.malformedAnswer("no event stream")) }
        } catch let error as ModelError {
            throw error
        } catch let error as HTTPClientError {
            throw failure(transport: error)
        } catch is CancellationError {
            throw failure(.cancelled)
        } catch {
            throw failure(.connection("the stream was interrupted"))
        }
        guard response.isSuccess else { throw failure(response.status, response.headers, bytes) }
        return response.headers
    }

    /// Sends a request and returns when the head of the response has arrived.
    private func open(
        _ url: String, _ headers: HTTPHeaders, _ activity: CallActivity, _ body: () throws(ModelError) -> JSON
    ) async throws(ModelError) -> HTTPStreamingResponse {
        var request = makeRequest(url, headers: headers, body: try body())
        request.isOnNewConnection = activity.needsNewConnection
        activity.sent()
        do {
            return try await transport.stream(request)
        } catch {
            throw failure(transport: error)
        }
    }

    /// The error that a provider reported after a status of success, or with a status within the answer.
    func failure(inStream body: JSON, _ headers: HTTPHeaders, status: Int? = nil) -> ModelError {
        failure(answer: ErrorResponse(status: status, headers: headers, body: body, now: clock.wallSeconds))
    }

    private func failure(_ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]) -> ModelError {
        var error = failure(
            answer: ErrorResponse(status: status, headers: headers, bytes: body, now: clock.wallSeconds))
        error.status = status
        return error
    }

    private func failure(answer: ErrorResponse) -> ModelError {
        let verdict = verdict(answer)
        var error = failure(verdict.kind)
        error.retryAfter = verdict.retryAfter
        error.retryOverride = verdict.retryOverride
        error.requestID = requestID(answer.headers) ?? answer.body?["request_id"]?.string.map(ProviderText.token)
        error.detail = ProviderText.detail(answer.message, without: endpoint.key)
        return error
    }

    func requestID(_ headers: HTTPHeaders) -> String? {
        (headers["request-id"] ?? headers["x-request-id"]).map(ProviderText.token)
    }

    private func failure(transport error: HTTPClientError) -> ModelError {
        switch error {
        case .timedOut: failure(.timeout)
        case .bodyTooLarge: failure(.answerTooLarge)
        case .cancelled: failure(.cancelled)
        case .invalidURL: failure(.notConfigured("the base URL of \(model.provider.displayName) is no URL"))
        case .invalidHeader: failure(.notConfigured("the key of \(model.provider.displayName) holds a line break"))
        case .cannotResolve, .cannotConnect, .insecure: unsent(.unreachable(error.description))
        case .tooManyRedirects, .forbiddenAddress, .forbiddenPort: unsent(.connection(error.description))
        case .connectionLost: failure(.connection(error.description))
        }
    }

    /// The error of a request that reached no provider and cost nothing.
    private func unsent(_ kind: ModelError.Kind) -> ModelError {
        var error = failure(kind)
        error.isUnsent = true
        return error
    }

    private func makeRequest(_ url: String, headers: HTTPHeaders, body: JSON) -> HTTPRequest {
        makeRequest(url, headers: headers, body: body.utf8)
    }

    private func makeRequest(_ url: String, headers: HTTPHeaders, body: [UInt8]) -> HTTPRequest {
        var limits = HTTPLimits()
        limits.total = endpoint.timeout
        // The clocks of a call end a silence, since only they know the caller and tell a ping from content.
        limits.idle = endpoint.timeout
        limits.body = Self.bodyLimit
        var headers = headers
        headers["content-type"] = headers["content-type"] ?? "application/json"
        return HTTPRequest(.post, url, headers: headers, body: body, limits: limits)
    }

    /// An answer of 128,000 tokens, each in its own event of 200 bytes, is 25 MiB.
    private static let bodyLimit = 32 << 20
}
