import Foundation
import Glibc
import HTTP
import JSON
import Synchronization
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

    @Test func theNextProviderTakesOverAfterAnInterruption() async throws {
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

    @Test func a429IsReadWithItsPause() async throws {
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

    /// Ways to be silent after a connection was accepted.
    private static let silences: [LoopbackServer.Reply] = [
        .init(head: "", holds: true),
        .init(holds: true),
        .init(pieces: ["event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n"], holds: true),
        .init(
            pieces: [
                #"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Once"}}"#
                    + "\n\n"
            ], holds: true),
        .init(pieces: [": ping\n\n"], holds: true, drip: "event: ping\ndata: {\"type\":\"ping\"}\n\n"),
        .init(
            pieces: [
                #"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Once"}}"#
                    + "\n\n"
            ], holds: true, drip: " "),
    ]

    @Test(.timeLimit(.minutes(10)), arguments: silences)
    func theNextProviderTakesOverFromASilentOne(reply: LoopbackServer.Reply) async throws {
        let gemini =
            #"data: {"candidates":[{"content":{"parts":[{"text":"Apple"}]},"finishReason":"STOP"}]}"# + "\r\n\r\n"
        let (silent, healthy) = (try LoopbackServer(reply), try LoopbackServer(.init(pieces: [gemini])))
        defer { silent.stop() }
        defer { healthy.stop() }
        let client = HTTPClient()
        let shipped = try ModelCatalogueTests.shipped()
        let limit = Duration.milliseconds(500)
        var models = shipped.models
        models["claude-sonnet-5-5"]?.timeouts = CallTimeouts(firstByte: limit, firstContent: limit, gap: limit)
        let router = ModelRouter(
            ModelCatalogue(models: models, tiers: shipped.tiers),
            configuration: ModelsConfiguration(
                claude: .init(key: Fixture.key, baseURL: silent.baseURL),
                gemini: .init(key: Fixture.key, baseURL: healthy.baseURL)), transport: client)
        let response = try await router.respond(
            to: Fixture.plain, tier: "deep", caller: CallContext(timeLeft: .seconds(170)))
        #expect(response.text == "Apple")
        #expect(silent.requests.count == 1 && healthy.requests.count == 1)
        // The connection of the silent one is closed.
        for await _ in silent.departures { break }
        await client.shutdown()
    }

    /// A cancellation in the middle of a record is not reported as a malformed record.
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

/// A provider on loopback: reads one request per connection and sends the next scripted bytes.
final class LoopbackServer: Sendable {
    struct Reply: Sendable {
        var head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        var pieces: [String] = []
        /// Keeps the connection open after the last bytes until the client disconnects.
        var holds = false
        /// Is sent again and again on a held connection.
        var drip: String?
    }

    struct NoSocket: Error {}

    let baseURL: String
    /// Yields when a client has closed a held connection.
    let departures: AsyncStream<Void>
    private let departure: AsyncStream<Void>.Continuation
    private let listener: Int32
    private let state: Mutex<(replies: [Reply], requests: [String])>

    init(_ replies: Reply...) throws {
        (departures, departure) = AsyncStream.makeStream()
        state = Mutex((replies, []))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw NoSocket() }
        baseURL = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread { [self] in serve() }.start()
    }

    /// Heads and bodies of all requests.
    var requests: [String] { state.withLock(\.requests) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            handle(connection)
            close(connection)
        }
        close(listener)
    }

    private func handle(_ connection: Int32) {
        guard let request = readRequest(connection) else { return }
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.isEmpty ? Reply(head: "HTTP/1.1 500 E\r\n\r\n") : state.replies.removeFirst()
        }
        for piece in [reply.head] + reply.pieces {
            let bytes = Array(piece.utf8)
            guard Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
        }
        if reply.holds {
            if let drip = reply.drip {
                let bytes = Array(drip.utf8)
                while Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count { usleep(50_000) }
            } else {
                while read(connection) != nil {}
            }
            departure.yield()
        }
    }

    private func readRequest(_ connection: Int32) -> String? {
        var text = ""
        while true {
            guard let more = read(connection) else { return nil }
            text += more
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text.range(of: "content-length: ", options: .caseInsensitive).flatMap { range in
                Int(text[range.upperBound...].prefix { $0.isNumber })
            }
            if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }

    /// The next bytes; `nil` at the end.
    private func read(_ connection: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
