/// What requests to Claude may contain.
enum ClaudeShapes {
    static let cacheControl = Shape.nullable(
        .object(["type": .choice(["ephemeral"]), "ttl": .choice(["5m", "1h"])], required: ["type"]))

    static let text = Shape.object(
        [
            "type": .choice(["text"]), "text": .string, "cache_control": cacheControl,
            "citations": .nullable(.list(.map)),
        ], required: ["type", "text"])

    static let toolUse = Shape.object(
        [
            "type": .choice(["tool_use"]), "id": .string, "name": .string, "input": .map,
            "cache_control": cacheControl, "caller": .map, "toolset_name": .nullable(.string),
        ], required: ["type", "id", "name", "input"])

    static let toolResult = Shape.object(
        [
            "type": .choice(["tool_result"]), "tool_use_id": .string, "content": .either(.string, .list(.map)),
            "is_error": .bool, "cache_control": cacheControl, "toolset_name": .nullable(.string),
        ], required: ["type", "tool_use_id"])

    static let thinkingBlock = Shape.object(
        ["type": .choice(["thinking"]), "thinking": .string, "signature": .string],
        required: ["type", "thinking", "signature"])

    static let redactedThinking = Shape.object(
        ["type": .choice(["redacted_thinking"]), "data": .string], required: ["type", "data"])

    /// Blocks that are taken without a look inside.
    static let otherBlocks: Set<String> = [
        "image", "document", "search_result", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
        "code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result",
        "tool_search_tool_result", "container_upload",
    ]

    static let blocks: [String: Shape] = [
        "text": text, "tool_use": toolUse, "tool_result": toolResult, "thinking": thinkingBlock,
        "redacted_thinking": redactedThinking,
    ]

    static let message = Shape.object(
        ["role": .choice(["user", "assistant"]), "content": .either(.string, .list(.map))],
        required: ["role", "content"])

    static let tool = Shape.object(
        [
            "type": .nullable(.choice(["custom"])), "name": .string, "description": .string, "input_schema": .map,
            "strict": .bool, "cache_control": cacheControl, "defer_loading": .bool,
            "eager_input_streaming": .nullable(.bool), "input_examples": .list(.map),
            "allowed_callers": .list(.string),
        ], required: ["name", "input_schema"])

    static let toolChoice = Shape.object(
        [
            "type": .choice(["auto", "any", "none", "tool"]), "name": .string, "disable_parallel_tool_use": .bool,
        ], required: ["type"])

    static let thinking = Shape.object(
        [
            "type": .choice(["adaptive", "enabled", "disabled", "between_tools"]), "budget_tokens": .integer,
            "display": .nullable(.choice(["summarized", "omitted"])),
        ], required: ["type"])

    static let outputConfig = Shape.object([
        "effort": .nullable(.choice(["low", "medium", "high", "xhigh", "max"])),
        "format": .nullable(
            .object(["type": .choice(["json_schema"]), "schema": .map], required: ["type", "schema"])),
    ])

    private static let common: [String: Shape] = [
        "model": .string, "messages": .list(message), "system": .either(.string, .list(text)), "tools": .list(.map),
        "tool_choice": toolChoice, "thinking": thinking, "output_config": outputConfig, "cache_control": cacheControl,
        "speed": .nullable(.choice(["standard", "fast"])),
    ]

    static let countTokens = Shape.object(common, required: ["model", "messages"])

    static let create = Shape.object(
        common.merging([
            "max_tokens": .integer, "metadata": .object(["user_id": .nullable(.string)]),
            "stop_sequences": .list(.string), "service_tier": .choice(["auto", "standard_only"]), "stream": .bool,
            "temperature": .number, "top_p": .number, "top_k": .integer, "inference_geo": .nullable(.string),
            "container": .nullable(.either(.string, .map)), "diagnostics": .nullable(.map),
        ]) { $1 }, required: ["model", "max_tokens", "messages"])
}
