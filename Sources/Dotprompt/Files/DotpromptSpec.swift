internal import FoundationEssentials
internal import JSON
internal import YAML

/// Runs the cases of dotprompt's language-neutral specification.
///
/// A spec file is a YAML list of suites: a template with partials, schemas and tools, and tests with data and the
/// expected result. A test passes when messages and metadata are equal to what is expected, to the byte.
public struct DotpromptSpec {
    /// The outcome of one test.
    public struct Outcome: Sendable, Hashable {
        /// The file, relative to the directory.
        public let file: String
        public let suite: String
        public let test: String
        /// What was wrong; `nil` when the test passed.
        public let failure: String?
    }

    /// The outcomes by file, suite and test in their order.
    public let outcomes: [Outcome]

    public var passed: Int { outcomes.count { $0.failure == nil } }
    public var failed: Int { outcomes.count - passed }
    /// `N passed, M failed`.
    public var summary: String { "\(passed) passed, \(failed) failed" }

    /// Runs every `.yaml` and `.yml` file in a directory and the directories in it.
    ///
    /// - Throws: `DotpromptSpecError` when the directory cannot be read. A file that cannot be read counts as one failure.
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
    public let directory: String

    public var description: String { "the directory '\(directory)' cannot be read" }
}
