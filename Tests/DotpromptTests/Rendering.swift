import JSON

@testable import Dotprompt

/// The text that a template without roles renders to.
func render(
    _ template: String, _ input: JSONObject = [:], partials: [String: String] = [:], context: JSONObject = [:]
) throws -> String {
    let environment = PromptEnvironment(partials: try Partials(partials))
    let prompt = try Dotprompt.parse(template, environment: environment)
    return try prompt.render(input: input, context: context).messages.map(\.text).joined(separator: "|")
}

/// The error of reading or rendering a template.
func failure(_ template: String, _ input: JSONObject = [:], partials: [String: String] = [:]) -> PromptError? {
    do {
        _ = try render(template, input, partials: partials)
        return nil
    } catch {
        return error as? PromptError
    }
}
