/// What requests to Gemini may contain. Names are the camel case ones; the reader maps snake case to them.
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
