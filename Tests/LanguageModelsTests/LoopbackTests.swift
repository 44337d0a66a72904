import Foundation
import HTTP
import JSON
import Testing

@testable import LanguageModels

/// The adapters over real sockets.
@Suite struct LoopbackTests {
    private func router(_ server: LoopbackServer, _ client: HTTPClient) throws -> ModelRouter {
        let provider = ModelsConfiguration.Provider(key: Fixture.key, baseURL: server.baseURL)
        return ModelRouter(
            try ModelCatalogueTests.shipped(), configuration: ModelsConfiguration(claude: provider, gemini: provider),
            transport: client)
    }

    @Test func anAnswerStreamsThroughARealConnection() async throws {
        let pieces = ClaudeModelTests.stream.split(separator: "\n\n", omittingEmptySubsequences: false)
            .map { "\($0)\n\n" }
        let server = try LoopbackServer(.init(pieces: pieces))
        defer { server.stop() }
        let client = HTTPClient()
        let events = Collector<StreamEvent>()
        let response = try await router(server, client).respond(to: Fixture.plain, tier: "deep") { events.add($0) }
        #expect(events.values == [.text("Grüße, "), .text("😀")])
        #expect(response.toolCalls.count == 1)
        #expect(response.timings.firstText != nil)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/messages HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("x-api-key: sk-test-0123456789\r\n"))
        #expect(request.hasSuffix(#""stream":true}"#))
        await client.shutdown()
    }

    @Test func theNextProviderTakesOverFromOneThatBreaksOff() async throws {
        let beginning = ClaudeModelTests.stream.components(
            separatedBy: "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}")
        let gemini =
            #"data: {"candidates":[{"content":{"parts":[{"text":"Apple"}]},"finishReason":"STOP"}]}"# + "\r\n\r\n"
        let server = try LoopbackServer(.init(pieces: [beginning[0]]), .init(pieces: [gemini]))
        defer { server.stop() }
        let client = HTTPClient()
        let events = Collector<StreamEvent>()
        let response = try await router(server, client).respond(to: Fixture.plain, tier: "deep") { events.add($0) }
        #expect(response.text == "Apple")
        #expect(events.values.last == .text("Apple"))
        #expect(events.values.contains(.restarted(provider: .gemini, model: "gemini-3.8-flash")))
        #expect(server.requests.count == 2)
        await client.shutdown()
    }

    @Test func aTooManyIsReadWithItsPause() async throws {
        let body = #"{"type":"error","error":{"type":"rate_limit_error","message":"m"}}"#
        let server = try LoopbackServer(
            .init(
                head: "HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: \(body.utf8.count)\r\n"
                    + "connection: close\r\n\r\n", pieces: [body]))
        defer { server.stop() }
        let client = HTTPClient()
        let model = ClaudeModel(
            try Fixture.sonnet(), at: ProviderEndpoint(baseURL: server.baseURL, key: nil), over: client)
        let error = try await failure { try await model.respond(to: Fixture.plain, onText: ignoreText) }
        #expect(error.kind == .rateLimited)
        #expect(error.retryAfter == .seconds(7))
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.lowercased().contains("x-api-key") == false)
        await client.shutdown()
    }

    /// Also when it comes in the middle of a record, which must not be taken for a broken one.
    @Test(.timeLimit(.minutes(10))) func cancellingClosesTheConnection() async throws {
        let beginning = #"data: {"candidates":[{"content":{"parts":[{"text":"Begin"}]}}]}"# + "\n\n"
        let server = try LoopbackServer(.init(pieces: [beginning + #"data: {"candidates":[{"con"#], holds: true))
        defer { server.stop() }
        let client = HTTPClient()
        let model = GeminiModel(
            try Fixture.flash(), at: ProviderEndpoint(baseURL: server.baseURL, key: nil), over: client)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let call = Task { try await model.respond(to: Fixture.plain) { _ in begin.yield() } }
        for await _ in begun { break }
        call.cancel()
        #expect(try await failure { try await call.value }.kind == .cancelled)
        for await _ in server.departures { break }
        await client.shutdown()
    }
}
