import HTTP
import HTTPServer
import JSON
import Testing

@testable import Simulator

/// Malformed requests get the error that the real service would give.
@Suite struct StrictnessTests {
    private let core = SimulatorCore(SimulatorConfiguration())

    private func answer(_ call: Call) async -> (status: Int, body: JSON) {
        let (path, query) = { ($0.first ?? "", $0.count > 1 ? [(name: "alt", value: "sse")] : []) }(
            call.path.split(separator: "?").map(String.init))
        let response = await core.handle(
            ServerRequest(call.method, path, query: query, headers: call.headers, body: call.body?.utf8 ?? []))
        guard case .bytes(let bytes) = response.body else { return (response.status, .null) }
        return (response.status, (try? JSON(parsing: bytes)) ?? .null)
    }

    private static func claudeSchema(_ schema: JSON) -> JSON {
        ["output_config": ["format": ["type": "json_schema", "schema": schema]]]
    }

    private static func object(_ properties: JSON, required: [String] = []) -> JSON {
        ["type": "object", "properties": properties, "required": JSON(required), "additionalProperties": false]
    }

    @Test(
        arguments: [
            (["max_tokens": 0], "max_tokens"),
            (["max_tokens": 200_000], "max_tokens"),
            (["foo": 1], "foo: Extra inputs are not permitted"),
            (["temperature": 0.5], "temperature"),
            (["messages": []], "at least one message"),
            (["messages": [["role": "system", "content": "x"]]], "messages.0.role"),
            (["messages": [["role": "user", "content": ""]]], "must not be empty"),
            (["messages": [["role": "user", "content": "x"], ["role": "assistant", "content": "{"]]], "prefill"),
            (["messages": [["role": "user", "content": [["type": "text"]]]]], "messages.0.content.0.text.text"),
            (["messages": [["role": "user", "content": [["type": "video"]]]]], "expected tags"),
            (["metadata": ["email": "x"]], "metadata.email"),
            (["stop_sequences": [" "]], "stop_sequences"),
            (["service_tier": "gold"], "service_tier"),
            (["thinking": ["type": "disabled"]], "thinking"),
            (["thinking": ["type": "enabled", "budget_tokens": 2000]], "thinking"),
            (["tool_choice": ["type": "auto"]], "tool_choice"),
            (["tools": [["name": "a b", "input_schema": ["type": "object"]]]], "tools.0.name"),
            (["tools": [["name": "a"]]], "tools.0.input_schema"),
            (
                ["tools": [["name": "a", "input_schema": ["type": "object"]]], "tool_choice": ["type": "any"]],
                "tool_choice"
            ),
            (claudeSchema(["type": "object", "properties": [:]]), "additionalProperties"),
            (claudeSchema(object(["a": ["type": "integer", "minimum": 1]])), "minimum"),
            (claudeSchema(object(["a": ["type": "string", "maxLength": 9]])), "maxLength"),
            (claudeSchema(object(["a": ["type": "array", "items": ["type": "string"], "minItems": 2]])), "minItems"),
            (claudeSchema(["$ref": "#/$defs/a", "$defs": ["a": object(["b": ["$ref": "#/$defs/a"]])]]), "Recursive"),
            (
                claudeSchema(object(.object(JSONObject((0..<25).map { ("p\($0)", ["type": "string"]) })))),
                "optional properties"
            ),
        ] as [(JSON, String)])
    func claudeRefuses(change: JSON, saying words: String) async {
        let (status, body) = await answer(.claude(change))
        #expect(status == 400)
        #expect(body["type"] == "error" && body["error"]?["type"] == "invalid_request_error")
        #expect(body["error"]?["message"]?.string?.contains(words) == true, "\(body)")
        #expect(body["request_id"]?.string != nil)
    }

