internal import Basics
internal import JSON

/// Reads a body of the shape that `ClaudeShapes` gives, and checks the rules that shapes cannot express.
struct ClaudeRequestReader {
    let body: JSON
    let request: ServiceRequest
    let version: String

    mutating func call(countingOnly: Bool = false) throws(Refusal) -> SimulatedCall {
        let id = body["model"]?.string ?? ""
        guard let model = ClaudeModelInfo.all.first(where: { $0.id == id }) else {
            throw Refusal(
                answer: SimulatedClaudeErrors.answer(404, "not_found_error", "model: \(id)", context: request.context))
        }
        let limit = countingOnly ? model.outputTokens : try maxTokens(model)
        try checkSampling(model)
        try checkSmallFields()
        let thinks = try thinking(model, maxTokens: limit)
        var call = SimulatedCall(model: id, group: model.line, maxTokens: limit)
        call.user = body["metadata"]?["user_id"]?.string
        call.thinks = thinks
        call.digest = SimulatedCall.digest(of: body)
        call.instructions = text(of: body["system"])
        call.turns = try ClaudeMessageReader(body: body, version: version, context: request.context).turns(
            allowsPrefill: model.allowsPrefill)
        (call.tools, call.toolChoice) = try tools(model, thinks: thinks)
        call.schema = try outputSchema(model)
        call.wantsJSON = call.schema != nil
        call.stopSequences = body["stop_sequences"]?.array?.compactMap(\.string) ?? []
        call.streams = body["stream"]?.bool ?? false
        // A forced tool is called without thinking first.
        if case .auto = call.toolChoice {
        } else {
            call.thinks = call.thinks && call.toolChoice == SimulatedCall.ToolChoice.none
        }
        call.inputTokens =
            3
            + ["system", "messages", "tools", "output_config"].reduce(0) {
                $0 + (body[$1].map { TokenCount.of($0.utf8) } ?? 0)
            }
        call.cacheable = try cacheable(model)
        return call
    }

    func invalid(_ message: String) -> Refusal { SimulatedClaudeErrors.invalid(message, context: request.context) }

    private func maxTokens(_ model: ClaudeModelInfo) throws(Refusal) -> Int {
        let limit = Int(clamping: body["max_tokens"]?.integer ?? 0)
        guard limit >= 1 else { throw invalid("max_tokens: Input should be greater than or equal to 1") }
        guard limit <= model.outputTokens else {
            throw invalid(
                "max_tokens: \(limit) > \(model.outputTokens), which is the maximum allowed number of output tokens for "
                    + model.id)
        }
        return limit
    }

    private func checkSampling(_ model: ClaudeModelInfo) throws(Refusal) {
        for name in ["temperature", "top_p", "top_k"] where body[name] != nil {
            if version == "2026-10-21" { throw invalid("\(name): not supported in version 2026-10-21") }
            if !model.allowsSampling { throw invalid("\(name): not supported by \(model.id)") }
        }
        for name in ["temperature", "top_p"] {
            if let value = body[name]?.double, !(0...1).contains(value) {
                throw invalid("\(name): Input should be from 0 to 1")
            }
        }
    }

    private func checkSmallFields() throws(Refusal) {
        if let sequences = body["stop_sequences"]?.array?.compactMap(\.string),
            sequences.contains(where: { $0.allSatisfy(\.isWhitespace) })
        {
            throw invalid("stop_sequences: each stop sequence must contain non-whitespace")
        }
        if let user = body["metadata"]?["user_id"]?.string, user.count > 256 {
            throw invalid("metadata.user_id: String should have at most 256 characters")
        }
    }

