public import JSON
public import LanguageModels
public import Prompts

/// A prompt as a run filled it in: what a prompt test needs to ask the same again.
public struct PromptUse: Sendable {
    /// The name of the prompt.
    public var prompt: String
    public var input: JSON
    public var material: CheckMaterial
    public var request: ModelRequest
}

/// What an answer's figures are held against.
public struct CheckMaterial: Sendable {
    /// What may be stated.
    public var facts: [Fact]
    /// Texts whose figures may be repeated as they stand.
    public var quotable: [String]

    public init(facts: [Fact] = [], quotable: [String] = []) {
        self.facts = facts
        self.quotable = quotable
    }
}
