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

/// Keys and addresses of the three providers, and the limits of all calls. Read from the environment by the command
/// line alone.
package struct ModelsConfiguration: Sendable {
    package struct Provider: Sendable, Hashable {
        package var key: Secret?
        /// `nil` stands for the provider's public address.
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
    /// Calls in flight at once, over all providers.
    package var concurrentCalls: Int
    /// Of these, how many are kept for callers that wait in front of a screen.
    package var interactiveReserve: Int
    /// What one user's calls may cost per day; `nil` for no cap.
    package var dailySpendCap: MicroDollars?

    package init(
        claude: Provider = Provider(), gemini: Provider = Provider(), openai: Provider = Provider(),
        timeout: Duration = .seconds(600), concurrentCalls: Int = 256, interactiveReserve: Int = 32,
        dailySpendCap: MicroDollars? = MicroDollars(rawValue: 5_000_000)
    ) {
        self.claude = claude
        self.gemini = gemini
        self.openai = openai
        self.timeout = timeout
        self.concurrentCalls = concurrentCalls
        self.interactiveReserve = interactiveReserve
        self.dailySpendCap = dailySpendCap
    }

    /// How to reach a provider; `nil` when it has neither key nor address. An OpenAI-compatible server has no public
    /// address, so it needs one.
    package func endpoint(of provider: ModelProvider) -> ProviderEndpoint? {
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
