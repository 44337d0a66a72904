internal import JSON

/// How often each case passed with each provider when a person last said that this is how it should be.
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

    /// Where a home folder keeps it.
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
