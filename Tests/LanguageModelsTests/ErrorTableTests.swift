import HTTP
import JSON
import Testing

@testable import LanguageModels

/// One row of a provider's table of errors.
struct ErrorRow: CustomTestStringConvertible, Sendable {
    var status: Int
    var headers: HTTPHeaders = [:]
    var body: String
    var kind: String
    var isTransient: Bool
    var retryAfter: Duration?
    /// Whether another provider is called.
    var fallsBack: Bool

    init(
        _ status: Int, _ body: String, _ kind: String, transient: Bool, fallback: Bool? = nil,
        headers: HTTPHeaders = [:], retryAfter: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.kind = kind
        isTransient = transient
        fallsBack = fallback ?? transient
        self.retryAfter = retryAfter
    }

    var testDescription: String { "\(status) \(kind) \(body.prefix(60))" }
}

@Suite struct ErrorTableTests {
    private static func claude(_ type: String, _ message: String = "m", code: String? = nil) -> String {
        var error: JSON = ["type": JSON(type), "message": JSON(message)]
        error["details"] = code.map { ["error_code": JSON($0)] }
        let envelope: JSON = ["type": "error", "error": error, "request_id": "req_01"]
        return envelope.compact
    }

    static let claudeRows = [
        ErrorRow(400, claude("invalid_request_error"), "invalid_request", transient: false),
        ErrorRow(
            400, claude("invalid_request_error", "You have reached your specified API usage limits. You will regain"),
            "quota_exhausted", transient: false, fallback: true),
        ErrorRow(401, claude("authentication_error"), "authentication", transient: false, fallback: true),
        ErrorRow(402, claude("billing_error"), "quota_exhausted", transient: false, fallback: true),
        ErrorRow(403, claude("permission_error"), "permission", transient: false, fallback: true),
        ErrorRow(404, claude("not_found_error"), "not_found", transient: false, fallback: true),
        ErrorRow(408, "", "timeout", transient: true),
        ErrorRow(409, claude("conflict_error"), "conflict", transient: true),
        ErrorRow(413, claude("request_too_large"), "too_large", transient: false),
        ErrorRow(413, "<html>413 Request Entity Too Large</html>", "too_large", transient: false),
        ErrorRow(
            429, claude("rate_limit_error"), "rate_limited", transient: true, headers: ["retry-after": "12"],
            retryAfter: .seconds(12)),
        ErrorRow(
            429, claude("rate_limit_error", code: "ramp_limit_exceeded"), "rate_limited", transient: true,
            headers: ["Retry-After": "1.5"], retryAfter: .milliseconds(1500)),
        ErrorRow(
            429, claude("rate_limit_error"), "rate_limited", transient: true,
            headers: ["retry-after": "9", "retry-after-ms": "250"], retryAfter: .milliseconds(250)),
        ErrorRow(
            429, claude("rate_limit_error"), "rate_limited", transient: true,
            headers: ["retry-after": "Sat, 21 Nov 2026 00:01:30 GMT"], retryAfter: .seconds(90)),
        ErrorRow(429, claude("rate_limit_error"), "rate_limited", transient: true, headers: ["retry-after": "soon"]),
        ErrorRow(
            429, claude("rate_limit_error", code: "enforced_spend_limit_reached"), "quota_exhausted", transient: false,
            fallback: true),
        ErrorRow(
            429, claude("rate_limit_error", code: "contract_spend_limit_reached"), "quota_exhausted", transient: false,
            fallback: true),
        ErrorRow(500, claude("api_error"), "server_error", transient: true),
        ErrorRow(502, "<html>Bad gateway</html>", "server_error", transient: true),
        ErrorRow(503, "", "overloaded", transient: true),
        ErrorRow(504, claude("timeout_error"), "timeout", transient: true),
        ErrorRow(529, claude("overloaded_error"), "overloaded", transient: true),
        ErrorRow(
            529, claude("overloaded_error"), "overloaded", transient: false, fallback: true,
            headers: ["x-should-retry": "false"]),
        ErrorRow(
            400, claude("invalid_request_error"), "invalid_request", transient: true, fallback: false,
            headers: ["x-should-retry": "true"]),
        ErrorRow(418, claude("error_of_2027"), "invalid_request", transient: false),
        ErrorRow(200, "<html>Sign in to this network</html>", "malformed_answer", transient: true),
        ErrorRow(302, "", "malformed_answer", transient: true),
    ]

