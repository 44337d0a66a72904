internal import JSON

/// A Gemini model and what it accepts.
struct GeminiModelInfo: Sendable {
    var id: String
    var name: String
    var levels: Set<String> = ["LOW", "MEDIUM", "HIGH"]
    /// Newer models take no `candidateCount` above 1.
    var outputTokens = 65_536

    static let all: [GeminiModelInfo] = [
        GeminiModelInfo(id: "gemini-3.8-flash", name: "Gemini 3.8 Flash"),
        GeminiModelInfo(id: "gemini-3.7-flash", name: "Gemini 3.7 Flash"),
        GeminiModelInfo(
            id: "gemini-3.6-flash", name: "Gemini 3.6 Flash", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(
            id: "gemini-3.5-flash", name: "Gemini 3.5 Flash", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(
            id: "gemini-3.5-flash-lite", name: "Gemini 3.5 Flash-Lite", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(id: "gemini-3.1-pro-preview", name: "Gemini 3.1 Pro Preview"),
        GeminiModelInfo(
            id: "gemini-3.1-flash-lite", name: "Gemini 3.1 Flash-Lite", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
    ]

    /// Aliases, which only `v1beta` knows.
    static let latest = [
        "gemini-flash-latest": "gemini-3.8-flash", "gemini-flash-lite-latest": "gemini-3.5-flash-lite",
    ]

    static func find(_ id: String, version: String) -> GeminiModelInfo? {
        let name = version == "v1beta" ? latest[id] ?? id : id
        return all.first { $0.id == name }
    }

    var json: JSON {
        [
            "name": JSON("models/" + id), "version": "simulated", "displayName": JSON(name),
            "inputTokenLimit": 1_048_576, "outputTokenLimit": JSON(outputTokens),
            "supportedGenerationMethods": ["generateContent", "countTokens"], "thinking": true,
        ]
    }
}
