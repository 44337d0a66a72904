import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// An endless stream of chunks that counts its calls.
private struct Endless: AsyncSequence, Sendable {
    let chunk: [UInt8]
    let asked: Counter

    struct Iterator: AsyncIteratorProtocol {
        let chunk: [UInt8]
        let asked: Counter

        mutating func next() async -> [UInt8]? {
            asked.increment()
            return chunk
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? { await next() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk, asked: asked) }
}

@Suite struct StreamTests {
    @Test func eachChunkIsSentImmediatelyAndTheHeadBeforeTheFirst() async throws {
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
            // The connection stays open.
            try await client.send(get("/"))
            #expect(try await client.read(through: "\r\n\r\n").contains("200"))
        }
    }

    @Test func chunksOfAnySizeArriveCompleteAndInOrder() async throws {
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

    @Test func aSlowReaderSlowsTheStream() async throws {
        let asked = Counter()
        let response = ServerResponse(
            body: .stream { Endless(chunk: [UInt8](repeating: 1, count: 64 << 10), asked: asked) })
        try await withServer(handler: { _ in response }) { server, port in
            let client = try WireClient(port)
            client.shrinkReceiveBuffer()
            try await client.send(get("/"))
            _ = try await client.read(through: "\r\n\r\n")
            // The kernel's buffers fill up, then no more chunks are requested.
            let isHeld = await eventually {
                let before = asked.count
                try? await Task.sleep(for: .milliseconds(50))
                return asked.count == before
            }
            #expect(isHeld)
            #expect(asked.count < 500)
        }
    }

    @Test func aDisconnectEndsTheStream() async throws {
        let ended = Signal()
        let handler: RequestHandler = { _ in
            // Only the server holds the stream.
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

    @Test func aStreamThatIgnoresCancellationIsDroppedAfterADisconnect() async throws {
        let asked = Counter()
        let response = ServerResponse(body: .stream { Endless(chunk: [1], asked: asked) })
        try await withServer(handler: { _ in response }) { server, port in
            try await onThread {
                let client = try WireClient(port)
                try client.sendNow(Array(get("/").utf8))
                _ = try client.responseHeadNow()
            }
            #expect(await eventually { server.connectionCount == 0 })
            let isAbandoned = await eventually {
                let before = asked.count
                try? await Task.sleep(for: .milliseconds(50))
                return asked.count == before
            }
            #expect(isAbandoned)
        }
    }

    @Test func aDownloadThatFailsIsAbortedAndAnotherEndsCleanly() async throws {
        struct Broken: Error {}
        for failure in [Broken(), nil] as [Broken?] {
            let response = ServerResponse(
                body: .download {
                    AsyncThrowingStream<[UInt8], any Error> { continuation in
                        for byte: UInt8 in 0..<3 { continuation.yield([UInt8](repeating: byte, count: 100_000)) }
                        continuation.finish(throwing: failure)
                    }
                })
            try await withServer(handler: { _ in response }) { _, port in
                let client = try WireClient(port)
                try await client.send(get("/"))
                if failure == nil {
                    #expect(try await client.response().body.count == 300_000)
                } else {
                    await #expect(throws: (any Error).self) { try await client.response() }
                }
            }
        }
    }

    @Test func aDownloadThatTheServersEndCutsOffIsAborted() async throws {
        let asked = Signal()
        let handler: RequestHandler = { _ in
            let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            continuation.yield([65])
            continuation.onTermination = { _ in asked.fire() }
            return ServerResponse(body: .download { stream })
        }
        try await withServer(handler: handler) { server, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            _ = try await client.read(through: "A\r\n")
            await server.shutdown(grace: .zero)
            #expect(await asked.fires())
            await #expect(throws: (any Error).self) { try await client.read(through: "0\r\n\r\n") }
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

/// Passes each event to all listeners.
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

private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

/// Opens a stream and passes its iteration to a body.
private func chunks(of response: ServerResponse) throws -> any AsyncSequence<[UInt8], Never> & Sendable {
    guard case .stream(let make) = response.body else { throw WireClient.Failure(description: "no stream") }
    return make()
}

@Suite struct EventStreamTests {
    @Test(arguments: [
        (ServerEvent(data: "a"), "data: a\n\n"), (ServerEvent(data: ""), "data: \n\n"),
        (ServerEvent(id: "7", event: "progress", data: "{}"), "id: 7\nevent: progress\ndata: {}\n\n"),
        (ServerEvent(data: "a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"),
        (ServerEvent(data: "\r\n\n\r"), "data: \ndata: \ndata: \ndata: \n\n"),
        (ServerEvent(comment: "hi\ndata: forged"), ": hi\n: data: forged\n\n"),
        (ServerEvent(id: "1\ndata: x", event: "a\r\nid: 2", data: "ü"), "id: 1data: x\nevent: aid: 2\ndata: ü\n\n"),
        (ServerEvent(id: "1\u{0}2"), "id: 12\n\n"),
        (ServerEvent(retry: .milliseconds(2500)), "retry: 2500\n\n"),
    ]) func anEventIsEncodedAsTheStandardRequires(event: ServerEvent, expected: String) {
        #expect(text(event.encoded) == expected)
    }

    @Test func theHeadersForbidBuffering() {
        let response = ServerResponse.events(
            AsyncStream { $0.finish() }, headers: ["cache-control": "private", "X-A": "1"])
        #expect(response.headers["Content-Type"] == "text/event-stream")
        #expect(response.headers["X-Accel-Buffering"] == "no")
        #expect(response.headers.values(of: "Cache-Control") == ["private"])
        #expect(response.headers["X-A"] == "1")
    }

    @Test func eventsArriveInOrderAndThenTheEnd() async throws {
        let events = AsyncStream { continuation in
            for number in 0..<100 { continuation.yield(ServerEvent(data: "\(number)")) }
            continuation.finish()
        }
        var received: [String] = []
        for await chunk in try chunks(of: .events(events)) { received.append(text(chunk)) }
        #expect(received == (0..<100).map { "data: \($0)\n\n" })
    }

    @Test func aCommentEndsEachSilence() async throws {
        let clock = ManualClock()
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        try await withServer(handler: { _ in .events(events, heartbeat: .seconds(15), clock: clock) }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            _ = try await client.read(through: "\r\n\r\n")
            for round in 1...3 {
                #expect(await eventually { clock.deadlines == [.seconds(15 * round)] })
                clock.advance(by: .seconds(15))
                #expect(try await client.read(through: "\n\n\r\n") == "4\r\n: \n\n\r\n")
            }
            // An event delays the next comment: 10 s after the last comment, so due at 70 s, not at 60.
            #expect(await eventually { clock.deadlines == [.seconds(60)] })
            clock.advance(by: .seconds(10))
            continuation.yield(ServerEvent(data: "x"))
            #expect(try await client.read(through: "\n\n\r\n").contains("data: x"))
            #expect(await eventually { clock.deadlines == [.seconds(60)] })
            clock.advance(by: .seconds(5))
            #expect(await eventually { clock.deadlines == [.seconds(70)] })
            continuation.yield(ServerEvent(data: "y"))
            // There is no comment before it.
            #expect(try await client.read(through: "\n\n\r\n") == "9\r\ndata: y\n\n\r\n")
        }
        #expect(await eventually { clock.deadlines.isEmpty })
    }

    @Test func aSilenceBeforeTheFirstReadEndsWithACommentToo() async throws {
        let clock = ManualClock()
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        let stream = try chunks(of: .events(events, heartbeat: .seconds(15), clock: clock))
        var received: [String] = []
        // The iterator starts the two tasks; the first read comes when the comment is already due.
        var iterator = stream.makeAsyncIterator()
        #expect(await eventually { clock.deadlines == [.seconds(15)] })
        clock.advance(by: .seconds(15))
        #expect(await eventually { clock.deadlines == [.seconds(30)] })
        if let chunk = try await iterator.next() { received.append(text(chunk)) }
        #expect(received == [": \n\n"])
        continuation.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func anEventIsNotRequestedBeforeTheLastOneIsTaken() async throws {
        let asked = Counter()
        let events = AsyncStream<ServerEvent> { ServerEvent(data: "\(asked.increment())") }
        let stream = try chunks(of: .events(events))
        try await first(5, of: stream)
        try await Task.sleep(for: .milliseconds(20))
        // One is taken, one is being passed on.
        #expect(asked.count <= 7)
    }

    private func first(_ count: Int, of stream: some AsyncSequence<[UInt8], Never>) async throws {
        var iterator = stream.makeAsyncIterator()
        for number in 1...count { #expect(text(await iterator.next(isolation: nil)) == "data: \(number)\n\n") }
    }

    @Test func cancellingTheReaderEndsTheSource() async throws {
        let (ended, started) = (Signal(), Signal())
        let clock = ManualClock()
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        continuation.onTermination = { _ in ended.fire() }
        let stream = try chunks(of: .events(events, clock: clock))
        let reader = Task {
            started.fire()
            for await _ in stream {}
        }
        #expect(await started.fires())
        #expect(await eventually { clock.deadlines.count == 1 })
        reader.cancel()
        await reader.value
        #expect(await ended.fires())
        #expect(await eventually { clock.deadlines.isEmpty })
    }
}
