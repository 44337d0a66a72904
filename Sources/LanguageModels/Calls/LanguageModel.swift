package import Basics

/// One model of one provider.
package protocol LanguageModel: Sendable {
    var description: ModelDescription { get }

    /// Makes one call, without retries.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - onText: Gets the answer's text piece by piece while it comes; `nil` where nobody watches.
    /// - Returns: A usable answer.
    /// - Throws: `ModelError`, which says whether to repeat, to ask another provider or to give up.
    func respond(to request: ModelRequest, onText: (@Sendable (String) -> Void)?) async throws(ModelError)
        -> ModelResponse
}

/// Where a provider is reached.
package struct ProviderEndpoint: Sendable, Hashable {
    /// Without a slash at the end.
    package var baseURL: String
    /// `nil` for servers that want none (the simulator, local models).
    package var key: Secret?
    /// The longest that a call may take, thinking included.
    package var timeout: Duration

    package init(baseURL: String, key: Secret?, timeout: Duration = .seconds(600)) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        self.timeout = timeout
    }

    /// The base with a version: added unless the operator already gave one (`…/v1beta`).
    func versioned(_ version: String) -> String {
        let last = baseURL.split(separator: "/").last ?? ""
        let hasVersion = last.first == "v" && last.dropFirst().first?.isNumber == true && !last.contains(".")
        return hasVersion ? baseURL : "\(baseURL)/\(version)"
    }
}
