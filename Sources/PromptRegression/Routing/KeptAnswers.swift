internal import Basics
internal import LanguageModels
internal import Prompts

/// Reads the answers that live runs have kept and judges them by the prompts of today.
struct KeptAnswers {
    /// The age at which an answer no longer counts: providers change their models under the same name.
    static let longestAge = 90

    /// The folder of all runs.
    let root: String
    let bundle: Bundle
    let today: CalendarDate

    /// The answers to the cases of one prompt.
    struct Evidence {
        var models: [ModelEvidence.Source: ModelEvidence] = [:]
        /// Answers to an earlier text of the prompt or the case.
        var superseded: [ModelEvidence.Source: Int] = [:]
        /// Answers older than `longestAge`.
        var old: [ModelEvidence.Source: Int] = [:]
        var problems: [String] = []
    }

    func evidence(of cases: [PromptCase], by prompt: LoadedPrompt) -> Evidence {
        var evidence = Evidence()
        let folders = Files.names(in: root).map { RunFolder(path: "\(root)/\($0)") }
        for promptCase in cases {
            let request: CanonicalRequest
            do {
                request = CanonicalRequest(try prompt.render(input: promptCase.input), tier: bundle.tier(of: prompt))
            } catch {
                evidence.problems.append("\(promptCase.id): \(error)")
                continue
            }
            let question = Question(promptCase: promptCase, prompt: prompt, request: request)
            for folder in folders { read(folder, question, into: &evidence) }
        }
        return evidence
    }

    private struct Question {
        let promptCase: PromptCase
        let prompt: LoadedPrompt
        let request: CanonicalRequest
    }

    private func read(_ folder: RunFolder, _ question: Question, into evidence: inout Evidence) {
        for name in folder.names(of: question.promptCase.id) {
            guard name.hasSuffix(".json"), GradeName(name) == nil, !DraftRepair.isRepair(name) else { continue }
            let file = "\(question.promptCase.id)/\(name)"
            let draft: Recording
            do throws(Recording.Failure) {
                draft = try Recording(parsing: Files.text(at: "\(folder.path)/\(file)") ?? "")
            } catch {
                evidence.problems.append("\(folder.path)/\(file) is not counted: \(error)")
                continue
            }
            let source = ModelEvidence.Source(model: draft.response.requestedModel, isSimulated: draft.isSimulated)
            guard draft.requestHash == question.request.hash else {
                evidence.superseded[source, default: 0] += 1
                continue
            }
            guard let day = CalendarDate(draft.recordedAt.prefix { $0 != "T" }), today - day <= Self.longestAge else {
                evidence.old[source, default: 0] += 1
                continue
            }
            do {
                let rejection = try rejection(of: draft, in: folder, file, question)
                evidence.models[source, default: ModelEvidence(source)].add(
                    cost: draft.fullCost, on: day, rejection: rejection)
            } catch {
                evidence.problems.append("\(folder.path)/\(file) is not counted: \(error)")
            }
        }
    }

    /// The end of a draft that was rejected; `nil` when it passed.
    private func rejection(
        of draft: Recording, in folder: RunFolder, _ file: String, _ question: Question
    ) throws(RenderingError) -> ModelEvidence.Rejection? {
        let ungraded = Evaluation(of: draft, to: question.promptCase, by: question.prompt, in: bundle)
        let evaluation = Evaluation(
            of: draft, to: question.promptCase, by: question.prompt, in: bundle,
            grades: grades(of: ungraded, in: folder, question.promptCase.id))
        guard !evaluation.meets(question.promptCase.expectation) else { return nil }
        guard let repair = try DraftRepair(of: draft, to: question.promptCase, by: question.prompt, in: bundle) else {
            return .final
        }
        // A repair of the same model, whose request still is the one that production would make.
        guard let answer = folder.recording(in: DraftRepair.file(ofDraft: file), of: repair.request),
            answer.isSimulated == draft.isSimulated
        else { return .notAskedAgain }
        let second = repair.evaluation(of: answer, in: bundle)
        let passes = repair.evaluation(
            of: answer, in: bundle, grades: grades(of: second, in: folder, question.promptCase.id)
        ).meets(question.promptCase.expectation)
        return .repair(passes: passes, cost: answer.fullCost)
    }

    private func grades(of answer: Evaluation, in folder: RunFolder, _ id: PromptCase.ID) -> Grades {
        Grades(answer.gradings.compactMap { folder.recording(in: "\(id)/\($0.fileName)", of: $0.request) })
    }
}
