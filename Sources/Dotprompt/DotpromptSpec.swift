internal import FoundationEssentials
internal import JSON
internal import YAML

/// Runs the cases of dotprompt's language-neutral specification.
///
/// A spec file is a YAML list of suites: a template with partials, schemas and tools, and tests with data and the
/// expected result. A test passes when messages and metadata equal the expected ones to the byte.
public struct DotpromptSpec {
    /// The outcome of one test.
    public struct Outcome: Sendable, Hashable {
        /// The file, relative to the directory.
        public let file: String
        /// The name of the suite.
        public let suite: String
        /// The description of the test.
        public let test: String
        /// The first difference; `nil` when the test passed.
        public let failure: String?
    }

    /// The outcomes by file, suite and test in their order.
    public let outcomes: [Outcome]

    /// The number of tests that passed.
    public var passed: Int { outcomes.count { $0.failure == nil } }
    /// The number of tests that failed.
    public var failed: Int { outcomes.count - passed }
    /// `N passed, M failed`.
    public var summary: String { "\(passed) passed, \(failed) failed" }

    /// Runs every `.yaml` and `.yml` file in a directory and the directories in it.
    ///
    /// - Throws: `DotpromptSpecError` when the directory cannot be read. A file that cannot be read counts as one
    ///   failure.
    public init(directory: String) throws(DotpromptSpecError) {
        let files = FileManager.default.enumerateFiles(in: directory) { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        guard let files else { throw DotpromptSpecError(directory: directory) }
        outcomes = files.flatMap { file in
            guard let text = FileManager.default.text(at: directory + "/" + file) else {
                return [Outcome(file: file, suite: "", test: "", failure: "the file cannot be read as UTF-8")]
            }
            return Self.run(text, file: file)
        }
    }

    /// Runs the suites of one spec file.
    public static func run(_ text: String, file: String) -> [Outcome] {
        let suites: [JSON]
        do {
            suites = try YAMLDocument(parsing: text).value.array ?? []
        } catch {
            return [Outcome(file: file, suite: "", test: "", failure: "\(error)")]
        }
        return suites.flatMap { suite in
            (suite["tests"]?.array ?? []).map { test in
                Outcome(
                    file: file, suite: suite["name"]?.string ?? "", test: test["desc"]?.string ?? "",
                    failure: DotpromptSpecCase(suite: suite, test: test).failure())
            }
        }
    }
}

/// A directory of spec files that cannot be read.
public struct DotpromptSpecError: Error, Equatable, CustomStringConvertible {
    /// The path of the directory.
    public let directory: String

    /// The path and the problem.
    public var description: String { "the directory '\(directory)' cannot be read" }
}

/// One test of a spec file.
struct DotpromptSpecCase {
    let suite: JSON
    let test: JSON

    /// The first difference from the expected result; `nil` when there is none.
    func failure() -> String? {
        do {
            let prompt = try Dotprompt.parse(suite["template"]?.string ?? "", environment: try environment())
            return try compare(prompt)
        } catch {
            return "\(error)"
        }
    }

    private func compare(_ prompt: Prompt) throws -> String? {
        let overrides = test["options"]?.object ?? [:]
        var data = suite["data"]?.object ?? [:]
        for (key, value) in test["data"]?.object ?? [:] { data[key] = value }
        let history = try (data["messages"]?.array ?? []).map { try PromptMessage(json: $0) }
        let rendered = try prompt.render(
            input: data["input"]?.object ?? [:], context: data["context"]?.object ?? [:], messages: history,
            docs: data["docs"], overrides: overrides)
        var expected = test["expect"]?.object ?? [:]
        if let raw = expected["raw"], raw != .object(rendered.metadata.raw) {
            return difference("raw", raw, .object(rendered.metadata.raw))
        }
        expected["raw"] = nil
        guard case .object(var actual) = rendered.json else { return nil }
        // The fields that every result has, even when a test does not mention them.
        for key in ["ext", "config", "metadata"] {
            if expected[key] == nil { expected[key] = .object([:]) }
            if actual[key] == nil { actual[key] = .object([:]) }
        }
        let keys = expected.keys + actual.keys.filter { expected[$0] == nil }
        return keys.first { expected[$0] != actual[$0] }.map { difference($0, expected[$0], actual[$0]) }
    }

    private func difference(_ key: String, _ expected: JSON?, _ actual: JSON?) -> String {
        "\(key): expected \(expected?.compact ?? "nothing"), got \(actual?.compact ?? "nothing")"
    }

    private func environment() throws(PromptError) -> PromptEnvironment {
        var partials = Partials()
        for key in ["partials", "resolverPartials"] {
            for (name, source) in suite[key]?.object ?? [:] { try partials.add(name, source.string ?? "") }
        }
        return PromptEnvironment(partials: partials, schemas: members("schemas"), tools: members("tools"))
    }

    private func members(_ key: String) -> [String: JSON] {
        Dictionary((suite[key]?.object ?? [:]).map { ($0.key, $0.value) }) { $1 }
    }
}
