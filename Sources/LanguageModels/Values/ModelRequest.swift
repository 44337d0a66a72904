package import JSON

/// One call of a language model, independent of providers.
package struct ModelRequest: Hashable, Sendable {
    package var system: SystemPrompt
    package var messages: [ModelMessage]
    package var tools: [ModelTool]
    package var toolChoice: ToolChoice
    package var output: ModelOutput
    /// Includes thinking, with every provider.
    package var maxOutputTokens: Int
    /// `nil` for the model's default.
    package var effort: Effort?
    /// From 0 to 2; `nil` for the model's default. It is not sent to providers whose API accepts none.
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

/// The instructions, in two parts: a provider that caches long beginnings of requests reads the first one again.
package struct SystemPrompt: Hashable, Sendable {
    /// The common part of many calls, which comes first.
    package var stable: String
    /// The part of this call.
    package var varying: String

    package init(stable: String = "", varying: String = "") {
        self.stable = stable
        self.varying = varying
    }
}

/// The form of the answer.
package enum ModelOutput: Hashable, Sendable {
    case text
    /// A JSON value that fits the schema. The name is for providers that need one.
    case json(name: String, schema: JSON)
}

/// The effort of the model's thinking. A model without a level gets its nearest one.
package enum Effort: String, Hashable, Sendable, CaseIterable, Comparable {
    case minimal, low, medium, high, xhigh, max

    package static func < (left: Effort, right: Effort) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The nearest of these levels, the lower of two equally near ones; `nil` when there are none.
    func nearest(in levels: [Effort]) -> Effort? {
        levels.sorted().min { abs($0.rank - rank) < abs($1.rank - rank) }
    }
}

extension ModelRequest {
    /// The request as JSON, for the journal. Hash its `canonical` text: equal requests have equal texts.
    package var encoded: JSON {
        var value: JSON = [
            "system": [
                "stable": JSON(system.stable), "varying": JSON(system.varying),
            ],
            "messages": .array(messages.map(\.encoded)),
            "tool_choice": toolChoice.encoded,
            "output": output.encoded,
            "max_output_tokens": JSON(maxOutputTokens),
        ]
        if !tools.isEmpty { value["tools"] = .array(tools.map(\.encoded)) }
        if !stopSequences.isEmpty { value["stop_sequences"] = JSON(stopSequences) }
        value["effort"] = effort.map { JSON($0.rawValue) }
        value["temperature"] = temperature.map { JSON($0) }
        value["user_label"] = userLabel.map { JSON($0) }
        return value
    }

    package init(decoding field: JSONField) throws(JSONFieldError) {
        let system = field["system"]
        var messages: [ModelMessage] = []
        for message in try field["messages"].array() { messages.append(try ModelMessage(decoding: message)) }
        var tools: [ModelTool] = []
        for tool in try field["tools"].optional?.array() ?? [] { tools.append(try ModelTool(decoding: tool)) }
        var effort: Effort?
        if let level = field["effort"].optional { effort = try Effort(decoding: level) }
        self.init(
            system: SystemPrompt(
                stable: try system["stable"].string(), varying: try system["varying"].string()),
            messages: messages, tools: tools, toolChoice: try ToolChoice(decoding: field["tool_choice"]),
            output: try ModelOutput(decoding: field["output"]),
            maxOutputTokens: Int(clamping: try field["max_output_tokens"].integer()), effort: effort,
            temperature: try field["temperature"].optional?.double(),
            stopSequences: try field["stop_sequences"].optional?.strings() ?? [],
            userLabel: try field["user_label"].optional?.string())
    }
}

extension Effort {
    init(decoding field: JSONField) throws(JSONFieldError) {
        guard let effort = Effort(rawValue: try field.string()) else {
            throw field.failure("must be one of \(Effort.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = effort
    }
}

extension ModelTool {
    var encoded: JSON { ["name": JSON(name), "description": JSON(description), "parameters": parameters] }

    init(decoding field: JSONField) throws(JSONFieldError) {
        self.init(
            name: try field["name"].string(), description: try field["description"].string(),
            parameters: .object(try field["parameters"].object()))
    }
}

extension ToolChoice {
    var encoded: JSON {
        switch self {
        case .automatic: "automatic"
        case .any: "any"
        case .none: "none"
        case .tool(let name): ["tool": JSON(name)]
        }
    }

    init(decoding field: JSONField) throws(JSONFieldError) {
        switch field.value?.string {
        case "automatic": self = .automatic
        case "any": self = .any
        case "none": self = .none
        default: self = .tool(try field["tool"].string())
        }
    }
}

extension ModelOutput {
    var encoded: JSON {
        switch self {
        case .text: "text"
        case .json(let name, let schema): ["name": JSON(name), "schema": schema]
        }
    }

    init(decoding field: JSONField) throws(JSONFieldError) {
        if field.value == "text" {
            self = .text
        } else {
            self = .json(name: try field["name"].string(), schema: field["schema"].value ?? .null)
        }
    }
}
