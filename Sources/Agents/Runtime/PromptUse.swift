package import JSON
package import LanguageModels
package import Prompts

/// A prompt as a run filled it in: what a prompt test needs to ask the same again.
package struct PromptUse: Sendable {
    /// The name of the prompt.
    package var prompt: String
    package var input: JSON
    package var material: CheckMaterial
    package var request: ModelRequest
}

/// What an answer's figures are held against.
package struct CheckMaterial: Sendable {
    /// What may be stated.
    package var facts: [Fact]
    /// Texts whose figures may be repeated as they stand.
    package var quotable: [String]

    package init(facts: [Fact] = [], quotable: [String] = []) {
        self.facts = facts
        self.quotable = quotable
    }
}