    @Test func claudeWantsAKeyAVersionAJSONBodyAndAKnownModel() async {
        #expect(await answer(.claude().header("x-api-key", nil)).status == 401)
        #expect(await answer(.claude().header("x-api-key", "invalid-key")).status == 401)
        #expect(await answer(.claude().header("anthropic-version", nil)).status == 400)
        #expect(await answer(.claude().header("content-type", "text/plain")).status == 400)
        #expect(
            await answer(.claude().with("max_tokens", nil)).body["error"]?["message"] == "max_tokens: Field required")
        #expect(await answer(.claude(["model": "claude-1"])).body["error"]?["type"] == "not_found_error")
        let bearer = Call.claude().header("x-api-key", nil).header("authorization", "Bearer k")
        #expect(await answer(bearer).status == 200)
    }

    @Test(
        arguments: [
            (["nonsense": 1], "Unknown name \"nonsense\""),
            (["generationConfig": ["maxTokens": 1]], "at 'generation_config'"),
            (["generationConfig": ["temperature": "hot"]], "TYPE_FLOAT"),
            (
                [
                    "generationConfig": [
                        "responseMimeType": "application/json", "responseSchema": ["type": "STRING"],
                        "responseJsonSchema": ["type": "string"],
                    ]
                ], "Only one of"
            ),
            (["generationConfig": ["responseJsonSchema": ["type": "string"]]], "response_mime_type"),
            (
                [
                    "generationConfig": [
                        "responseMimeType": "application/json",
                        "responseJsonSchema": ["type": "string", "maxLength": 3],
                    ]
                ], "maxLength"
            ),
            (
                ["generationConfig": ["responseMimeType": "application/json", "responseSchema": ["type": "OBJECT"]]],
                "non-empty"
            ),
            (["generationConfig": ["thinkingConfig": ["thinkingLevel": "MINIMAL"]]], "MINIMAL"),
            (["generationConfig": ["candidateCount": 2]], "Multiple candidates"),
            (["contents": []], "contents is not specified"),
            (["contents": [["role": "assistant", "parts": [["text": "x"]]]]], "valid role"),
            (["contents": [["role": "user", "parts": [[:]]]]], "oneof"),
            (["safetySettings": [["category": "X", "threshold": "OFF"]]], "TYPE_ENUM"),
            (["toolConfig": ["functionCallingConfig": ["mode": "ANY"]]], "function declaration"),
        ] as [(JSON, String)])
    func geminiRefuses(change: JSON, saying words: String) async {
        let (status, body) = await answer(.gemini(change))
        #expect(status == 400)
        #expect(body["error"]?["status"] == "INVALID_ARGUMENT" && body["error"]?["code"] == 400)
        #expect(body["error"]?["message"]?.string?.contains(words) == true, "\(body)")
    }

    @Test func geminiWantsAKeyAndAKnownModel() async {
        #expect(await answer(.gemini().header("x-goog-api-key", nil)).body["error"]?["status"] == "PERMISSION_DENIED")
        let wrong = await answer(.gemini().header("x-goog-api-key", "invalid")).body["error"]
        #expect(wrong?["code"] == 400 && wrong?["details"]?[0]?["reason"] == "API_KEY_INVALID")
        #expect(await answer(.gemini(model: "gemini-1")).status == 404)
        #expect(await answer(.gemini(model: "gemini-flash-latest")).status == 200)
        var call = Call.gemini(model: "gemini-flash-latest")
        call.path = call.path.replacing("v1beta", with: "v1")
        #expect(await answer(call).status == 404)
    }

    @Test(
        arguments: [
            (["foo": 1], "foo"),
            (["messages": []], "empty"),
            (["messages": [["role": "robot", "content": "x"]]], "robot"),
            (["messages": [["role": "user"]]], "content"),
            (["messages": [["role": "tool", "tool_call_id": "x", "content": "y"]]], "tool_calls"),
            (["response_format": ["type": "json_schema", "schema": ["type": "object"]]], "response_format"),
            (["response_format": ["type": "json_schema"]], "json_schema"),
            (["stream_options": ["include_usage": true]], "stream_options"),
            (["max_tokens": 0], "max_tokens"),
            (["tool_choice": "auto"], "tool_choice"),
        ] as [(JSON, String)])
    func openAIRefuses(change: JSON, saying words: String) async {
        let (status, body) = await answer(.openAI(change))
        #expect(status == 400)
        #expect(body["error"]?["type"] == "invalid_request_error")
        #expect(body["error"]?["message"]?.string?.contains(words) == true, "\(body)")
    }

    @Test func openAIWantsAKey() async {
        #expect(await answer(.openAI().header("authorization", nil)).status == 401)
    }

    @Test func theSECWantsAUserAgent() async {
        var call = Call.sec("/files/company_tickers.json")
        #expect(await answer(call).status == 200)
        call.headers = [:]
        #expect(await answer(call).status == 403)
    }

    @Test func otherPathsAndMethodsAreNotFound() async {
        var call = Call.claude()
        call.path = "/v1/complete"
        #expect(await answer(call).status == 404)
        call.path = "/anthropic/v1/complete"
        #expect(await answer(call).body["error"]?["type"] == "not_found_error")
    }
}
