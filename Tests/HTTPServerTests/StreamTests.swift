import HTTP
import HTTPServer
import Synchronization
import Testing

/// An endless stream of chunks that counts how often it was asked.
private struct Endless: AsyncSequence, Sendable {
    let chunk: [UInt8]
    let asked: Counter

    struct Iterator: AsyncIteratorProtocol {
        let chunk: [UInt8]
        let asked: Counter

        mutating func next() async -> [UInt8]? {
            asked.add()
            return chunk
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? { await next() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk, asked: asked) }
}

@Suite struct StreamTests {
    @Test func eachChunkIsSentAtOnceAndTheHeadBeforeTheFirst() async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        let response = ServerResponse(headers: ["Content-Type": "text/plain"], body: .stream { stream })
        try await withServer(handler: { _ in response }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            #expect(try await client.read(through: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
            for word in ["one", "second", "3"] {
                continuation.yield(Array(word.utf8))
                #expect(try await client.read(through: "\r\n\(word)\r\n").hasSuffix("\(word)\r\n"))
            }
            continuation.finish()
            #expect(try await client.read(through: "0\r\n\r\n") == "0\r\n\r\n")
            // The connection goes on.
            try await client.send(get("/"))
            #expect(try await client.read(through: "\r\n\r\n").contains("200"))
        }
    }

    @Test func chunksOfAnySizeArriveWholeAndInOrder() async throws {
        let chunks: [[UInt8]] = [1, 0, 5000, 8191, 100_000, 2, 1_000_000, 3].enumerated().map { index, size in
            [UInt8](repeating: UInt8(index), count: size)
        }
        let response = ServerResponse(
            body: .stream {
                AsyncStream { continuation in
                    for chunk in chunks { continuation.yield(chunk) }
                    continuation.finish()
                }
            })
        try await withServer(handler: { _ in response }) { _, port in
            let client = try WireClient(port)
            for _ in 0..<2 {
                try await client.send(get("/"))
                let answer = try await client.response()
                #expect(answer.body == chunks.flatMap { $0 })
            }
        }
    }

    @Test func aSlowReaderHoldsTheStreamBack() async throws {
        let asked = Counter()
        let response = ServerResponse(
            body: .stream { Endless(chunk: [UInt8](repeating: 1, count: 64 << 10), asked: asked) })
        try await withServer(handler: { _ in response }) { server, port in
            let client = try WireClient(port)
            client.shrinkReceiveBuffer()
            try await client.send(get("/"))
            _ = try await client.read(through: "\r\n\r\n")
            // The kernel's buffers fill up, then nothing more is asked for.
            let isHeld = await eventually {
                let before = asked.count
                try? await Task.sleep(for: .milliseconds(50))
                return asked.count == before
            }
            #expect(isHeld)
            #expect(asked.count < 500)
        }
    }

    @Test func aClientThatLeavesEndsItsStream() async throws {
        let ended = Signal()
        let handler: RequestHandler = { _ in
            // The only one who holds the stream is the server.
            let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
            continuation.onTermination = { _ in ended.fire() }
            continuation.yield([65])
            return ServerResponse(body: .stream { [stream] in stream })
        }
        try await withServer(handler: handler) { server, port in
            try await onThread {
                let client = try WireClient(port)
                try client.sendNow(Array(get("/").utf8))
                _ = try client.responseHeadNow()
            }
            #expect(await ended.fires())
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aStreamThatIgnoresCancellationIsDroppedWhenItsClientLeaves() async throws {
        let asked = Counter()
        let response = ServerResponse(body: .stream { Endless(chunk: [1], asked: asked) })
        try await withServer(handler: { _ in response }) { server, port in
            try await onThread {
                let client = try WireClient(port)
                try client.sendNow(Array(get("/").utf8))
                _ = try client.responseHeadNow()
            }
            #expect(await eventually { server.connectionCount == 0 })
            let isLeftAlone = await eventually {
                let before = asked.count
                try? await Task.sleep(for: .milliseconds(50))
                return asked.count == before
            }
            #expect(isLeftAlone)
        }
    }

    @Test func aThousandEventStreamsEachGetEveryEvent() async throws {
        let hub = Hub()
        let streams = 1000
        try await withServer(handler: { _ in .events(hub.subscribe()) }) { server, port in
            let clients = try await onThread {
                try (0..<streams).map { _ in
                    let client = try WireClient(port)
                    try client.sendNow(Array(get("/events").utf8))
                    return client
                }
            }
            #expect(await eventually { hub.count == streams })
            for round in 0..<3 {
                hub.publish(ServerEvent(event: "progress", data: "\(round)"))
                let heard = try await onThread {
                    try clients.count { try $0.readNow("data: \(round)\n\n").contains("event: progress") }
                }
                #expect(heard == streams)
            }
            #expect(server.connectionCount == streams)
            hub.finish()
            let ended = try await onThread { try clients.count { try $0.readNow("0\r\n\r\n").hasSuffix("0\r\n\r\n") } }
            #expect(ended == streams)
        }
    }
}

/// Passes each event to all that listen.
private final class Hub: Sendable {
    private let listeners = Mutex<[AsyncStream<ServerEvent>.Continuation]>([])

    var count: Int { listeners.withLock { $0.count } }

    func subscribe() -> AsyncStream<ServerEvent> {
        let (stream, continuation) = AsyncStream<ServerEvent>.makeStream()
        listeners.withLock { $0.append(continuation) }
        return stream
    }

    func publish(_ event: ServerEvent) { for listener in listeners.withLock({ $0 }) { listener.yield(event) } }

    func finish() { for listener in listeners.withLock({ $0 }) { listener.finish() } }
}
