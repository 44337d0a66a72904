package import JSON
package import LanguageModels
package import Prompts

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
