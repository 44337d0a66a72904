internal import JSON

/// The fields of requests to Gemini. Names are in camel case; the reader maps snake case to them.
enum GeminiShapes {
    static let blob = Shape.object(
        ["mimeType": .string, "data": .string, "displayName": .string], required: ["mimeType", "data"])

    static let part = Shape.object([
        "text": .string, "inlineData": blob, "fileData": .map,
        "functionCall": .object(["id": .string, "name": .string, "args": .map], required: ["name"]),
        "functionResponse": .object(
            [
                "id": .string, "name": .string, "response": .map, "willContinue": .bool, "scheduling": .string,
                "parts": .list(.map),
            ], required: ["name", "response"]),
        "thought": .bool, "thoughtSignature": .string, "executableCode": .map, "codeExecutionResult": .map,
        "videoMetadata": .map, "partMetadata": .map, "mediaResolution": .map, "audioTranscription": .map,
        "mediaProcessing": .map, "toolCall": .map, "toolResponse": .map,
    ])

    /// Of these a part holds exactly one.
    static let partKinds = [
        "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode",
        "codeExecutionResult", "toolCall", "toolResponse",
    ]

    static let content = Shape.object(["role": .string, "parts": .list(part)])

    static let generationConfig = Shape.object([
        "maxOutputTokens": .integer, "stopSequences": .list(.string),
        "responseMimeType": .choice(["text/plain", "application/json", "text/x.enum"]), "responseSchema": .map,
        "responseJsonSchema": .any, "thinkingConfig": thinkingConfig, "temperature": .number, "topP": .number,
        "topK": .number, "candidateCount": .integer, "seed": .integer, "presencePenalty": .number,
        "frequencyPenalty": .number, "responseModalities": .list(.string), "responseLogprobs": .bool,
        "logprobs": .integer, "speechConfig": .map, "mediaResolution": .string, "imageConfig": .map,
        "enableEnhancedCivicAnswers": .bool, "audioTranscriptionConfig": .map,
    ])

    static let thinkingConfig = Shape.object([
        "thinkingLevel": .choice(["MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"]), "thinkingBudget": .integer,
        "includeThoughts": .bool,
    ])

    static let safetySetting = Shape.object(
        [
            "category": .choice([
                "HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_SEXUALLY_EXPLICIT",
                "HARM_CATEGORY_DANGEROUS_CONTENT",
            ]),
            "threshold": .choice([
                "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF",
            ]),
        ], required: ["category", "threshold"])

    static let tool = Shape.object([
        "functionDeclarations": .list(
            .object(
                [
                    "name": .string, "description": .string, "parameters": .map, "parametersJsonSchema": .any,
                    "response": .map, "responseJsonSchema": .any, "behavior": .string,
                ], required: ["name"])),
        "googleSearch": .map, "googleSearchRetrieval": .map, "codeExecution": .map, "urlContext": .map,
        "computerUse": .map, "fileSearch": .map, "googleMaps": .map, "mcpServers": .any, "retrieval": .map,
    ])

    static let toolConfig = Shape.object([
        "functionCallingConfig": .object([
            "mode": .choice(["AUTO", "ANY", "NONE", "VALIDATED"]), "allowedFunctionNames": .list(.string),
        ]), "retrievalConfig": .map, "includeServerSideToolInvocations": .bool,
    ])

    static let generate = Shape.object(
        [
            "model": .string, "contents": .list(content), "systemInstruction": content,
            "generationConfig": generationConfig, "safetySettings": .list(safetySetting), "tools": .list(tool),
            "toolConfig": toolConfig, "cachedContent": .string,
            "serviceTier": .choice(["standard", "flex", "priority"]), "store": .bool, "labels": .map,
            "continuationToken": .string,
        ], required: ["contents"])

    static let embed = Shape.object(
        [
            "requests": .list(
                .object(
                    [
                        "model": .string, "content": content,
                        "taskType": .choice([
                            "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY", "CLASSIFICATION",
                            "CLUSTERING", "QUESTION_ANSWERING", "FACT_VERIFICATION", "CODE_RETRIEVAL_QUERY",
                        ]),
                        "title": .string, "outputDimensionality": .integer,
                    ], required: ["model", "content"]))
        ], required: ["requests"])

    static let countTokens = Shape.object(["contents": .list(content), "generateContentRequest": generate])
}

/// The two dialects of schemas that Gemini takes.
enum GeminiSchemaRules {
    private static let openAPI: Set<String> = [
        "type", "nullable", "enum", "format", "items", "minItems", "maxItems", "minLength", "maxLength", "pattern",
        "minimum", "maximum", "anyOf", "propertyOrdering", "required", "properties", "description", "title", "default",
        "example", "minProperties", "maxProperties", "additionalProperties", "defs", "ref",
    ]
    private static let jsonSchema: Set<String> = [
        "$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems",
        "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties",
        "required", "propertyOrdering",
    ]
    private static let types: Set<String> = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]

    /// `responseSchema` and `parameters`: types in capitals.
    static func problem(ofOpenAPI schema: JSON) -> String? {
        walk(schema, "response_schema") { node, path in
            if let unknown = node.keys.first(where: { !openAPI.contains($0) }) {
                return "Unknown name \"\(unknown)\" at '\(path)': Cannot find field."
            }
            guard let type = node["type"] else { return node["anyOf"] == nil ? "\(path).type must be specified" : nil }
            guard let name = type.string, types.contains(name.uppercased()) else {
                return "Invalid value at '\(path).type' (TYPE_ENUM), \(type.compact)"
            }
            if name.uppercased() == "ARRAY", node["items"] == nil { return "\(path).items: missing field." }
            if name.uppercased() == "OBJECT", node["properties"]?.object?.isEmpty != false {
                return "\(path).properties: should be non-empty for OBJECT type"
            }
            return nil
        }
    }

    /// `responseJsonSchema` and `parametersJsonSchema`.
    static func problem(ofJSONSchema schema: JSON) -> String? {
        guard schema.object != nil else { return "response_json_schema must be an object" }
        return walk(schema, "response_json_schema") { node, path in
            if let unknown = node.keys.first(where: { !jsonSchema.contains($0) }) {
                return "'\(path)': the keyword '\(unknown)' is not supported"
            }
            if node["$ref"] != nil, let extra = node.keys.first(where: { !$0.hasPrefix("$") }) {
                return "'\(path)': '\(extra)' may not stand beside $ref"
            }
            return nil
        }
    }

    private static func walk(
        _ schema: JSON, _ path: String, _ check: (JSONObject, String) -> String?
    ) -> String? {
        guard let node = schema.object else { return "'\(path)' must be an object" }
        if let problem = check(node, path) { return problem }
        for key in ["properties", "$defs"] {
            for (name, part) in node[key]?.object ?? [:] {
                if let problem = walk(part, "\(path).\(key)[\(name)]", check) { return problem }
            }
        }
        if let items = node["items"], let problem = walk(items, path + ".items", check) { return problem }
        for key in ["anyOf", "oneOf", "prefixItems"] {
            for (place, part) in (node[key]?.array ?? []).enumerated() {
                if let problem = walk(part, "\(path).\(key)[\(place)]", check) { return problem }
            }
        }
        return nil
    }
}
