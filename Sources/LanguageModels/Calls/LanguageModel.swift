package import Basics

/// One model of one provider.
protocol LanguageModel: Sendable {
    var description: ModelDescription { get }

    /// Makes one call, without retries.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - activity: Is told of the head and of each content of the answer.
    ///   - onText: Receives the answer's text in parts as it arrives. Calls are streamed with or without it, so that a
    ///     silence is noticed.
    /// - Returns: A usable answer.
    /// - Throws: `ModelError`; its `ErrorPolicy` says whether to retry or to ask another provider.
    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse
}

/// The address and key of a provider.
struct ProviderEndpoint: Sendable, Hashable {
    /// Without a slash at the end.
    var baseURL: String
    /// `nil` for servers that need none (the simulator, local models).
    var key: Secret?
    /// The timeout of a call, thinking included.
    var timeout: Duration

    init(baseURL: String, key: Secret?, timeout: Duration = .seconds(600)) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        self.timeout = timeout
    }

    /// Whether a simulator is there: the variables that it prints have this word for a key.
    var isSimulated: Bool { key?.reveal() == "simulated" }

    /// The base URL with a version, which is added unless the base ends in one (`…/v1beta`).
    func versioned(_ version: String) -> String {
        let last = baseURL.split(separator: "/").last ?? ""
        let hasVersion = last.first == "v" && last.dropFirst().first?.isNumber == true && !last.contains(".")
        return hasVersion ? baseURL : "\(baseURL)/\(version)"
    }
}

/// Keys and addresses of the three providers, and the limits of all calls. Only the command line reads it from the
/// environment.
package struct ModelsConfiguration: Sendable {
    package struct Provider: Sendable, Hashable {
        package var key: Secret?
        /// `nil` for the provider's public address.
        package var baseURL: String?

        package init(key: Secret? = nil, baseURL: String? = nil) {
            self.key = key
            self.baseURL = baseURL
        }
    }

    package var claude: Provider
    package var gemini: Provider
    package var openai: Provider
    package var timeout: Duration
    /// The most concurrent calls, over all providers.
    package var concurrentCalls: Int
    /// Of these, the calls that are reserved for interactive callers.
    package var interactiveReserve: Int

    package init(
        claude: Provider = Provider(), gemini: Provider = Provider(), openai: Provider = Provider(),
        timeout: Duration = .seconds(600), concurrentCalls: Int = 256, interactiveReserve: Int = 32
    ) {
        self.claude = claude
        self.gemini = gemini
        self.openai = openai
        self.timeout = timeout
        self.concurrentCalls = concurrentCalls
        self.interactiveReserve = interactiveReserve
    }

    /// The endpoint of a provider; `nil` when it has neither key nor address. An OpenAI-compatible server has no public
    /// address, so it needs one.
    func endpoint(of provider: ModelProvider) -> ProviderEndpoint? {
        let (settings, address): (Provider, String?) =
            switch provider {
            case .claude: (claude, "https://api.anthropic.com")
            case .gemini: (gemini, "https://generativelanguage.googleapis.com")
            case .openai: (openai, nil)
            }
        guard settings.key != nil || settings.baseURL != nil, let base = settings.baseURL ?? address else { return nil }
        return ProviderEndpoint(baseURL: base, key: settings.key, timeout: timeout)
    }
}
