internal import Synchronization

/// The rules in force, and how often each has applied. Safe to use from anywhere.
package final class FaultPlan: Sendable {
    private struct Entry {
        var rule: FaultRule
        var matched = 0
        var applied = 0
        var random: SeededRandom

        init(_ rule: FaultRule) {
            self.rule = rule
            random = SeededRandom(seed: rule.seed)
        }
    }

    private let entries: Mutex<[Entry]>

    init(_ rules: [FaultRule] = []) { entries = Mutex(rules.map(Entry.init)) }

    /// Adds rules behind those in force; the first that matches a request decides.
    package func add(_ rules: FaultRule...) { add(rules) }

    package func add(_ rules: [FaultRule]) { entries.withLock { $0 += rules.map(Entry.init) } }

    package func clear() { entries.withLock { $0 = [] } }

    /// The rules with the number of requests that each has hit.
    package func rules() -> [(rule: FaultRule, applied: Int)] {
        entries.withLock { $0.map { ($0.rule, $0.applied) } }
    }

    /// The fault that a request meets, if any.
    func next(for request: FaultTarget) -> FaultAction? {
        entries.withLock { entries in
            for place in entries.indices where request.matches(entries[place].rule) {
                entries[place].matched += 1
                let entry = entries[place]
                guard entry.matched > entry.rule.skip, entry.applied < entry.rule.times ?? .max else { continue }
                guard entry.rule.rate >= 1 || entries[place].random.fraction() < entry.rule.rate else { continue }
                entries[place].applied += 1
                return entry.rule.action
            }
            return nil
        }
    }
}

/// What a rule looks at in a request.
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
