package import JSON
package import Prompts

/// One test of a prompt: its input, and the expected result of the answer.
///
/// A case is a folder `prompts/cases/<prompt>/<name>/`; `docs/prompt-tests.md` describes its files.
package struct PromptCase: Sendable {
    /// The name of the case in filters and reports: `research/apple`.
    package struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
        package var prompt: String
        package var name: String

        package init(prompt: String, name: String) {
            self.prompt = prompt
            self.name = name
        }

        package var description: String { "\(prompt)/\(name)" }

        package static func < (left: ID, right: ID) -> Bool { (left.prompt, left.name) < (right.prompt, right.name) }
    }

    package var id: ID
    /// One or two sentences for people.
    package var summary: String
    /// The values of the prompt, with everything that the case extends.
    package var input: JSON
    /// The persona whose texts become the input's `persona`.
    package var persona: String?
    /// The figures that the answer may state.
    package var facts: [Fact]
    /// Texts whose figures the answer may repeat.
    package var quotable: [String]
    package var expectation: Expectation
    /// The mistake that the simulator makes when it answers this case; no real service makes it on demand.
    package var simulation: Simulation?
    package var tags: [String]
    /// Answers that a person wrote, with what the checks have to make of them.
    package var answers: [HandWrittenAnswer] = []
    /// The folder of the case.
    package var folder: String

    /// The expected result.
    package struct Expectation: Hashable, Sendable {
        package var outcome: AnswerOutcome
        /// The names of the checks that must fail. All others must pass.
        package var failing: Set<String>

        package init(outcome: AnswerOutcome = .answered, failing: Set<String> = []) {
            self.outcome = outcome
            self.failing = failing
        }
    }

    /// A mistake that the simulator makes on purpose.
    package enum Simulation: String, Sendable, CaseIterable {
        case refusal
        case truncation
        case brokenSchema = "broken-schema"
        case invalidJSON = "invalid-json"
        case emptyAnswer = "empty-answer"
        case inventedFigure = "invented-figure"
    }
}

/// The outcome of a call of a model, as far as its answer goes.
package enum AnswerOutcome: String, Sendable, CaseIterable {
    /// There is an answer, of the schema if there is one.
    case answered
    /// The model declined.
    case refused
    /// The answer was cut off.
    case truncated
    /// JSON was asked for and this is none.
    case unparseable
    /// JSON, but not of the schema.
    case schemaViolation = "schema_violation"
    /// Anything else that cannot be used, such as an empty answer.
    case unusable
}
