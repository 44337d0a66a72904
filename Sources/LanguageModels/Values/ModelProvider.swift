/// Whose wire format a model speaks.
package enum ModelProvider: String, Sendable, Hashable, CaseIterable {
    /// Anthropic's Messages API.
    case claude
    /// Google's Gemini API.
    case gemini
    /// Any endpoint with OpenAI's chat completions: Ollama, vLLM, llama.cpp, hosted ones.
    case openai

    /// The variables of the environment that make this provider usable, for messages to operators.
    package var variables: [String] {
        switch self {
        case .claude: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]
        case .gemini: ["GEMINI_API_KEY", "GEMINI_BASE_URL"]
        case .openai: ["OPENAI_BASE_URL"]
        }
    }

    /// The name that people know.
    var displayName: String {
        switch self {
        case .claude: "Claude"
        case .gemini: "Gemini"
        case .openai: "the OpenAI-compatible server"
        }
    }
}
