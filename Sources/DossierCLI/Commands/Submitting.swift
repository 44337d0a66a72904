import DossierAPI
import DossierClient
import Foundation
import JSON

extension Command {
    static let research = Command(
        path: ["research"], summary: "Ask for a report on a company and print it",
        arguments: [Argument(name: "TICKER", help: "The company's ticker: AAPL, BRK-B")],
        options: [Option("--persona", "ID", "In whose voice (default buffett)"), .server, .user, .json]
    ) { invocation in
        let ticker = try invocation.argument("TICKER")
        let persona = invocation.options["--persona"] ?? "buffett"
        try await submitAndWatch(
            invocation, kind: "research", input: ["ticker": JSON(ticker), "persona": JSON(persona)])
    }

    static let submit = Command(
        path: ["submit"], summary: "Submit a job of any kind and print its result",
        arguments: [Argument(name: "KIND", help: "A kind of job, as in jobs/*.yaml")],
        options: [
            Option("--input", "JSON", "What the kind asks for, as a JSON object"),
            Option("--no-wait", nil, "Print the job and do not wait for it"), .server, .user, .json,
        ]
    ) { invocation in
        let text = invocation.options["--input"] ?? "{}"
        let input: JSON
        do {
            input = try JSON(parsing: text)
        } catch {
            throw CommandFailure.usage("--input is not JSON: \(error)")
        }
        guard input.object != nil else { throw CommandFailure.usage("--input must be a JSON object") }
        try await submitAndWatch(invocation, kind: try invocation.argument("KIND"), input: input)
    }

    private static func submitAndWatch(_ invocation: Invocation, kind: String, input: JSON) async throws {
        try await BrokerConnection.with(invocation) { client in
            let job = try await client.submit(
                kind: kind, input: RawJSON(input), idempotencyKey: UUID().uuidString.lowercased())
            if invocation.has("--no-wait") {
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : job.id)
                return
            }
            if !invocation.has("--json") { Terminal.print("Job \(job.id)") }
            try await JobWatch(client: client, isQuiet: invocation.has("--json")).follow(job.id)
            let result = try JSON(parsing: Array(try await client.result(of: job.id)))["data"] ?? .null
            Terminal.print(
                invocation.has("--json") || kind != "research" ? result.pretty : ReportPrinter(result).text)
        }
    }
}

/// A JSON value as an `Encodable`, for the client.
struct RawJSON: Encodable, Sendable {
    private let value: JSON

    init(_ value: JSON) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag): try flag.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .number(let number):
            if let whole = number.integer {
                try whole.encode(to: encoder)
            } else {
                try number.double.encode(to: encoder)
            }
        case .array(let elements): try elements.map(RawJSON.init).encode(to: encoder)
        case .object(let members):
            try Dictionary(members.map { ($0.key, RawJSON($0.value)) }) { $1 }.encode(to: encoder)
        }
    }
}
