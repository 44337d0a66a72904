import Basics
import JSON
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// Collects values from `@Sendable` closures.
final class Collector<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    var values: [Value] { kept.withLock(\.self) }
    func add(_ value: Value) { kept.withLock { $0.append(value) } }
}

extension ManualClock {
    /// Starts at 2026-11-21T00:00:00Z. A sleep of at most 5 s, as calls wait for a budget, advances the clock instead of
    /// waiting; the longer limits of silent calls wait until the test moves the clock.
    var source: TimeSource {
        var source = waitingSource
        source.sleep = { pause in
            guard pause <= .seconds(5) else { return try await self.sleep(for: pause) }
            self.advance(by: pause)
            await Task.yield()
        }
        return source
    }

    /// The same times; every sleep waits until the test moves the clock.
    var waitingSource: TimeSource {
        TimeSource(
            uptime: { self.now.offset },
            wallMilliseconds: { (1_795_219_200 + self.now.offset.components.seconds) * 1000 },
            sleep: { try await self.sleep(for: $0) })
    }
}

func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

func price(_ input: String, _ output: String, read: String? = nil, write5m: String? = nil, write1h: String? = nil)
    throws -> PriceList
{
    let row = PriceList.Row(
        input: try #require(TokenPrice(dollarsPerMillion: input)),
        output: try #require(TokenPrice(dollarsPerMillion: output)), cacheRead: read.flatMap(TokenPrice.init),
        cacheWrite5m: write5m.flatMap(TokenPrice.init), cacheWrite1h: write1h.flatMap(TokenPrice.init))
    return try #require(PriceList([row]))
}

enum Fixture {
    static let key = Secret("sk-test-0123456789")

    static func sonnet() throws -> ModelDescription {
        ModelDescription(
            id: "claude-sonnet-5-5", provider: .claude, contextTokens: 1_000_000, maxOutputTokens: 128_000,
            thinking: .adaptive, efforts: [.low, .medium, .high, .xhigh, .max], allowsForcedToolChoice: false,
            prices: try price("2", "10", read: "0.10", write5m: "2.50", write1h: "4"))
    }

    static func flash() throws -> ModelDescription {
        ModelDescription(
            id: "gemini-3.8-flash", provider: .gemini, contextTokens: 1_048_576, maxOutputTokens: 65_536,
            thinking: .level, efforts: [.low, .medium, .high], prices: try price("0.75", "3.75", read: "0.075"))
    }

    static func local() throws -> ModelDescription {
        ModelDescription(
            id: "local", provider: .openai, wireName: "llama3.3", contextTokens: 32_768, maxOutputTokens: 8192,
            prices: try price("0", "0"))
    }

    static func claude(_ transport: ScriptedTransport, _ model: ModelDescription? = nil) throws -> ClaudeModel {
        ClaudeModel(
            try model ?? sonnet(), at: ProviderEndpoint(baseURL: "https://api.anthropic.com", key: key),
            over: transport,
            clock: ManualClock().source)
    }

    static func gemini(_ transport: ScriptedTransport, base: String = "https://generativelanguage.googleapis.com")
        throws -> GeminiModel
    {
        GeminiModel(
            try flash(), at: ProviderEndpoint(baseURL: base, key: key), over: transport, clock: ManualClock().source)
    }

    static func openai(_ transport: ScriptedTransport) throws -> OpenAICompatibleModel {
        OpenAICompatibleModel(
            try local(), at: ProviderEndpoint(baseURL: "http://localhost:11434/v1", key: nil), over: transport,
            clock: ManualClock().source)
    }

    static let reportSchema: JSON = [
        "type": "object",
        "properties": ["summary": ["type": "string"], "score": ["type": "integer", "minimum": 1]],
        "required": ["summary", "score"], "additionalProperties": false,
    ]

    static let quoteTool = ModelTool(
        name: "get_quote", description: "The price of a stock.",
        parameters: [
            "type": "object", "properties": ["symbol": ["type": "string"]], "required": ["symbol"],
        ])

    /// A request with every field.
    static let full = ModelRequest(
        system: SystemPrompt(stable: "You are an analyst.", varying: "Today is Saturday."),
        messages: [
            ModelMessage(
                role: .user,
                parts: [.text("Summarise this."), .media(Media(mimeType: "image/png", source: .base64("iVBORw==")))]),
            .assistant("Which part?"), .user("All of it."),
        ],
        output: .json(name: "the report", schema: reportSchema), maxOutputTokens: 4096, effort: .medium,
        stopSequences: ["END"], userLabel: "opaque-hash")

    static let plain = ModelRequest(messages: [.user("Hello")], maxOutputTokens: 100)

    /// A turn of a tool loop: question, the model's call, its result.
    static func toolLoop(_ original: ProviderContent?, id: String) -> ModelRequest {
        let call = ToolCall(id: id, name: "get_quote", input: ["symbol": "AAPL"])
        return ModelRequest(
            messages: [
                .user("What is Apple worth?"),
                ModelMessage(role: .assistant, parts: [.text("Let me see."), .toolCall(call)], original: original),
                .toolResults([ToolResult(callID: id, name: "get_quote", content: ["price": 271.5])]),
            ], tools: [quoteTool], toolChoice: .tool("get_quote"), maxOutputTokens: 500)
    }
}

/// Runs a call that must fail and returns its error.
func failure<Value>(_ body: () async throws -> Value) async throws -> ModelError {
    do {
        _ = try await body()
    } catch let error as ModelError {
        return error
    }
    throw NoFailure()
}

/// A call that should have failed did not.
struct NoFailure: Error {}

/// A receiver of streamed text that ignores it.
let ignoreText: @Sendable (String) -> Void = { _ in }
