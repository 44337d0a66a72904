internal import JobQueue
package import JSON
package import LanguageModels
package import Prompts

/// What a model wrote and passed all of its checks, and the answers that it took.
struct CheckedAnswer: Sendable {
    var content: JSON
    var answers: [(step: String, answer: ModelCalls.Answer)]
}

/// A question to a model whose answer has to keep rules.
struct CheckedQuestion: Sendable {
    /// The name of the journalled step.
    var step: String
    /// The stage of the job that it advances.
    var stage: String
    var prompt: LoadedPrompt
    /// The prompt's values. An answer that goes back is added to them as `draft`, what is wrong with it as `failures`.
    var input: JSON
    /// The length of a usual answer, by which progress is judged.
    var expectedCharacters: Double
    /// What a person is told when no answer kept the rules.
    var userMessage: String
    /// Rules beyond the prompt's checks.
    var rules: @Sendable (JSON) -> [CheckFailure] = { _ in [] }
}

extension ModelCalls {
    /// Asks; an answer that breaks a rule goes back once with the reasons, and a second one that does is no answer.
    func ask(_ question: CheckedQuestion, in context: JobContext) async throws(AgentError) -> CheckedAnswer {
        let asked = try context.request(question.prompt, input: question.input)
        let first = try await ask(question.step, asked, in: context) { count in
            context.progress(question.stage, fraction: min(0.9, Double(count) / question.expectedCharacters))
        }
        let problems = question.problems(with: first)
        guard !problems.isEmpty else {
            return CheckedAnswer(content: first.response.json ?? .null, answers: [(question.step, first)])
        }
        guard problems.allSatisfy(\.isRepairable) else { throw question.unusable(problems, from: first) }
        var again = question
        again.step += "-repair"
        again.input["draft"] = JSON(first.response.text)
        again.input["failures"] = JSON(problems.map(\.description))
        let repair = try context.request(again.prompt, input: again.input)
        let second: Answer
        do throws(AgentError) {
            second = try await ask(again.step, repair, in: context) { _ in }
        } catch {
            throw error.droppingStepsUnlessTransient(from: first.sequence)
        }
        let remaining = again.problems(with: second)
        guard remaining.isEmpty else { throw question.unusable(remaining, from: first) }
        return CheckedAnswer(
            content: second.response.json ?? .null, answers: [(question.step, first), (again.step, second)])
    }
}

extension CheckedQuestion {
    /// What is wrong with an answer, in sentences that can be sent back to the model.
    fileprivate func problems(with answer: ModelCalls.Answer) -> [CheckFailure] {
        let failures = prompt.problems(with: answer, input: input)
        return failures.isEmpty ? rules(answer.response.json ?? .null) : failures
    }

    fileprivate func unusable(_ failures: [CheckFailure], from first: ModelCalls.Answer) -> AgentError {
        .unusable("answer", failures, userMessage: userMessage, dropStepsFrom: first.sequence)
    }
}

extension AgentError {
    /// What a model wrote is of no use. The error says which checks failed and where, without a word of the model's
    /// text: that must not reach an error or a log.
    static func unusable(
        _ name: String, _ failures: [CheckFailure], userMessage: String, dropStepsFrom sequence: Int64
    ) -> AgentError {
        let names = failures.map { $0.path.isEmpty ? $0.check : "\($0.check) at \($0.path)" }.uniqued().prefix(5)
        return .failed(
            AgentFailure(
                JobError(
                    code: "BIZ_2003",
                    message: "The model's \(name) did not pass its checks: \(names.joined(separator: ", ")).",
                    userMessage: userMessage),
                isTransient: false, dropStepsFrom: sequence))
    }

    /// For a person who tries again: what failed its checks must not be replayed. An interruption and a passing failure
    /// keep it, since it was paid for and can still be repaired.
    func droppingStepsUnlessTransient(from sequence: Int64) -> AgentError {
        guard case .failed(var failure) = self, !failure.isTransient else { return self }
        failure.dropStepsFrom = min(sequence, failure.dropStepsFrom ?? sequence)
        return .failed(failure)
    }
}

extension CheckedAnswer {
    /// The calls behind a result, for its provenance.
    static func provenance(of answers: [CheckedAnswer], in context: JobContext) -> JSON {
        let all = answers.flatMap(\.answers)
        let calls = all.map { step, answer -> JSON in
            [
                "step": JSON(step), "provider": JSON(answer.response.provider.rawValue),
                "model": JSON(answer.response.model), "response_id": JSON(answer.response.id),
                "usage": answer.response.usage.encoded, "cost_micro_dollars": JSON(answer.response.cost.rawValue),
            ]
        }
        return [
            "job_id": JSON(context.job.lease.job.description), "bundle": JSON(context.bundle.hash),
            "prompts": .object(
                JSONObject(context.kind.prompts.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            "model_calls": .array(calls), "repaired": JSON(answers.contains { $0.answers.count > 1 }),
            "cost_micro_dollars": JSON(all.reduce(0) { $0 + $1.answer.response.cost.rawValue }),
        ]
    }
}

extension LoadedPrompt {
    /// What an answer that is in the form asked for breaks of the prompt's checks. Agents and prompt tests both ask
    /// here, so that the two cannot differ.
    ///
    /// - Parameters:
    ///   - response: The answer, with what it cost and how long it took.
    ///   - json: The parsed answer, where JSON was asked for.
    ///   - input: What the prompt was filled in with.
    ///   - material: What the answer is held against.
    /// - Returns: One failure for each place that breaks a check; nothing when the answer keeps all.
    package func failures(
        in response: ModelResponse, json: JSON?, input: JSON, material: CheckMaterial
    ) -> [CheckFailure] {
        checks.failures(
            in: CheckContext(
                output: json?.compact ?? response.text, input: input, facts: material.facts,
                quotable: material.quotable, cost: response.cost.rawValue,
                milliseconds: response.timings.totalMilliseconds))
    }

    /// What is wrong with an answer to this prompt, in sentences that can be sent back to the model.
    func problems(
        with answer: ModelCalls.Answer, input: JSON, material: CheckMaterial = CheckMaterial()
    ) -> [CheckFailure] {
        if let problem = answer.problem { return [CheckFailure(check: "is-json", path: "", message: problem)] }
        return failures(in: answer.response, json: answer.response.json, input: input, material: material)
    }
}
