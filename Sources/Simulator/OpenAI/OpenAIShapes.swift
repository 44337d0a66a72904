/// What requests for chat completions may contain: OpenAI's fields, and those that local servers add.
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
