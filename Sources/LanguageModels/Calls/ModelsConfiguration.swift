package import Basics

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
