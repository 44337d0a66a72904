internal import Basics
internal import JSON

/// When a simulated service does something wrong. What is left out matches everything.
package struct FaultRule: Sendable, Hashable {
    package var action: FaultAction
    package var service: SimulatedService?
    package var model: String?
    /// The beginning of the path, without the service's prefix.
    package var path: String?
    /// A text in the request's body.
    package var contains: String?
    /// How many matching requests pass before the first fault.
    package var skip: Int
    /// How many requests fail; `nil` for all.
    package var times: Int?
    /// The share of matching requests that fail, 0 to 1, drawn from `seed`.
    package var rate: Double
    package var seed: UInt64

    package init(
        _ action: FaultAction, service: SimulatedService? = nil, model: String? = nil, path: String? = nil,
        contains: String? = nil, skip: Int = 0, times: Int? = nil, rate: Double = 1, seed: UInt64 = 1
    ) {
        self.action = action
        self.service = service
        self.model = model
        self.path = path
        self.contains = contains
        self.skip = skip
        self.times = times
        self.rate = rate
        self.seed = seed
    }

    /// Reads `429=0.1,529=0.05,stall=0.01`: faults by the share of requests that they hit.
    package static func rates(_ text: String, seed: UInt64 = 1) throws(FaultSyntaxError) -> [FaultRule] {
        var rules: [FaultRule] = []
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map { String($0.trimmed) }
            guard parts.count == 2, let rate = Double(parts[1]), (0...1).contains(rate) else {
                throw FaultSyntaxError(description: "'\(entry)' must be a fault and a rate from 0 to 1, as 429=0.1")
            }
            let action = try FaultAction(parsing: parts[0])
            rules.append(FaultRule(action, rate: rate, seed: seed &+ UInt64(rules.count)))
        }
        return rules
    }

    /// Reads one rule as the control endpoint takes it.
    init(_ fields: JSON) throws(FaultSyntaxError) {
        let known: Set<String> = [
            "action", "service", "model", "path", "contains", "skip", "times", "rate", "seed", "first_byte",
            "per_delta", "after_deltas", "limit", "retry_after", "bytes",
        ]
        guard let members = fields.object else { throw FaultSyntaxError(description: "a rule must be an object") }
        if let unknown = members.keys.first(where: { !known.contains($0) }) {
            throw FaultSyntaxError(description: "a rule has no field '\(unknown)'")
        }
        self.init(try FaultAction(fields))
        if let name = fields["service"]?.string {
            guard let service = SimulatedService(rawValue: name) else {
                throw FaultSyntaxError(description: "there is no service '\(name)'")
            }
            self.service = service
        }
        model = fields["model"]?.string
        path = fields["path"]?.string
        contains = fields["contains"]?.string
        skip = max(0, fields["skip"]?.integer.map(Int.init) ?? 0)
        times = fields["times"]?.integer.map { max(0, Int($0)) }
        rate = fields["rate"]?.double ?? 1
        guard (0...1).contains(rate) else { throw FaultSyntaxError(description: "'rate' must be from 0 to 1") }
        seed = fields["seed"]?.integer.map { UInt64(bitPattern: $0) } ?? 1
    }
}
