internal import Basics
internal import JSON
internal import Synchronization

/// The requests that meet a fault. A property without a value matches every request.
package struct FaultRule: Sendable, Hashable {
    package var action: FaultAction
    package var service: SimulatedService?
    package var model: String?
    /// The beginning of the path, without the service's prefix.
    package var path: String?
    /// A text in the request's body.
    package var contains: String?
    /// The number of matching requests that pass before the first fault.
    package var skip: Int
    /// The number of requests that fail; `nil` for all.
    package var times: Int?
    /// The share of matching requests that fail, 0 to 1, drawn from `seed`.
    package var rate: Double
    package var seed: UInt64
    /// Once a request is hit, all that match are for this long; `nil` for that request alone.
    package var lasts: Duration?

    package init(
        _ action: FaultAction, service: SimulatedService? = nil, model: String? = nil, path: String? = nil,
        contains: String? = nil, skip: Int = 0, times: Int? = nil, rate: Double = 1, seed: UInt64 = 1,
        lasts: Duration? = nil
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
        self.lasts = lasts
    }

    /// Reads `429=0.1,stall=0.01,529=0.001x10`: faults by the share of requests that they hit, with the seconds for
    /// which a hit begins a burst.
    package static func rates(_ text: String, seed: UInt64 = 1) throws(FaultSyntaxError) -> [FaultRule] {
        var rules: [FaultRule] = []
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map { String($0.trimmed) }
            let amounts =
                parts.count == 2
                ? parts[1].split(separator: "x", omittingEmptySubsequences: false).map { Double($0) } : []
            guard let first = amounts.first, let rate = first, (0...1).contains(rate),
                amounts.count == 1 || amounts.count == 2 && (amounts[1].map { $0 > 0 && $0 <= 86_400 } ?? false)
            else {
                throw FaultSyntaxError(
                    description:
                        "'\(entry)' must be a fault and a rate from 0 to 1, as 429=0.1, or with the seconds of "
                        + "a burst, as 529=0.001x10")
            }
            let action = try FaultAction(parsing: parts[0])
            rules.append(
                FaultRule(
                    action, rate: rate, seed: seed &+ UInt64(rules.count),
                    lasts: amounts.count == 2 ? amounts[1].map { .milliseconds(Int64($0 * 1_000)) } : nil))
        }
        return rules
    }

    /// Reads one rule as the control endpoint takes it.
    init(_ fields: JSON) throws(FaultSyntaxError) {
        let known: Set<String> = [
            "action", "service", "model", "path", "contains", "skip", "times", "rate", "seed", "lasts", "first_byte",
            "per_delta", "every", "after_deltas", "limit", "retry_after", "bytes", "claim",
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
        lasts = try FaultAction.seconds("lasts", in: fields)
    }
}

/// The rules in force, each with the number of its faults. Safe to use from anywhere.
package final class FaultPlan: Sendable {
    private struct Entry {
        var rule: FaultRule
        var matched = 0
        var applied = 0
        /// The end of a burst, in milliseconds since 1970.
        var burstEnds: Int64?
        var random: SeededRandom

        init(_ rule: FaultRule) {
            self.rule = rule
            random = SeededRandom(seed: rule.seed)
        }
    }

    private let entries: Mutex<[Entry]>

    init(_ rules: [FaultRule] = []) { entries = Mutex(rules.map(Entry.init)) }

    /// Adds rules after those in force; the first that matches a request decides.
    package func add(_ rules: FaultRule...) { add(rules) }

    package func add(_ rules: [FaultRule]) { entries.withLock { $0 += rules.map(Entry.init) } }

    package func clear() { entries.withLock { $0 = [] } }

    /// The rules with the number of requests that each has hit.
    package func rules() -> [(rule: FaultRule, applied: Int)] {
        entries.withLock { $0.map { ($0.rule, $0.applied) } }
    }

    /// The fault that a request meets at a time in milliseconds, if any.
    func next(for request: FaultTarget, at now: Int64) -> FaultAction? {
        entries.withLock { entries in
            for place in entries.indices where request.matches(entries[place].rule) {
                entries[place].matched += 1
                let entry = entries[place]
                guard entry.matched > entry.rule.skip, entry.applied < entry.rule.times ?? .max else { continue }
                if now >= entry.burstEnds ?? .min {
                    guard entry.rule.rate >= 1 || entries[place].random.fraction() < entry.rule.rate else { continue }
                    entries[place].burstEnds = entry.rule.lasts.map { now + $0.milliseconds }
                }
                entries[place].applied += 1
                return entry.rule.action
            }
            return nil
        }
    }
}

/// The properties of a request that rules match.
struct FaultTarget: Sendable {
    var service: SimulatedService
    var model: String?
    var path: String
    var body: [UInt8]

    func matches(_ rule: FaultRule) -> Bool {
        if let service = rule.service, service != self.service { return false }
        if let model = rule.model, model != self.model { return false }
        if let path = rule.path, !self.path.hasPrefix(path) { return false }
        if let text = rule.contains, body.firstRange(of: Array(text.utf8)) == nil { return false }
        return true
    }
}
