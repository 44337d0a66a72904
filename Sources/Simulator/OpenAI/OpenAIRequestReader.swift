internal import JSON

/// Reads a body of the shape that `OpenAIShapes` gives, and checks the rules that shapes cannot express.
struct OpenAIRequestReader {
    let body: JSON

    func call() throws(Refusal) -> SimulatedCall {
        let limit = body["max_completion_tokens"]?.integer ?? body["max_tokens"]?.integer ?? 4_096
        guard limit >= 1 else {
            throw OpenAIService.invalid("max_tokens must be at least 1, got \(limit).", param: "max_tokens")
        }
        if let temperature = body["temperature"]?.double, !(0...2).contains(temperature) {
            throw OpenAIService.invalid("Invalid 'temperature': must be from 0 to 2.", param: "temperature")
        }
        if let count = body["n"]?.integer, count != 1 {
            throw OpenAIService.invalid("The simulator gives one choice only.", param: "n")
        }
        if body["stream_options"]?.object != nil, body["stream"] != true {
            throw OpenAIService.invalid(
                "The 'stream_options' parameter is only allowed when 'stream' is enabled.", param: "stream_options")
        }
        var call = SimulatedCall(model: body["model"]?.string ?? "", maxTokens: Int(clamping: limit))
        try readMessages(into: &call)
        try readFormat(into: &call)
        try readTools(into: &call)
        call.stopSequences = body["stop"]?.string.map { [$0] } ?? body["stop"]?.array?.compactMap(\.string) ?? []
        guard call.stopSequences.count <= 4 else {
            throw OpenAIService.invalid("Invalid 'stop': at most 4 sequences.", param: "stop")
        }
        call.streams = body["stream"]?.bool ?? false
        call.wantsUsageInStream = body["stream_options"]?["include_usage"]?.bool ?? false
        call.user = body["user"]?.string
        call.cacheable = .implicit(
            ImplicitPrompt(
                [Array(call.model.utf8)]
                    + ([body["tools"]?.utf8] + (body["messages"]?.array ?? []).map(\.utf8)).compactMap(\.self)))
        call.inputTokens = 3 + ["messages", "tools"].reduce(0) { $0 + (body[$1].map { TokenCount.of($0.utf8) } ?? 0) }
        return call
    }

    private func readMessages(into call: inout SimulatedCall) throws(Refusal) {
        let messages = body["messages"]?.array ?? []
        guard !messages.isEmpty else { throw OpenAIService.invalid("'messages' must not be empty.", param: "messages") }
        var openCalls: [String] = []
        for (place, message) in messages.enumerated() {
            let role = message["role"]?.string ?? ""
            let path = "messages.[\(place)]"
            let text = text(of: message["content"])
            if role != "tool", let open = openCalls.first {
                throw OpenAIService.invalid(
                    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                        + "'tool_call_id'. The following had no response: \(open)", param: path + ".role")
            }
            switch role {
            case "system", "developer": call.instructions += (call.instructions.isEmpty ? "" : "\n") + text
            case "tool":
                guard let id = message["tool_call_id"]?.string else {
                    throw OpenAIService.invalid("Missing parameter 'tool_call_id'.", param: path + ".tool_call_id")
                }
                guard let open = openCalls.firstIndex(of: id) else {
                    throw OpenAIService.invalid(
                        "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
                        param: path + ".role")
                }
                openCalls.remove(at: open)
                call.turns.append(SimulatedCall.Turn(isFromUser: true, parts: [.toolResult(text)]))
            case "assistant":
                let calls = message["tool_calls"]?.array ?? []
                guard !calls.isEmpty || message["content"]?.isNull == false else {
                    throw OpenAIService.invalid("'content' or 'tool_calls' is required.", param: path + ".content")
                }
                for tool in calls {
                    let arguments = tool["function"]?["arguments"]?.string ?? ""
                    guard (try? JSON(parsing: arguments))?.object != nil else {
                        throw OpenAIService.invalid("'arguments' must be a JSON object as text.", param: path)
                    }
                }
                openCalls = calls.compactMap { $0["id"]?.string }
                call.turns.append(SimulatedCall.Turn(isFromUser: false, parts: [.text(text)]))
            default:
                guard message["content"]?.isNull == false else {
                    throw OpenAIService.invalid("Missing required parameter: 'content'.", param: path + ".content")
                }
                call.turns.append(SimulatedCall.Turn(isFromUser: true, parts: [.text(text)]))
            }
        }
    }

    private func text(of content: JSON?) -> String {
        content?.string ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
    }

