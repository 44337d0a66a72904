package import JSON
package import LanguageModels
package import Prompts

/// A rejected draft that goes back to a model with the reasons. Agents and prompt tests both make it here, so that the
/// two cannot differ.
package struct Repair: Sendable {
    package let draft: String
    /// The reasons, in sentences for the model.
    package let failures: [String]

    /// `nil` when nothing is wrong, or when a problem is of a kind that no model can put right.
    package init?(of draft: String, problems: [CheckFailure]) {
        guard !problems.isEmpty, problems.allSatisfy(\.isRepairable) else { return nil }
        self.draft = draft
        failures = problems.map(\.description)
    }

    /// The values of the repair prompt: those of the first one, the draft and the reasons.
    package func input(_ input: JSON) -> JSON {
        var input = input
        input["draft"] = JSON(draft)
        input["failures"] = JSON(failures)
        return input
    }
}

extension LoadedPrompt {
    /// The problems with an answer: its form, or else the checks of the prompt that it fails.
    ///
    /// - Parameters:
    ///   - answer: The answer, parsed where JSON was asked for.
    ///   - problem: The fault of its form; `nil` for an answer in the form that was asked for.
    ///   - input: The prompt's values.
    ///   - material: The facts that the answer is checked against.
    /// - Returns: One failure for each problem; none for an answer that passes.
    package func problems(
        with answer: ModelResponse, problem: String?, input: JSON, material: CheckMaterial
    ) -> [CheckFailure] {
        if let problem { return [CheckFailure(check: "is-json", path: "", message: problem)] }
        return failures(in: answer, json: answer.json, input: input, material: material)
    }

    /// Whether the prompt takes a rejected draft with the reasons, and also none.
    fileprivate var asksAgainItself: Bool {
        guard let members = inputSchema?["properties"]?.object else { return false }
        let required = inputSchema?["required"]?.array?.compactMap(\.string) ?? []
        return members["draft"] != nil && members["failures"] != nil && !required.contains("draft")
    }
}

extension Bundle {
    /// The prompt that asks again after a rejected answer to a prompt: the one that the kind of job names for `repair`
    /// beside the `draft`, or the prompt itself where it takes a draft. A variant is asked again as its original.
    ///
    /// - Returns: `nil` when production does not ask again.
    package func repairPrompt(of prompt: LoadedPrompt) -> LoadedPrompt? {
        let original = String(prompt.name.prefix { $0 != "." })
        for name in [prompt.name, original] {
            let users = kinds.values.filter { $0.prompts["draft"] == name }.sorted { $0.name < $1.name }
            if let repair = users.lazy.compactMap({ $0.prompts["repair"] }).first { return prompts[repair] }
        }
        return prompt.asksAgainItself ? prompt : nil
    }
}

extension ModelError {
    /// Whether the answer may go back to the model with the reason: it lacks the form asked for, or it was cut off.
    package var isWorthRepairing: Bool {
        if case .truncated = self.kind { return true }
        return isRepairable
    }
}
