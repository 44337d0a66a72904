internal import Agents
internal import JSON
internal import LanguageModels
internal import Prompts

/// The question by which production asks again after a rejected draft.
struct DraftRepair: Sendable {
    /// The case with the values of the repair prompt: those of the draft, the draft and the reasons.
    let promptCase: PromptCase
    let prompt: LoadedPrompt
    let request: CanonicalRequest

    /// `nil` when the draft is as the case expects it, and when production would not ask again.
    ///
    /// - Parameters:
    ///   - draft: The draft as it is kept, without secrets: the same file always makes the same question.
    ///   - promptCase: The case that the draft answers.
    ///   - prompt: The prompt of the draft.
    ///   - bundle: The prompts, and the kinds of jobs that use them.
    /// - Throws: `RenderingError` when the repair prompt does not take the values of the case.
    init?(
        of draft: Recording, to promptCase: PromptCase, by prompt: LoadedPrompt, in bundle: Bundle
    ) throws(RenderingError) {
        // A case with a draft is a repair itself, and production asks again once.
        guard promptCase.input["draft"] == nil, let repairPrompt = bundle.repairPrompt(of: prompt) else { return nil }
        let evaluation = Evaluation(of: draft, to: promptCase, by: prompt, in: bundle)
        guard !evaluation.meets(promptCase.expectation) else { return nil }
        let problem = evaluation.outcome == .answered ? nil : draft.problem
        guard evaluation.outcome == .answered || problem != nil else { return nil }
        let output = prompt.output.map { ModelOutput.json(name: $0.name, schema: $0.schema) } ?? .text
        let answer = (try? draft.response.read(as: output)) ?? draft.response
        let problems = prompt.problems(
            with: answer, problem: problem, input: promptCase.input,
            material: CheckMaterial(facts: promptCase.facts, quotable: promptCase.quotable))
        guard let repair = Repair(of: draft.response.text, problems: problems) else { return nil }
        var repaired = promptCase
        repaired.input = repair.input(promptCase.input)
        self.promptCase = repaired
        self.prompt = repairPrompt
        do {
            let filled = try repairPrompt.render(input: repaired.input)
            request = CanonicalRequest(filled, tier: bundle.tier(of: repairPrompt))
        } catch {
            // Production gives up as well.
            if case .tooLong = error { return nil }
            throw error
        }
    }

    /// Judges the repair's answer by the checks of the repair prompt and what the case expects.
    func evaluation(of answer: Recording, in bundle: Bundle, grades: Grades = Grades()) -> Evaluation {
        Evaluation(of: answer, to: promptCase, by: prompt, in: bundle, grades: grades)
    }

    private static let mark = ".repair.json"

    /// The file of the repair of a draft.
    static func file(ofDraft file: String) -> String { String(file.dropLast(".json".count)) + mark }

    static func isRepair(_ file: String) -> Bool { file.hasSuffix(mark) }
}
