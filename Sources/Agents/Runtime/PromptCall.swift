package import LanguageModels

/// A prompt that was filled in and is ready to be sent: whom to ask, and what.
///
/// It waits in memory for as long as the model writes, so it holds nothing that only the check of the answer needs.
package struct PromptCall: Sendable {
    package var request: ModelRequest
    /// The tier of models that is asked: the prompt's own, before that of the job's kind.
    package var tier: String
}
