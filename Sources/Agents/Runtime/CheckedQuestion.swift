internal import Basics
internal import DossierAPI
package import JSON
internal import JobQueue
package import LanguageModels
package import Prompts

/// A question to a model whose answer has to pass checks.
protocol CheckedQuestion: Sendable {
    associatedtype Subject: QuestionSubject
    associatedtype Output: Sendable

    var settings: QuestionSettings { get }

    /// Calls `body` with the subject of the question: before the question is asked, and again for each answer, so that
    /// nothing large has to stay in memory while a model writes.
    func withSubject<Value>(
        hasAnswer: Bool, _ body: (Subject) throws(AgentError) -> Value
    ) async throws(AgentError) -> Value

    /// The result of an answer that passed all checks.
    func output(_ answer: CheckedAnswer, about subject: Subject) -> Output
}

/// The subject of a question: the values of its prompt, and the facts that an answer is checked against.
protocol QuestionSubject {
    var promptInput: JSON { get }
    var material: CheckMaterial { get }
}

/// The settings of a question: its steps, prompts and checks.
struct QuestionSettings: Sendable {
    /// The name of the journalled step.
    var step: String
    /// The name of the step that asks again.
    var repairStep: String
    /// The stage of the job that an answer advances while it comes.
    var stage: String
    /// The stage in which answers are checked; `nil` where that is too short to be one.
    var checkStage: String?
    var prompt: LoadedPrompt
    /// The prompt that asks again. It gets the values of the first one, the rejected answer as `draft`, and the reasons
    /// as `failures`.
    var repairPrompt: LoadedPrompt
    /// The length of a usual answer, by which progress is estimated.
    var expectedCharacters: Double
    /// The part of the stage that an answer of any length covers at most.
    var largestFraction = 0.9
    /// The name of the answer in errors.
    var answerName = "answer"
    /// The message to the user when no answer passes.
    var userMessage: String
    /// Checks beyond those of the prompt, for an answer that passes those.
    var rules: @Sendable (JSON) -> [CheckFailure] = { _ in [] }
    /// A list of the answer whose elements are left out when they fail a check a second time; else that is an error.
    var optionalList: String?
}

/// An answer that passed all of its checks, with all answers that it took.
struct CheckedAnswer: Sendable {
    /// An element of the optional list that failed a check a second time.
    struct LeftOut: Sendable {
        var element: JSON
        /// The names of the checks.
        var checks: Set<String>
    }

    var content: JSON
    var answers: [(step: String, answer: ModelCalls.Answer)]
    /// What is not in the content, in its order.
    var leftOut: [LeftOut] = []
}

extension ModelCalls {
    /// Asks. An answer that fails a check goes back once with the reasons; a second failure is an error.
    func ask<Question: CheckedQuestion>(
        _ question: Question, in context: JobContext
    ) async throws(AgentError) -> Question.Output {
        var call = try await question.withSubject(hasAnswer: false) { subject throws(AgentError) in
            try context.request(question.settings.prompt, input: subject.promptInput, material: subject.material)
        }
        call.expectedReads = repairRates.expectedReads(of: question.settings.prompt)
        context.progress(question.settings.stage)
        let first = try await ask(question.settings.step, call, in: context) { [settings = question.settings] count in
            let fraction = min(settings.largestFraction, Double(count) / settings.expectedCharacters)
            context.progress(settings.stage, fraction: fraction)
        }
        if let stage = question.settings.checkStage { context.progress(stage) }
        let verdict = try await question.withSubject(hasAnswer: true) { subject throws(AgentError) in
            try question.verdict(on: first, about: subject, in: context)
        }
        switch verdict {
        case .passed(let output):
            repairRates.add(question.settings.prompt, isRepaired: false)
            return output
        case .failed(let rejected, let call):
            repairRates.add(question.settings.prompt, isRepaired: true)
            return try await ask(question, again: call, rejected, in: context)
        }
    }

    /// Sends a rejected answer back.
    private func ask<Question: CheckedQuestion>(
        _ question: Question, again call: PromptCall, _ rejected: Rejected, in context: JobContext
    ) async throws(AgentError) -> Question.Output {
        let second: Answer
        do throws(AgentError) {
            second = try await ask(question.settings.repairStep, call, in: context) { _ in }
        } catch {
            throw error.droppingStepsUnlessTransient(
                from: rejected.first.sequence, answers: [(question.settings.step, rejected.first)])
        }
        if let stage = question.settings.checkStage { context.progress(stage, fraction: 0.8) }
        return try await question.withSubject(hasAnswer: true) { subject throws(AgentError) in
            try question.output(second, after: rejected, about: subject, in: context)
        }
    }
}

/// A rejected answer with its place in the journal.
private struct Rejected: Sendable {
    var first: ModelCalls.Answer
    var repair: Repair
}

