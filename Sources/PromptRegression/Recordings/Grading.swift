internal import Agents
internal import JSON
internal import LanguageModels
internal import Prompts

/// A question to a grader: does this answer keep this rubric?
///
/// The question is a filled-in prompt like any other (`prompts/llm-rubric.prompt`), and its answer is kept as a
/// recording that its hash names. So a grade never counts for another answer, another rubric or another grader's
/// prompt than it was given for.
struct Grading: Sendable {
    let check: Check
    let rubric: Check.Rubric
    let request: CanonicalRequest
    private let grader: LoadedPrompt

    /// The gradings of a usable answer, in the order of the prompt's checks.
    static func all(
        of answer: String, json: JSON?, by prompt: LoadedPrompt, in bundle: Bundle
    ) throws(RenderingError) -> [Grading] {
        var gradings: [Grading] = []
        for check in prompt.checks {
            guard let rubric = check.rubric, let grader = bundle.prompts[Check.Rubric.grader] else { continue }
            let part = check.path.map { path in path.values(in: json ?? .null).map(\.value) }
            let text =
                part.map { $0.map { $0.string ?? $0.compact }.joined(separator: "\n\n") } ?? json?.compact ?? answer
            let input: JSON = ["rubric": JSON(rubric.text), "answer": JSON(text)]
            gradings.append(
                Grading(
                    check: check, rubric: rubric,
                    request: CanonicalRequest(try grader.render(input: input), tier: bundle.tier(of: grader)),
                    grader: grader))
        }
        return gradings
    }

    /// The file that holds the grade, in the folder of the case.
    var fileName: String { GradeName(hash: request.hash).text }

    /// The failure that a grade means; `nil` when the answer passes.
    func failure(by grade: Recording) -> CheckFailure? {
        guard grade.outcome == .answered, let json = try? grade.response.read(as: output).json else {
            return failure("The grader gave no grade (\(grade.outcome.rawValue)).")
        }
        let score = json["score"]?.double ?? 0
        let isGood = rubric.threshold.map { score >= $0 } ?? (json["pass"]?.bool == true)
        guard !isGood else { return nil }
        let wanted = rubric.threshold.map { ", and \($0) is wanted" } ?? ""
        return failure("Graded \(score) of 1\(wanted): \(json["reason"]?.string ?? "no reason given")")
    }

    private func failure(_ message: String) -> CheckFailure {
        CheckFailure(check: check.name, path: check.path?.description ?? "", message: message)
    }

    private var output: ModelOutput {
        grader.output.map { ModelOutput.json(name: $0.name, schema: $0.schema) } ?? .text
    }
}

/// The name of a grade's file: `grade.<hash>.json`.
struct GradeName: Hashable {
    var hash: String

    init(hash: String) { self.hash = String(hash.prefix(RecordingName.digits)) }

    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "grade", parts[2] == "json", parts[1].count == RecordingName.digits else {
            return nil
        }
        hash = String(parts[1])
    }

    var text: String { "grade.\(hash).json" }
}

/// The known grades, by the hash of the question that they answer.
struct Grades: Sendable {
    private var byHash: [String: Recording] = [:]

    init() {}

    init(_ grades: [Recording]) {
        for grade in grades { byHash[grade.requestHash] = grade }
    }

    subscript(_ grading: Grading) -> Recording? { byHash[grading.request.hash] }
}
