internal import JSON

/// The number of passes of each case with each provider, as a person last accepted them.
package struct Baseline: Sendable, Hashable {
    static let fileName = "baseline.json"

    /// One case with one provider.
    package struct Entry: Sendable, Hashable {
        package var model: String
        /// Whether the simulator answered: real services are not compared with it.
        package var isSimulated: Bool
        package var runs: Int
        package var passed: Int
        /// Milliseconds of a call.
        package var p50: Int
        package var p95: Int
        /// Micro-dollars of all calls.
        package var cost: Int64
    }

    package struct Key: Sendable, Hashable, Comparable {
        /// `research/apple`
        package var promptCase: String
        package var provider: String

        package static func < (left: Key, right: Key) -> Bool {
            (left.promptCase, left.provider) < (right.promptCase, right.provider)
        }
    }

    package var entries: [Key: Entry]

    package init(entries: [Key: Entry] = [:]) { self.entries = entries }

    var json: JSON {
        var cases: JSON = [:]
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            var members = cases[key.promptCase] ?? [:]
            members[key.provider] = [
                "model": JSON(entry.model), "simulated": JSON(entry.isSimulated), "runs": JSON(entry.runs),
                "passed": JSON(entry.passed),
                "p50_ms": JSON(entry.p50), "p95_ms": JSON(entry.p95), "micro_dollars": JSON(entry.cost),
            ]
            cases[key.promptCase] = members
        }
        return ["format": 1, "cases": cases]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        entries = [:]
        for promptCase in try field["cases"].object().keys {
            let members = field["cases"][promptCase]
            for provider in try members.object().keys {
                let entry = members[provider]
                entries[Key(promptCase: promptCase, provider: provider)] = Entry(
                    model: try entry["model"].string(), isSimulated: try entry["simulated"].bool(),
                    runs: Int(clamping: try entry["runs"].integer()),
                    passed: Int(clamping: try entry["passed"].integer()),
                    p50: Int(clamping: try entry["p50_ms"].integer()),
                    p95: Int(clamping: try entry["p95_ms"].integer()), cost: try entry["micro_dollars"].integer())
            }
        }
    }

    /// The place of the baseline in a home folder.
    package static func path(home: String) -> String { "\(home)/prompts/cases/\(fileName)" }

    /// Reads a baseline; an absent file is an empty one.
    package static func read(from path: String) throws(FileFailure) -> Baseline {
        guard Files.exists(path) else { return Baseline() }
        do {
            return try Baseline(JSONField(JSON(parsing: Files.text(at: path) ?? "")))
        } catch {
            throw FileFailure(path: path, problem: "is no baseline: \(error)")
        }
    }

    package func write(to path: String) throws(FileFailure) { try Files.write(json.pretty + "\n", to: path) }
}

/// Fisher's exact test on two rows of passed and failed runs: how likely a difference at least as great as this one is
/// when nothing has changed. Right for few runs, where a comparison of percentages misleads.
enum FisherExactTest {
    /// The two-sided p-value: the sum over all tables of the same margins that are no likelier than this one.
    ///
    /// - Returns: From 0 to 1; 1 when a margin is zero.
    static func twoSided(_ passedBefore: Int, _ failedBefore: Int, _ passedNow: Int, _ failedNow: Int) -> Double {
        let before = passedBefore + failedBefore
        let now = passedNow + failedNow
        let passed = passedBefore + passedNow
        let (low, high) = (max(0, passed - now), min(before, passed))
        guard low < high else { return 1 }
        // Weights relative to the likeliest table, so that no factorial overflows.
        let mode = min(max((before + 1) * (passed + 1) / (before + now + 2), low), high)
        var weights = [Double](repeating: 1, count: high - low + 1)
        for count in stride(from: mode, to: high, by: 1) {
            weights[count + 1 - low] = weights[count - low] * growth(count, before, now, passed)
        }
        for count in stride(from: mode, to: low, by: -1) {
            weights[count - 1 - low] = weights[count - low] / growth(count - 1, before, now, passed)
        }
        let observed = weights[passedBefore - low]
        // Tables that are equally likely must count although their weights were rounded differently.
        let extreme = weights.filter { $0 <= observed * (1 + 1e-7) }.reduce(0, +)
        return min(1, extreme / weights.reduce(0, +))
    }

    /// The ratio by which one more passed run in the first row is likelier.
    private static func growth(_ count: Int, _ before: Int, _ now: Int, _ passed: Int) -> Double {
        Double(before - count) * Double(passed - count) / (Double(count + 1) * Double(now - passed + count + 1))
    }
}
