package import JSON

/// One call of a language model, in the words of no provider.
package struct ModelRequest: Hashable, Sendable {
    package var system: SystemPrompt
    package var messages: [ModelMessage]
    package var tools: [ModelTool]
    package var toolChoice: ToolChoice
    package var output: ModelOutput
    /// Counts thinking too, with every provider.
    package var maxOutputTokens: Int
    /// `nil` leaves the model's own default.
    package var effort: Effort?
    /// From 0 to 2; `nil` leaves the model's own default. A provider whose API takes none does not get it.
    package var temperature: Double?
    package var stopSequences: [String]
    /// An opaque label of the user for the provider's abuse checks; never a name or an address.
    package var userLabel: String?

    package init(
        system: SystemPrompt = SystemPrompt(), messages: [ModelMessage], tools: [ModelTool] = [],
        toolChoice: ToolChoice = .automatic, output: ModelOutput = .text, maxOutputTokens: Int = 4096,
        effort: Effort? = nil, temperature: Double? = nil, stopSequences: [String] = [], userLabel: String? = nil
    ) {
        self.system = system
        self.messages = messages
        self.tools = tools
        self.toolChoice = toolChoice
        self.output = output
        self.maxOutputTokens = maxOutputTokens
        self.effort = effort
        self.temperature = temperature
        self.stopSequences = stopSequences
        self.userLabel = userLabel
    }
}

/// The instructions, in two parts so that providers can cache what many calls have in common.
package struct SystemPrompt: Hashable, Sendable {
    /// How long a provider keeps the stable part; longer costs more to write.
    package enum CacheLifetime: String, Hashable, Sendable {
        case none
        case fiveMinutes = "5m"
        case oneHour = "1h"
    }

    /// The same in many calls: goes first and is cached.
    package var stable: String
    /// Belongs to this call.
    package var varying: String
    package var cache: CacheLifetime

    package init(stable: String = "", varying: String = "", cache: CacheLifetime = .fiveMinutes) {
        self.stable = stable
        self.varying = varying
        self.cache = cache
    }
}

/// What the answer must be.
package enum ModelOutput: Hashable, Sendable {
    case text
    /// A JSON value that fits the schema. The name is for providers that want one.
    case json(name: String, schema: JSON)
}

/// How hard the model should think. A model that lacks a level gets the nearest it has.
package enum Effort: String, Hashable, Sendable, CaseIterable, Comparable {
    case minimal, low, medium, high, xhigh, max

    package static func < (left: Effort, right: Effort) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The nearest of these levels, the lower one where two are equally near; `nil` when there are none.
    func nearest(in levels: [Effort]) -> Effort? {
        levels.sorted().min { abs($0.rank - rank) < abs($1.rank - rank) }
    }
}
