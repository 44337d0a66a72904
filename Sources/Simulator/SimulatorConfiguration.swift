internal import FoundationEssentials

/// The settings of a simulator: its port, its writing and its faults.
package struct SimulatorConfiguration: Sendable {
    /// `host:port`; port 0 lets the system pick one.
    package var address: String
    package var pacing: Pacing
    /// A distribution in place of the pacing; `nil` for none.
    package var latency: Latency?
    /// The limits of the model providers.
    package var limits: [ModelLimit]
    /// Whether calls beyond a limit are refused. Without it they are recorded alone.
    package var isStrict: Bool
    package var batches: BatchSettings
    /// Faults in force from the start.
    package var faults: [FaultRule]
    /// The models that the OpenAI-compatible service has; empty for any, as llama.cpp has it.
    package var openAIModels: [String]
    /// Dossier's home folder, whose cases have accepted answers to prompts; `nil` for none.
    package var home: String?
    /// The number of requests that are kept in full. They are always counted exactly.
    package var keptRequests: Int
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        address: String = "127.0.0.1:0", pacing: Pacing = Pacing(), latency: Latency? = nil,
        limits: [ModelLimit] = ModelLimit.generous, isStrict: Bool = true, batches: BatchSettings = BatchSettings(),
        faults: [FaultRule] = [],
        openAIModels: [String] = [], home: String? = nil, keptRequests: Int = 10_000,
        now: @escaping @Sendable () -> Int64 = Self.systemTime,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.address = address
        self.pacing = pacing
        self.latency = latency
        self.limits = limits
        self.isStrict = isStrict
        self.batches = batches
        self.faults = faults
        self.openAIModels = openAIModels
        self.home = home
        self.keptRequests = keptRequests
        self.now = now
        self.sleep = sleep
    }

    /// Milliseconds since 1970 by the system's clock.
    @Sendable package static func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// A service whose wire format the simulator implements.
package enum SimulatedService: String, Sendable, Hashable, CaseIterable {
    case claude
    case gemini
    /// OpenAI-compatible chat completions.
    case openai
    /// SEC EDGAR, both of its hosts.
    case sec
    /// NewsAPI, version 2.
    case newsAPI = "newsapi"
    /// Financial Modeling Prep's news of stocks.
    case fmp
    /// A site with a feed and its articles.
    case web
    case youTube = "youtube"
}

/// The writing speed of a simulated model.
package struct Pacing: Sendable, Hashable {
    /// Before the first byte of an answer.
    package var firstByte: Duration
    /// Output tokens per second of one answer; `nil` for as fast as possible.
    package var tokensPerSecond: Double?
    /// Characters of text in one delta of a stream.
    package var deltaLength: Int

    package init(firstByte: Duration = .zero, tokensPerSecond: Double? = nil, deltaLength: Int = 24) {
        self.firstByte = firstByte
        self.tokensPerSecond = tokensPerSecond
        self.deltaLength = deltaLength
    }

    /// The time that a number of tokens takes.
    func duration(ofTokens tokens: Int) -> Duration {
        guard let tokensPerSecond, tokensPerSecond > 0, tokens > 0 else { return .zero }
        return .seconds(Double(tokens) / tokensPerSecond)
    }

    /// A text in deltas.
    func deltas(of text: String) -> [String] {
        var deltas: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            let delta = rest.prefix(max(1, deltaLength))
            deltas.append(String(delta))
            rest = rest[delta.endIndex...]
        }
        return deltas
    }
}
