internal import Agents
internal import Basics
package import JSON
package import LanguageModels
package import Prompts

/// The request that production would send for a filled-in prompt, independent of a provider and without the user.
///
/// Its hash names the recordings that answer it: any change of the request (a word of a partial, the schema, the
/// tier) makes another hash, so no earlier recording can answer it.
package struct CanonicalRequest: Sendable {
    package let request: ModelRequest
    /// The tier of models that is called.
    package let tier: String

    package init(_ prompt: RenderedModelPrompt, tier: String) {
        request = ModelRequest(prompt, userLabel: nil)
        self.tier = tier
    }

    /// Reads a request back from its golden or its journal entry.
    package init(_ request: ModelRequest, tier: String) {
        var request = request
        request.userLabel = nil
        self.request = request
        self.tier = tier
    }

    /// The golden's content.
    package var json: JSON { ["tier": JSON(tier), "request": request.encoded] }

    /// SHA-256 of the canonical text.
    package var hash: String { SHA256.hex(json.canonical) }
}

extension Bundle {
    /// The tier that production asks for a prompt: its own, else that of the kind of job that uses it.
    func tier(of prompt: LoadedPrompt) -> String {
        let users = kinds.values.filter { $0.prompts.values.contains(prompt.name) }.sorted { $0.name < $1.name }
        return prompt.tier(in: users.first)
    }
}
