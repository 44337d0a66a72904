import HTTP
import JSON
import Simulator

/// A running simulator and a client for it, both stopped at the end.
struct Harness: Sendable {
    let simulator: Simulator
    let client: HTTPClient
    let url: String

    static func run<Result>(
        _ configuration: SimulatorConfiguration = SimulatorConfiguration(),
        _ body: (Harness) async throws -> Result
    ) async throws -> Result {
        let simulator = Simulator(configuration)
        let client = HTTPClient()
        let harness = Harness(simulator: simulator, client: client, url: try simulator.start())
        do {
            let result = try await body(harness)
            await client.shutdown()
            await simulator.stop()
            return result
        } catch {
            await client.shutdown()
            await simulator.stop()
            throw error
        }
    }

    func send(_ request: Call) async throws -> HTTPResponse { try await client.send(request.request(at: url)) }

    /// The data of each event of a stream, and whether the stream ended in good order.
    func events(_ request: Call) async throws -> (status: Int, events: [(name: String?, data: String)], isWhole: Bool) {
        let response = try await client.stream(request.request(at: url))
        var bytes: [UInt8] = []
        var isWhole = true
        do {
            for try await chunk in response.body { bytes += chunk }
        } catch HTTPClientError.connectionLost {
            isWhole = false
        }
        let blocks = String(decoding: bytes, as: UTF8.self).split(separator: "\n\n")
        let events = blocks.map { block in
            var (name, data): (String?, String) = (nil, "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            return (name, data)
        }
        return (response.status, events, isWhole)
    }
}

/// A request to one of the services, as its own clients make it.
struct Call: Sendable {
    var method = HTTPMethod.post
    var path: String
    var headers: HTTPHeaders
    var body: JSON?

    func request(at url: String) -> HTTPRequest {
        var request = HTTPRequest(method, url + path, headers: headers, body: body?.utf8 ?? [])
        request.limits.total = .seconds(120)
        return request
    }

    func with(_ key: String, _ value: JSON?) -> Call {
        var call = self
        call.body?[key] = value
        return call
    }

    func header(_ name: String, _ value: String?) -> Call {
        var call = self
        call.headers[name] = value
        return call
    }

    static func claude(_ body: JSON = [:], stream: Bool = false) -> Call {
        var whole: JSON = [
            "model": "claude-sonnet-5-5", "max_tokens": 4000, "system": "You are an analyst.",
            "messages": [["role": "user", "content": JSON(Sample.prompt)]],
        ]
        if stream { whole["stream"] = true }
        for (key, value) in body.object ?? [:] { whole[key] = value }
        return Call(
            path: "/v1/messages",
            headers: [
                "x-api-key": "secret-key", "anthropic-version": "2026-10-21", "content-type": "application/json",
            ], body: whole)
    }

    static func gemini(_ body: JSON = [:], model: String = "gemini-3.8-flash", stream: Bool = false) -> Call {
        var whole: JSON = [
            "systemInstruction": ["parts": [["text": "You are an analyst."]]],
            "contents": [["role": "user", "parts": [["text": JSON(Sample.prompt)]]]],
        ]
        for (key, value) in body.object ?? [:] { whole[key] = value }
        return Call(
            path: "/v1beta/models/\(model):" + (stream ? "streamGenerateContent?alt=sse" : "generateContent"),
            headers: ["x-goog-api-key": "secret-key", "content-type": "application/json"], body: whole)
    }

    static func openAI(_ body: JSON = [:], stream: Bool = false) -> Call {
        var whole: JSON = [
            "model": "local",
            "messages": [
                ["role": "system", "content": "You are an analyst."],
                ["role": "user", "content": JSON(Sample.prompt)],
            ],
        ]
        if stream {
            whole["stream"] = true
            whole["stream_options"] = ["include_usage": true]
        }
        for (key, value) in body.object ?? [:] { whole[key] = value }
        return Call(
            path: "/openai/v1/chat/completions",
            headers: ["authorization": "Bearer secret-key", "content-type": "application/json"], body: whole)
    }

    static func sec(_ path: String) -> Call {
        Call(method: .get, path: path, headers: ["user-agent": "Dossier tests tests@example.com"])
    }
}

extension HTTPResponse {
    var json: JSON { (try? JSON(parsing: body)) ?? .null }
}
