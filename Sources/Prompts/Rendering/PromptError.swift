/// Why a prompt could not be rendered.
package enum PromptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The values do not fit the prompt's input schema; each problem names its field.
    case input(prompt: String, problems: [String])
    /// The template could not be filled in.
    case template(prompt: String, reason: String)
    /// The template has a role that no model knows.
    case unknownRole(prompt: String, role: String)
    /// The prompt came out without anything to answer.
    case empty(prompt: String)

    package var description: String {
        switch self {
        case .input(let prompt, let problems):
            "the input of the prompt '\(prompt)' is not as declared: \(problems.joined(separator: "; "))"
        case .template(let prompt, let reason): "the prompt '\(prompt)' could not be rendered: \(reason)"
        case .unknownRole(let prompt, let role):
            "the prompt '\(prompt)' could not be rendered: there is no role '\(role)'"
        case .empty(let prompt): "the prompt '\(prompt)' came out empty"
        }
    }

    var unknownRole: String? { if case .unknownRole(_, let role) = self { role } else { nil } }
}