    private func readFormat(into call: inout SimulatedCall) throws(Refusal) {
        guard let format = body["response_format"] else {
            call.schema = body["structured_outputs"]?["json"]
            call.wantsJSON = call.schema != nil
            return
        }
        switch format["type"]?.string {
        case "json_schema":
            guard let described = format["json_schema"] else {
                throw OpenAIService.invalid(
                    "Missing required parameter: 'response_format.json_schema'.", param: "response_format.json_schema")
            }
            let name = described["name"]?.string ?? ""
            guard (1...64).contains(name.count),
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) })
            else {
                throw OpenAIService.invalid(
                    "Invalid 'response_format.json_schema.name': must match '^[a-zA-Z0-9_-]+$'.",
                    param: "response_format.json_schema.name")
            }
            guard let schema = described["schema"] else {
                throw OpenAIService.invalid(
                    "Missing required parameter: 'response_format.json_schema.schema'.",
                    param: "response_format.json_schema.schema")
            }
            call.schema = schema
            call.wantsJSON = true
        case "json_object": call.wantsJSON = true
        default: break
        }
    }

    private func readTools(into call: inout SimulatedCall) throws(Refusal) {
        call.tools = (body["tools"]?.array ?? []).map { tool in
            SimulatedCall.Tool(
                name: tool["function"]?["name"]?.string ?? "",
                schema: tool["function"]?["parameters"] ?? ["type": "object"])
        }
        guard let choice = body["tool_choice"] else { return }
        guard !call.tools.isEmpty else {
            throw OpenAIService.invalid(
                "'tool_choice' is only allowed when 'tools' are specified.", param: "tool_choice")
        }
        switch choice.string {
        case "none": call.toolChoice = .none
        case "required": call.toolChoice = .any
        case nil:
            let name = choice["function"]?["name"]?.string ?? ""
            guard call.tools.contains(where: { $0.name == name }) else {
                throw OpenAIService.invalid("Tool choice '\(name)' is not among the tools.", param: "tool_choice")
            }
            call.toolChoice = .named([name])
        default: call.toolChoice = .auto
        }
    }
}

/// The fields of requests for chat completions: OpenAI's, and those that local servers add.
enum OpenAIShapes {
    static let textPart = Shape.object(
        [
            "type": .choice(["text", "image_url", "input_audio", "file", "refusal"]), "text": .string,
            "image_url": .map,
            "input_audio": .map, "file": .map, "refusal": .string,
        ], required: ["type"])

    static let toolCall = Shape.object(
        [
            "id": .string, "type": .choice(["function"]), "index": .integer,
            "function": .object(["name": .string, "arguments": .string], required: ["name", "arguments"]),
        ], required: ["id", "type", "function"])

    static let message = Shape.object(
        [
            "role": .choice(["system", "developer", "user", "assistant", "tool"]),
            "content": .nullable(.either(.string, .list(textPart))), "name": .string, "tool_call_id": .string,
            "tool_calls": .nullable(.list(toolCall)), "refusal": .nullable(.string), "audio": .nullable(.map),
            "reasoning_content": .nullable(.string),
        ], required: ["role"])

    static let tool = Shape.object(
        [
            "type": .choice(["function"]),
            "function": .object(
                ["name": .string, "description": .string, "parameters": .map, "strict": .nullable(.bool)],
                required: ["name"]),
        ], required: ["type", "function"])

    static let responseFormat = Shape.object(
        [
            "type": .choice(["text", "json_object", "json_schema"]),
            "json_schema": .object(
                ["name": .string, "description": .string, "strict": .nullable(.bool), "schema": .map],
                required: ["name"]),
        ], required: ["type"])

    static let completions = Shape.object(
        [
            "model": .string, "messages": .list(message), "max_tokens": .nullable(.integer),
            "max_completion_tokens": .nullable(.integer), "temperature": .nullable(.number),
            "top_p": .nullable(.number), "n": .nullable(.integer), "stop": .nullable(.either(.string, .list(.string))),
            "stream": .nullable(.bool),
            "stream_options": .nullable(.object(["include_usage": .bool, "include_obfuscation": .bool])),
            "response_format": responseFormat, "tools": .list(tool),
            "tool_choice": .either(
                .choice(["none", "auto", "required"]),
                .object(
                    ["type": .choice(["function"]), "function": .object(["name": .string], required: ["name"])],
                    required: ["type", "function"])),
            "parallel_tool_calls": .bool, "seed": .nullable(.integer), "user": .string,
            "frequency_penalty": .nullable(.number), "presence_penalty": .nullable(.number),
            "logit_bias": .nullable(.map), "logprobs": .nullable(.bool), "top_logprobs": .nullable(.integer),
            "metadata": .nullable(.map), "reasoning_effort": .nullable(.string), "service_tier": .nullable(.string),
            "store": .nullable(.bool), "modalities": .nullable(.list(.string)), "audio": .nullable(.map),
            "prediction": .nullable(.map), "verbosity": .nullable(.string), "web_search_options": .map,
            "prompt_cache_key": .string, "prompt_cache_options": .map, "prompt_cache_retention": .nullable(.string),
            "safety_identifier": .string, "moderation": .any, "functions": .list(.map), "function_call": .any,
            // Local servers'.
            "top_k": .integer, "min_p": .number, "repetition_penalty": .number, "structured_outputs": .map,
            "chat_template_kwargs": .map, "cache_prompt": .bool, "keep_alive": .any, "options": .map,
        ], required: ["model", "messages"])
}