/// Indirect, so that little room is set aside for it while the model writes.
private indirect enum Verdict<Output: Sendable>: Sendable {
    case passed(Output)
    case failed(Rejected, PromptCall)
}

extension CheckedQuestion {
    fileprivate func verdict(
        on first: ModelCalls.Answer, about subject: Subject, in context: JobContext
    ) throws(AgentError) -> Verdict<Output> {
        let input = context.asked(subject.promptInput, by: settings.prompt)
        let problems = settings.problems(with: first, to: settings.prompt, input: input, material: subject.material)
        guard !problems.isEmpty else {
            return .passed(output(CheckedAnswer([(settings.step, first)]), about: subject))
        }
        guard let repair = Repair(of: first.response.text, problems: problems) else {
            throw settings.unusable(problems, of: [(settings.step, first)])
        }
        var call = try context.request(
            settings.repairPrompt, input: repair.input(input), material: subject.material)
        call.expectedReads = RepairRates.expectedReads(ofRepair: settings.repairPrompt)
        return .failed(Rejected(first: first, repair: repair), call)
    }

    fileprivate func output(
        _ second: ModelCalls.Answer, after rejected: Rejected, about subject: Subject, in context: JobContext
    ) throws(AgentError) -> Output {
        let input = context.asked(rejected.repair.input(subject.promptInput), by: settings.repairPrompt)
        let problems = settings.problems(
            with: second, to: settings.repairPrompt, input: input,
            material: subject.material)
        var all = problems + settings.rules(second.response.json ?? .null)
        if second.problem == nil, all.contains(where: { settings.optionalElement($0) == nil }) {
            all = settings.problemsByElement(of: second, input: input, material: subject.material) ?? all
        }
        let fatal = all.filter { settings.optionalElement($0) == nil }
        let answers = [(step: settings.step, answer: rejected.first), (step: settings.repairStep, answer: second)]
        guard fatal.isEmpty else { throw settings.unusable(fatal, of: answers) }
        var answer = CheckedAnswer(answers)
        let failed = all.compactMap { failure in
            settings.optionalElement(failure).map { (element: $0, check: failure.check) }
        }
        answer.leaveOut(
            Dictionary(failed.map { ($0.element, [$0.check]) }) { $0.union($1) }, of: settings.optionalList)
        return output(answer, about: subject)
    }
}

extension QuestionSettings {
    /// The element of the optional list that a failure is about.
    fileprivate func optionalElement(_ failure: CheckFailure) -> Int? {
        guard let list = optionalList, failure.path.hasPrefix(list + "[") else { return nil }
        return Int(failure.path.dropFirst(list.count + 1).prefix { $0.isNumber })
    }

    /// The failed checks of a repaired answer, by the elements of the optional list. A check of the whole answer does not say
    /// which element fails it, so each is looked at alone; `nil` without a list, or where the answer fails without it.
    fileprivate func problemsByElement(
        of answer: ModelCalls.Answer, input: JSON, material: CheckMaterial
    ) -> [CheckFailure]? {
        guard let list = optionalList, let content = answer.response.json, let elements = content[list]?.array else {
            return nil
        }
        func failures(_ kept: [JSON]) -> [CheckFailure] {
            var content = content
            content[list] = .array(kept)
            return repairPrompt.failures(in: answer.response, json: content, input: input, material: material)
        }
        guard failures([]).isEmpty else { return nil }
        let own = elements.enumerated().flatMap { place, element in
            failures([element]).map { failure in
                CheckFailure(check: failure.check, path: "\(list)[\(place)]", message: failure.message)
            }
        }
        return own + rules(content)
    }

    /// The failed checks of an answer, in sentences that can be sent back to the model.
    fileprivate func problems(
        with answer: ModelCalls.Answer, to prompt: LoadedPrompt, input: JSON, material: CheckMaterial
    ) -> [CheckFailure] {
        let problems = prompt.problems(
            with: answer.response, problem: answer.problem, input: input, material: material)
        return problems.isEmpty ? rules(answer.response.json ?? .null) : problems
    }

    /// The error of an answer that cannot be used. It says which checks failed and where, without a word of the model's
    /// text: that must not reach an error or a log.
    fileprivate func unusable(
        _ failures: [CheckFailure], of answers: [(step: String, answer: ModelCalls.Answer)]
    ) -> AgentError {
        let names = failures.map(\.label).uniqued().prefix(5)
        var failure = AgentFailure(
            JobError(
                code: .generationFailed,
                message: "The model's \(answerName) did not pass its checks: \(names.joined(separator: ", ")).",
                userMessage: userMessage),
            isTransient: false, dropStepsFrom: answers.first?.answer.sequence)
        failure.answers = answers
        return .failed(failure)
    }
}

