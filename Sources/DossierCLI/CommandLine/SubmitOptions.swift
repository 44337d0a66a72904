import DossierClient
import Foundation
import JSON

/// The flags of `submit` that say when and how often a job runs.
struct SubmitOptions {
    static let flags: [Command.Option] = [
        Command.Option("--within", "TIME", "The time within which the result is needed, 1h to 24h: at half the price"),
        Command.Option("--priority", "N", "-100 to 100: the order among the user's own jobs, higher first (default 0)"),
        Command.Option("--run-at", "TIME", "The job does not begin earlier: 2026-11-21T09:00:00Z"),
        Command.Option("--idempotency-key", "KEY", "With the same key and input a repeat is the same job"),
    ]

    var within: Duration?
    var priority: Int?
    var runAt: Date?
    var key = IdempotencyKey.random()

    init() {}

    init(_ invocation: Invocation) throws(CommandFailure) {
        if let text = invocation.options["--within"] { within = .seconds(try Self.seconds(text)) }
        priority = try invocation.optionalInteger("--priority", in: -100...100)
        if let text = invocation.options["--run-at"] {
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw .usage("--run-at must be a time such as 2026-11-21T09:00:00Z, not '\(text)'")
            }
            runAt = date
        }
        if let text = invocation.options["--idempotency-key"] {
            guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .usage("--idempotency-key must be 1 to 255 printable ASCII characters without spaces")
            }
            key = IdempotencyKey(rawValue: text)
        }
    }

    /// A job of any kind, to submit.
    func submission(kind: String, input: JSON) -> Submission<UntypedInput> {
        Submission(
            UntypedInput(kind: Job.Kind(rawValue: kind), input: JSONValue(input)), priority: priority,
            notBefore: runAt, within: within, idempotencyKey: key)
    }

    /// Reads `6h`, `90min` or `5400s`.
    private static func seconds(_ text: String) throws(CommandFailure) -> Int {
        let units = [("min", 60), ("h", 3600), ("m", 60), ("s", 1)]
        guard let (unit, length) = units.first(where: { text.hasSuffix($0.0) }),
            let count = Int(text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)),
            (1...100_000).contains(count)
        else { throw .usage("--within is a number and a unit, such as 6h or 90min") }
        return count * length
    }
}