    @Test(arguments: claudeRows)
    func everyErrorOfClaudeIsKnown(row: ErrorRow) async throws {
        try await check(row) { try Fixture.claude($0) }
    }

    private static func gemini(_ code: Int, _ status: String, _ details: JSON...) -> String {
        var error: JSON = ["code": JSON(code), "message": "m", "status": JSON(status)]
        if !details.isEmpty { error["details"] = .array(details) }
        return JSON.object(["error": error]).compact
    }

    private static func quota(_ id: String) -> JSON {
        [
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [["quotaMetric": "generate_content_free_tier_requests", "quotaId": JSON(id)]],
        ]
    }

    private static func retryInfo(_ delay: String) -> JSON {
        ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": JSON(delay)]
    }

    static let geminiRows = [
        ErrorRow(400, gemini(400, "INVALID_ARGUMENT"), "invalid_request", transient: false),
        ErrorRow(
            400,
            gemini(
                400, "INVALID_ARGUMENT",
                ["@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"]), "authentication",
            transient: false, fallback: true),
        ErrorRow(400, gemini(400, "FAILED_PRECONDITION"), "permission", transient: false, fallback: true),
        ErrorRow(401, gemini(401, "UNAUTHENTICATED"), "authentication", transient: false, fallback: true),
        ErrorRow(403, gemini(403, "PERMISSION_DENIED"), "permission", transient: false, fallback: true),
        ErrorRow(404, gemini(404, "NOT_FOUND"), "not_found", transient: false, fallback: true),
        ErrorRow(
            429,
            gemini(
                429, "RESOURCE_EXHAUSTED", quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
                retryInfo("37s")),
            "rate_limited", transient: true, retryAfter: .seconds(37)),
        ErrorRow(
            429, gemini(429, "RESOURCE_EXHAUSTED", retryInfo("1.68s")), "rate_limited", transient: true,
            retryAfter: .milliseconds(1680)),
        ErrorRow(
            429,
            gemini(
                429, "RESOURCE_EXHAUSTED", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo("8s")),
            "quota_exhausted", transient: false, fallback: true, retryAfter: .seconds(8)),
        ErrorRow(429, "[\(gemini(429, "RESOURCE_EXHAUSTED"))]", "rate_limited", transient: true),
        ErrorRow(500, gemini(500, "INTERNAL"), "server_error", transient: true),
        ErrorRow(503, gemini(503, "UNAVAILABLE"), "overloaded", transient: true),
        ErrorRow(504, gemini(504, "DEADLINE_EXCEEDED"), "timeout", transient: true),
        ErrorRow(502, "", "server_error", transient: true),
        ErrorRow(413, "<html>too large</html>", "too_large", transient: false),
        ErrorRow(400, gemini(400, "STATUS_OF_2027"), "invalid_request", transient: false),
    ]

    @Test(arguments: geminiRows)
    func everyErrorOfGeminiIsKnown(row: ErrorRow) async throws {
        try await check(row) { try Fixture.gemini($0) }
    }

    private static func openai(_ type: String?, _ code: JSON, _ message: String = "m") -> String {
        JSON.object(["error": ["message": JSON(message), "type": JSON(type), "param": nil, "code": code]]).compact
    }