extension AgentError {
    /// For a user who submits the job again: an answer that failed its checks must not be replayed. An interruption and
    /// a transient failure keep it, since it was paid for and can still be repaired.
    fileprivate func droppingStepsUnlessTransient(
        from sequence: Int64, answers: [(step: String, answer: ModelCalls.Answer)]
    ) -> AgentError {
        guard case .failed(var failure) = self, !failure.isTransient else { return self }
        failure.answers = answers
        failure.dropStepsFrom = min(sequence, failure.dropStepsFrom ?? sequence)
        return .failed(failure)
    }
}

extension LoadedPrompt {
    /// The prompt's checks that an answer in the right form fails. Agents and prompt tests both call this, so that the
    /// two cannot differ.
    ///
    /// - Parameters:
    ///   - response: The answer, with its cost and duration.
    ///   - json: The parsed answer, where JSON was asked for.
    ///   - input: The prompt's values.
    ///   - material: The facts that the answer is checked against.
    /// - Returns: One failure for each place that fails a check.
    package func failures(
        in response: ModelResponse, json: JSON?, input: JSON, material: CheckMaterial
    ) -> [CheckFailure] {
        // A quote is in the words of a filing: what the answer says of it is checked here, the quote by its passage.
        var json = json
        if let claims = json?[ClaimRules.path]?.array {
            json?[ClaimRules.path] = .array(claims.map { ["text": $0["text"] ?? ""] })
        }
        return checks.failures(
            in: CheckContext(
                output: json?.compact ?? response.text, input: input, facts: material.facts,
                quotable: material.quotable, cost: response.cost.rawValue,
                milliseconds: response.timings.totalMilliseconds))
    }
}

// MARK: Questions whose values are small

/// A question whose values are known beforehand and small enough to keep while the model writes.
struct PromptQuestion: CheckedQuestion {
    struct Subject: QuestionSubject {
        let promptInput: JSON
        let material: CheckMaterial
    }

    let settings: QuestionSettings
    private let subject: Subject

    /// A question that one prompt asks and asks again.
    init(
        step: String, stage: String, prompt: LoadedPrompt, input: JSON, material: CheckMaterial = CheckMaterial(),
        expectedCharacters: Double, userMessage: String,
        rules: @escaping @Sendable (JSON) -> [CheckFailure] = { _ in [] }
    ) {
        settings = QuestionSettings(
            step: step, repairStep: step + "-repair", stage: stage, prompt: prompt, repairPrompt: prompt,
            expectedCharacters: expectedCharacters, userMessage: userMessage, rules: rules)
        subject = Subject(promptInput: input, material: material)
    }

    func withSubject<Value>(
        hasAnswer: Bool, _ body: (Subject) throws(AgentError) -> Value
    ) async throws(AgentError) -> Value { try body(subject) }

    func output(_ answer: CheckedAnswer, about subject: Subject) -> CheckedAnswer { answer }
}

// MARK: Provenance

extension CheckedAnswer {
    /// The last of the answers is the one that passed.
    init(_ answers: [(step: String, answer: ModelCalls.Answer)]) {
        content = answers.last?.answer.response.json ?? .null
        self.answers = answers
    }

    /// Leaves the elements of a list out that failed checks.
    fileprivate mutating func leaveOut(_ failed: [Int: Set<String>], of list: String?) {
        guard let list, !failed.isEmpty, let all = content[list]?.array else { return }
        content[list] = .array(all.enumerated().filter { failed[$0.offset] == nil }.map(\.element))
        leftOut = all.enumerated().compactMap { place, element in
            failed[place].map { LeftOut(element: element, checks: $0) }
        }
    }
}

extension JobContext {
    /// The provenance of a result, so that two results can be compared: the job, its bundle and prompts, and the model
    /// calls that it took.
    func provenance(of answers: [CheckedAnswer], adding details: JSONObject = [:]) -> JSON {
        let all = answers.flatMap(\.answers)
        let calls = all.map { step, answer -> JSON in
            let response = answer.response
            var call: JSON = [
                "step": JSON(step), "provider": JSON(response.provider.rawValue), "model": JSON(response.model),
                "response_id": JSON(response.id), "request_id": JSON(response.requestID),
                "usage": response.usage.encoded, "cost_micro_dollars": JSON(response.cost.rawValue),
            ]
            call["hedge_of"] = response.hedgeOf.map { JSON($0) }
            return call
        }
        var body: JSONObject = [
            "job_id": JSON(job.lease.job.description), "bundle": JSON(bundle.hash),
            "prompts": .object(JSONObject(kind.prompts.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
        ]
        for (name, value) in details { body[name] = value }
        body["model_calls"] = .array(calls)
        body["repaired"] = JSON(answers.contains { $0.answers.count > 1 })
        body["cost_micro_dollars"] = JSON(all.reduce(0) { $0 + $1.answer.response.cost.rawValue })
        return .object(body)
    }
}
