public import JSON
public import LanguageModels
public import Prompts

/// A prompt that was filled in and is ready to be sent: whom to ask, what, and what the answer is held against.
public struct PromptCall: Sendable {
    public var prompt: LoadedPrompt
    public var input: JSON
    public var material: CheckMaterial
    public var request: ModelRequest
    /// The tier of models that is asked: the prompt's own, before that of the job's kind.
    public var tier: String
}
