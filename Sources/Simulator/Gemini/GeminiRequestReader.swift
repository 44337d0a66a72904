internal import Basics
internal import JSON

/// Reads a body of the shape that `GeminiShapes` gives, and checks the rules that shapes cannot express.
struct GeminiRequestReader {
    let body: JSON
    let model: GeminiModelInfo

    func call() throws(Refusal) -> SimulatedCall {
        let config = body["generationConfig"] ?? [:]
        let limit = Int(clamping: config["maxOutputTokens"]?.integer ?? Int64(model.outputTokens))
        guard (1...model.outputTokens).contains(limit) else {
            throw SimulatedGeminiErrors.invalid(
                "Unable to submit request because it has a maxOutputTokens value of \(limit) but the supported range is "
                    + "from 1 (inclusive) to \(model.outputTokens + 1) (exclusive).")
        }
        if let count = config["candidateCount"]?.integer, count != 1 {
            throw SimulatedGeminiErrors.invalid("Multiple candidates is not enabled for this model")
        }
        var call = SimulatedCall(model: model.id, maxTokens: limit)
        call.instructions = texts(in: body["systemInstruction"]).joined(separator: "\n")
        call.turns = try turns()
        call.thinks = try thinks(config)
        (call.schema, call.wantsJSON) = try schema(config)
        (call.tools, call.toolChoice) = try tools()
        call.stopSequences = config["stopSequences"]?.array?.compactMap(\.string) ?? []
        guard call.stopSequences.count <= 5 else {
            throw SimulatedGeminiErrors.invalid("At most 5 stop sequences are allowed")
        }
        call.inputTokens = Self.tokens(of: body)
        call.cacheable = .implicit(
            ImplicitPrompt(
                [Array(model.id.utf8)]
                    + ["systemInstruction", "tools", "contents"].compactMap { body[$0].map(\.utf8) }))
        return call
    }

    static func tokens(of body: JSON) -> Int {
        1
            + ["systemInstruction", "contents", "tools"].reduce(0) {
                $0 + (body[$1].map { TokenCount.of($0.utf8) } ?? 0)
            }
    }

    private func texts(in content: JSON?) -> [String] {
        (content?["parts"]?.array ?? []).compactMap { $0["text"]?.string }
    }

    private func turns() throws(Refusal) -> [SimulatedCall.Turn] {
        let contents = body["contents"]?.array ?? []
        guard !contents.isEmpty else {
            throw SimulatedGeminiErrors.invalid("* GenerateContentRequest.contents: contents is not specified")
        }
        var turns: [SimulatedCall.Turn] = []
        var openCalls: [String] = []
        for (place, content) in contents.enumerated() {
            let role = content["role"]?.string ?? "user"
            guard ["user", "model", "tool", "function"].contains(role) else {
                throw SimulatedGeminiErrors.invalid("Please use a valid role: user, model.")
            }
            let parts = content["parts"]?.array ?? []
            guard !parts.isEmpty else {
                throw SimulatedGeminiErrors.invalid(
                    "* GenerateContentRequest.contents[\(place)].parts: contents.parts must not be empty.")
            }
            for (index, part) in parts.enumerated() { try check(part, "contents[\(place)].parts[\(index)]") }
            if role == "model" {
                openCalls = parts.compactMap { $0["functionCall"]?["name"]?.string }
                if !openCalls.isEmpty, !parts.contains(where: { $0["thoughtSignature"] != nil }) {
                    throw SimulatedGeminiErrors.invalid(
                        "Function call is missing a thought_signature in functionCall parts. contents[\(place)]")
                }
            } else {
                try check(answers: parts, to: openCalls)
                openCalls = []
            }
            turns.append(SimulatedCall.Turn(isFromUser: role != "model", parts: parts.compactMap(part)))
        }
        guard turns.last?.isFromUser == true else {
            throw SimulatedGeminiErrors.invalid("Please ensure that the last content is from the user.")
        }
        return turns
    }

    private func check(_ part: JSON, _ path: String) throws(Refusal) {
        let kinds = GeminiShapes.partKinds.filter { part[$0] != nil }
        guard kinds.count == 1 else {
            throw SimulatedGeminiErrors.invalid(
                "\(path).data: required oneof field 'data' must have one initialized field")
        }
    }

