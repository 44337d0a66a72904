import HTTP
import JSON
import Simulator

/// The usage that a provider reports, and its cost by the prices of `claude-sonnet-5-5` in `models.yaml`.
struct Usage {
    /// The whole prompt, cached or not.
    private(set) var input: Int64 = 0
    private(set) var output: Int64 = 0
    /// Micro-dollars are dollars for a million tokens, so prices count hundredths of them.
    private var hundredths: Int64 = 0

    var microDollars: Int64 { hundredths / 100 }

    init() {}

    init(_ usage: JSON) {
        func count(_ name: String) -> Int64 { usage[name]?.integer ?? 0 }
        let fresh = count("input_tokens")
        let (written, read) = (count("cache_creation_input_tokens"), count("cache_read_input_tokens"))
        input = fresh + written + read
        output = count("output_tokens")
        let hour = usage["cache_creation"]?["ephemeral_1h_input_tokens"]?.integer ?? 0
        hundredths = fresh * 200 + output * 1000 + (written - hour) * 250 + hour * 400 + read * 10
        // Each call is priced by itself, rounded half up to a whole micro-dollar.
        hundredths = (hundredths + 50) / 100 * 100
    }

    mutating func add(_ other: Usage) {
        input += other.input
        output += other.output
        hundredths += other.hundredths
    }
}

extension Fleet {
    /// Repeats a recorded call and reads the usage that the provider reports.
    func usage(of call: RecordedCall) async throws -> Usage {
        var headers = HTTPHeaders()
        for (name, value) in call.headers where name.lowercased().hasPrefix("anthropic-") { headers[name] = value }
        headers["x-api-key"] = "simulated"
        headers["Content-Type"] = "application/json"
        let base = environment["ANTHROPIC_BASE_URL"] ?? ""
        let response = try await transport.send(
            HTTPRequest(.post, base + call.path, headers: headers, body: call.body?.utf8 ?? []))
        var usage = JSONObject()
        for line in response.text.split(separator: "\n") where line.hasPrefix("data: ") {
            let event = try JSON(parsing: String(line.dropFirst("data: ".count)))
            // The beginning and the end of a stream count, the end for good.
            for part in [event["message"]?["usage"], event["usage"]] {
                for (name, value) in part?.object ?? [:] { usage[name] = value }
            }
        }
        guard !usage.isEmpty else { throw SystemFailure("no usage in \(response.text.prefix(200))") }
        return Usage(.object(usage))
    }
}

extension Fleet.CommandResult {
    /// The lines of a command's output, each a JSON value.
    func records() throws -> [JSON] {
        try output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }
}