    static let openaiRows = [
        ErrorRow(400, openai("invalid_request_error", nil), "invalid_request", transient: false),
        ErrorRow(400, openai("invalid_request_error", "context_length_exceeded"), "too_large", transient: false),
        ErrorRow(400, openai("exceed_context_size_error", 400), "too_large", transient: false),
        ErrorRow(400, openai(nil, "content_filter"), "refused", transient: false),
        ErrorRow(
            401, openai("invalid_request_error", "invalid_api_key"), "authentication", transient: false, fallback: true),
        ErrorRow(403, openai(nil, nil), "permission", transient: false, fallback: true),
        ErrorRow(404, openai("not_found_error", 404), "not_found", transient: false, fallback: true),
        ErrorRow(404, #"{"error":"model 'llama' not found"}"#, "not_found", transient: false, fallback: true),
        ErrorRow(422, openai(nil, nil), "invalid_request", transient: false),
        ErrorRow(
            429, openai("requests", "rate_limit_exceeded"), "rate_limited", transient: true,
            headers: ["retry-after": "3"], retryAfter: .seconds(3)),
        ErrorRow(
            429, openai("insufficient_quota", "insufficient_quota"), "quota_exhausted", transient: false, fallback: true
        ),
        ErrorRow(500, openai("server_error", 500), "server_error", transient: true),
        ErrorRow(503, openai("unavailable_error", 503, "Loading model"), "overloaded", transient: true),
        ErrorRow(408, "", "timeout", transient: true),
        ErrorRow(200, openai("server_error", 500), "server_error", transient: true),
    ]

    @Test(arguments: openaiRows)
    func everyErrorOfOpenAICompatibleServersIsKnown(row: ErrorRow) async throws {
        try await check(row) { try Fixture.openai($0) }
    }

    private func check(_ row: ErrorRow, _ model: (ScriptedTransport) throws -> any LanguageModel) async throws {
        for isStreamed in [false, true] {
            let onText: (@Sendable (String) -> Void)? = isStreamed ? ignoreText : nil
            let transport = ScriptedTransport(.answer(status: row.status, headers: row.headers, body: row.body))
            let error = try await failure { try await model(transport).respond(to: Fixture.plain, onText: onText) }
            #expect(error.kind.name == row.kind)
            #expect(error.isTransient == row.isTransient)
            #expect(error.retryAfter == row.retryAfter)
            #expect(error.allowsFallback == row.fallsBack)
            #expect(transport.requests.count == 1)
        }
    }

    @Test(arguments: [
        (HTTPClientError.cannotConnect(host: "h"), "unreachable", true),
        (.cannotResolve(host: "h"), "unreachable", true),
        (.timedOut(host: "h"), "timeout", true), (.connectionLost(host: "h", reason: "reset"), "connection", true),
        (.insecure(host: "h", reason: "expired"), "unreachable", true),
        (.bodyTooLarge(limit: 1), "answer_too_large", false),
        (.cancelled, "cancelled", false), (.invalidURL("x"), "not_configured", false),
    ])
    func transportErrorsAreMapped(error: HTTPClientError, kind: String, isTransient: Bool) async throws {
        for isStreamed in [false, true] {
            let onText: (@Sendable (String) -> Void)? = isStreamed ? ignoreText : nil
            let thrown = try await failure {
                try await Fixture.claude(ScriptedTransport(.failure(error))).respond(to: Fixture.plain, onText: onText)
            }
            #expect(thrown.kind.name == kind)
            #expect(thrown.isTransient == isTransient)
            #expect(thrown.usage == nil)
        }
    }

    @Test func noErrorDescriptionContainsTheKeyOrTheProvidersMessage() async throws {
        let body = Self.claude("authentication_error", "invalid x-api-key sk-test-0123456789 for patient Smith")
        let error = try await failure {
            try await Fixture.claude(ScriptedTransport(.answer(status: 401, body: body))).respond(
                to: Fixture.plain, onText: nil)
        }
        #expect(error.requestID == "req_01")
        #expect(error.description == "Claude (claude-sonnet-5-5): the key is not accepted (status 401, request req_01)")
        #expect(!error.userMessage.contains("key"))
        #expect(error.debugDescription.contains("patient"))
        #expect(!error.debugDescription.contains("0123456789"))
        #expect(!"\(Fixture.key)\(String(reflecting: Fixture.key))".contains("sk-"))
        var dumped = ""
        dump(ProviderEndpoint(baseURL: "b", key: Fixture.key), to: &dumped)
        #expect(!dumped.contains("sk-"))
    }
}