    private func check(answers parts: [JSON], to calls: [String]) throws(Refusal) {
        let answers = parts.compactMap { $0["functionResponse"]?["name"]?.string }
        guard answers.count == calls.count, Set(answers) == Set(calls) else {
            throw SimulatedGeminiErrors.invalid(
                "Please ensure that the number of function response parts is equal to the number of function call parts "
                    + "of the function call turn.")
        }
    }

    private func part(_ part: JSON) -> SimulatedCall.Turn.Part? {
        if let text = part["text"]?.string { return part["thought"] == true ? nil : .text(text) }
        if let name = part["functionCall"]?["name"]?.string { return .toolCall(name: name) }
        if let response = part["functionResponse"]?["response"] {
            return .toolResult(response["output"]?.string ?? response["result"]?.string ?? response.compact)
        }
        return nil
    }

    private func thinks(_ config: JSON) throws(Refusal) -> Bool {
        let thinking = config["thinkingConfig"]
        if let level = thinking?["thinkingLevel"]?.string {
            guard thinking?["thinkingBudget"] == nil else {
                throw SimulatedGeminiErrors.invalid("You can only set one of thinking budget and thinking level.")
            }
            guard model.levels.contains(level) else {
                throw SimulatedGeminiErrors.invalid("Thinking level \(level) is not supported for this model.")
            }
            return level != "MINIMAL"
        }
        return thinking?["thinkingBudget"]?.integer != 0
    }

    private func schema(_ config: JSON) throws(Refusal) -> (JSON?, Bool) {
        let isJSON = config["responseMimeType"] == "application/json"
        let (openAPI, jsonSchema) = (config["responseSchema"], config["responseJsonSchema"])
        guard openAPI == nil || jsonSchema == nil else {
            throw SimulatedGeminiErrors.invalid("Only one of response_schema and response_json_schema may be set.")
        }
        guard let schema = openAPI ?? jsonSchema else { return (nil, isJSON) }
        guard isJSON || config["responseMimeType"] == "text/x.enum" else {
            throw SimulatedGeminiErrors.invalid(
                "response_schema and response_json_schema need response_mime_type application/json.")
        }
        let problem =
            openAPI != nil
            ? GeminiSchemaRules.problem(ofOpenAPI: schema) : GeminiSchemaRules.problem(ofJSONSchema: schema)
        if let problem { throw SimulatedGeminiErrors.invalid("generation_config.\(problem)") }
        return (schema, true)
    }

    private func tools() throws(Refusal) -> ([SimulatedCall.Tool], SimulatedCall.ToolChoice) {
        var tools: [SimulatedCall.Tool] = []
        for declaration in (body["tools"]?.array ?? []).flatMap({ $0["functionDeclarations"]?.array ?? [] }) {
            let name = declaration["name"]?.string ?? ""
            guard let first = name.first, first.isLetter || first == "_", name.count <= 64,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.:-".contains($0)) })
            else { throw SimulatedGeminiErrors.invalid("Invalid function name: \(name)") }
            guard declaration["parameters"] == nil || declaration["parametersJsonSchema"] == nil else {
                throw SimulatedGeminiErrors.invalid(
                    "Only one of parameters and parameters_json_schema may be set: \(name)")
            }
            if let schema = declaration["parameters"], let problem = GeminiSchemaRules.problem(ofOpenAPI: schema) {
                throw SimulatedGeminiErrors.invalid("tools.\(problem)")
            }
            let schema = declaration["parametersJsonSchema"] ?? declaration["parameters"] ?? ["type": "object"]
            tools.append(SimulatedCall.Tool(name: name, schema: schema))
        }
        let config = body["toolConfig"]?["functionCallingConfig"]
        let allowed = config?["allowedFunctionNames"]?.array?.compactMap(\.string) ?? []
        if let stray = allowed.first(where: { name in !tools.contains { $0.name == name } }) {
            throw SimulatedGeminiErrors.invalid("allowed_function_names: '\(stray)' is not declared")
        }
        switch config?["mode"]?.string {
        case "ANY":
            guard !tools.isEmpty else {
                throw SimulatedGeminiErrors.invalid("Function calling mode ANY needs a function declaration")
            }
            return (tools, allowed.isEmpty ? .any : .named(allowed))
        case "NONE": return (tools, .none)
        default: return (tools, .auto)
        }
    }
}
