/// Why a prompt could not be rendered.
public enum PromptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The values do not fit the prompt's input schema; each problem names its field.
    case input(prompt: String, problems: [String])
    /// The template could not be filled in.
    case template(prompt: String, reason: String)
    /// The prompt came out without anything to answer.
    case empty(prompt: String)

    public var description: String {
        switch self {
        case .input(let prompt, let problems):
            "the input of the prompt '\(prompt)' is not as declared: \(problems.joined(separator: "; "))"
        case .template(let prompt, let reason): "the prompt '\(prompt)' could not be rendered: \(reason)"
        case .empty(let prompt): "the prompt '\(prompt)' came out empty"
        }
    }
}
