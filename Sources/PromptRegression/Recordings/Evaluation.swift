internal import Agents
internal import JSON
internal import LanguageModels
package import Prompts

/// An answer parsed, validated and checked as in production.
package struct Evaluation: Sendable {
    package var outcome: AnswerOutcome
    /// The problem with an answer that cannot be used.
    package var problem: String?
    package var failures: [CheckFailure] = []
    /// The golden output.
    var output: JSON
    /// The questions to a grader about the answer.
    var gradings: [Grading] = []
    /// The gradings without a grade: their rubrics are skipped.
    var ungraded: [Grading] = []

    /// The names of the checks that failed.
    package var failing: Set<String> { Set(failures.map(\.check)) }

    /// Whether all is as the case expects it.
    package func meets(_ expectation: PromptCase.Expectation) -> Bool {
        outcome == expectation.outcome && failing == wanted(expectation)
    }

    /// The checks that must fail, without ungraded rubrics.
    func wanted(_ expectation: PromptCase.Expectation) -> Set<String> {
        expectation.failing.subtracting(Set(ungraded.map(\.check.name)).subtracting(failing))
    }

    /// Evaluates a recorded answer again; its recorded outcome does not count, except for refusals and
    /// truncations, which only the provider can report. Rubrics count if they have grades.
    init(
        of recording: Recording, to promptCase: PromptCase, by prompt: LoadedPrompt, in bundle: Bundle,
        grades: Grades = Grades()
    ) {
        var outcome = recording.outcome
        var problem = recording.detail
        var json: JSON?
        if [.answered, .unparseable, .schemaViolation].contains(outcome) {
            do throws(ModelError) {
                let output = prompt.output.map { ModelOutput.json(name: $0.name, schema: $0.schema) } ?? .text
                json = try recording.response.read(as: output).json
                outcome = .answered
                problem = nil
            } catch {
                outcome = AnswerOutcome(error.kind) ?? .unusable
                problem = AnswerOutcome.detail(of: error.kind)
            }
        }
        self.outcome = outcome
        self.problem = problem
        if outcome == .answered {
            let material = CheckMaterial(facts: promptCase.facts, quotable: promptCase.quotable)
            failures = prompt.failures(in: recording.response, json: json, input: promptCase.input, material: material)
            gradings = (try? Grading.all(of: recording.response.text, json: json, by: prompt, in: bundle)) ?? []
            failures += gradings.compactMap { grading in grades[grading].flatMap(grading.failure) }
            ungraded = gradings.filter { grades[$0] == nil }
        }
        var golden: JSON = ["outcome": JSON(outcome.rawValue)]
        golden["problem"] = problem.map { JSON($0) }
        if let json { golden["json"] = json } else { golden["text"] = JSON(recording.response.text) }
        golden["failures"] = .array(
            failures.map { ["check": JSON($0.check), "path": JSON($0.path), "message": JSON($0.message)] })
        output = golden
    }
}

extension AnswerOutcome {
    /// `nil` for a call without an answer: a repetition may give one.
    init?(_ kind: ModelError.Kind) {
        switch kind {
        case .refused: self = .refused
        case .truncated: self = .truncated
        case .unparseable: self = .unparseable
        case .schemaViolation: self = .schemaViolation
        case .unusable, .answerTooLarge: self = .unusable
        default: return nil
        }
    }

    /// The details of a kind of error beyond its name.
    static func detail(of kind: ModelError.Kind) -> String? {
        switch kind {
        case .refused(let category): category
        case .truncated(let limit): "cut off at \(limit.rawValue)"
        case .unparseable(let place): "no JSON from \(place) on"
        case .schemaViolation(let violations): violations.map(\.message).joined(separator: "; ")
        case .unusable(let reason): reason
        default: nil
        }
    }
}