    /// Whether the model thinks.
    private func thinking(_ model: ClaudeModelInfo, maxTokens: Int) throws(Refusal) -> Bool {
        guard let thinking = body["thinking"], let type = thinking["type"]?.string else { return model.thinksByDefault }
        switch type {
        case "enabled":
            guard model.thinking == .budgeted else {
                throw invalid("thinking.type: 'enabled' is not supported by \(model.id)")
            }
            guard let budget = thinking["budget_tokens"]?.integer else {
                throw invalid("thinking.enabled.budget_tokens: Field required")
            }
            guard budget >= 1_024 else {
                throw invalid("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
            }
            guard budget < Int64(maxTokens) else {
                throw invalid("max_tokens must be greater than thinking.budget_tokens")
            }
            return true
        case "disabled":
            guard model.thinking == .optional || model.thinking == .budgeted else {
                throw invalid("thinking.type: 'disabled' is not supported by \(model.id)")
            }
            return false
        case "between_tools":
            guard model.thinking == .adaptive else {
                throw invalid("thinking.type: 'between_tools' is not supported by \(model.id)")
            }
            return false
        default:
            guard thinking["budget_tokens"] == nil else {
                throw invalid("thinking.adaptive.budget_tokens: Extra inputs are not permitted")
            }
            guard model.thinking != .budgeted else {
                throw invalid("thinking.type: 'adaptive' is not supported by \(model.id)")
            }
            return true
        }
    }

    private func outputSchema(_ model: ClaudeModelInfo) throws(Refusal) -> JSON? {
        let config = body["output_config"]
        if let effort = config?["effort"], !effort.isNull, !model.hasEffort {
            throw invalid("output_config.effort: not supported by \(model.id)")
        }
        guard let schema = config?["format"]?["schema"] else { return nil }
        if let problem = ClaudeSchemaRules.problem(of: schema) {
            throw invalid("output_config.format.schema: \(problem)")
        }
        return schema
    }

    private func tools(
        _ model: ClaudeModelInfo, thinks: Bool
    ) throws(Refusal) -> ([SimulatedCall.Tool], SimulatedCall.ToolChoice) {
        var tools: [SimulatedCall.Tool] = []
        var strict = 0
        for (place, tool) in (body["tools"]?.array ?? []).enumerated() {
            // Anthropic's own tools carry a versioned type and run on its side.
            if let type = tool["type"]?.string, type != "custom" { continue }
            if let violation = ClaudeShapes.tool.violations(of: tool, at: [.member("tools"), .index(place)]).first {
                throw invalid(SimulatedClaudeErrors.message(violation))
            }
            let name = tool["name"]?.string ?? ""
            guard (1...128).contains(name.count),
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) })
            else { throw invalid("tools.\(place).name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'") }
            guard !tools.contains(where: { $0.name == name }) else {
                throw invalid("tools: Tool names must be unique.")
            }
            let schema = tool["input_schema"] ?? [:]
            guard schema["type"] == "object" else { throw invalid("tools.\(place).input_schema.type: Field required") }
            if tool["strict"] == true {
                strict += 1
                if let problem = ClaudeSchemaRules.problem(of: schema) {
                    throw invalid("tools.\(place).input_schema: \(problem)")
                }
            }
            tools.append(SimulatedCall.Tool(name: name, schema: schema))
        }
        guard strict <= 20 else { throw invalid("tools: at most 20 strict tools are allowed") }
        guard let choice = body["tool_choice"], let type = choice["type"]?.string else { return (tools, .auto) }
        guard body["tools"]?.array?.isEmpty == false else {
            throw invalid("tool_choice: may only be specified while providing tools")
        }
        if (type == "any" || type == "tool") && !model.allowsForcedTools {
            throw invalid("tool_choice.type: '\(type)' is not supported by \(model.id)")
        }
        switch type {
        case "any": return (tools, .any)
        case "none": return (tools, .none)
        case "tool":
            guard let name = choice["name"]?.string else { throw invalid("tool_choice.tool.name: Field required") }
            guard tools.contains(where: { $0.name == name }) else {
                throw invalid("tool_choice.tool.name: Tool '\(name)' not found in provided tools")
            }
            return (tools, .named([name]))
        default: return (tools, .auto)
        }
    }

    private func text(of content: JSON?) -> String {
        content?.string ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
    }

    // MARK: Cache

    /// The blocks with their marks. A change of the answer's format is another prefix from the system prompt on, and a
    /// change of thinking, effort or tool choice from the messages on.
    private func cacheable(_ model: ClaudeModelInfo) throws(Refusal) -> CacheablePrompt {
        var prompt = MarkedPrompt(model: model.id, shortest: model.shortestCachedPrefix)
        func add(_ content: JSON?, role: String) {
            if let text = content?.string { prompt.add(block: ["type": "text", "text": JSON(text)], role: role) }
            for block in content?.array ?? [] { prompt.add(block: block, role: role) }
        }
        add(body["tools"], role: "tool")
        prompt.add(setting: body["output_config"]?["format"] ?? .null)
        add(body["system"], role: "system")
        prompt.add(
            setting: [
                body["thinking"] ?? .null, body["tool_choice"] ?? .null, body["output_config"]?["effort"] ?? .null,
            ])
        for message in body["messages"]?.array ?? [] { add(message["content"], role: message["role"]?.string ?? "") }
        if let control = body["cache_control"], !control.isNull, prompt.marks.last?.block != prompt.keys.count - 1 {
            prompt.mark(control)
        }
        guard prompt.marks.count <= 4 else {
            throw invalid("A maximum of 4 blocks with cache_control may be provided. Found \(prompt.marks.count).")
        }
        if let short = prompt.marks.firstIndex(where: { !$0.lastsAnHour }),
            prompt.marks[short...].contains(where: \.lastsAnHour)
        {
            throw invalid(
                "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are "
                    + "processed in the following order: `tools`, `system`, `messages`.")
        }
        return prompt.marks.isEmpty ? .none : .marked(prompt)
    }
}
