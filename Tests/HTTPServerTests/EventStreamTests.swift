import HTTP
import HTTPServer
import Testing

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
    ]) func anEventIsEncodedAsTheStandardSays(event: ServerEvent, expected: String) {
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

    @Test func eventsComeInOrderAndThenTheEnd() async throws {
        let events = AsyncStream { continuation in
            for number in 0..<100 { continuation.yield(ServerEvent(data: "\(number)")) }
            continuation.finish()
        }
        var received: [String] = []
        for await chunk in try chunks(of: .events(events)) { received.append(text(chunk)) }
        #expect(received == (0..<100).map { "data: \($0)\n\n" })
    }

    @Test func aCommentBreaksEachSilence() async throws {
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
            // An event puts the next comment off: 10 s after the last comment, so due at 70 s, not at 60.
            #expect(await eventually { clock.deadlines == [.seconds(60)] })
            clock.advance(by: .seconds(10))
            continuation.yield(ServerEvent(data: "x"))
            #expect(try await client.read(through: "\n\n\r\n").contains("data: x"))
            #expect(await eventually { clock.deadlines == [.seconds(60)] })
            clock.advance(by: .seconds(5))
            #expect(await eventually { clock.deadlines == [.seconds(70)] })
            continuation.yield(ServerEvent(data: "y"))
            // No comment stands before it.
            #expect(try await client.read(through: "\n\n\r\n") == "9\r\ndata: y\n\n\r\n")
        }
        #expect(await eventually { clock.deadlines.isEmpty })
    }

    @Test func aSilenceBeforeTheFirstQuestionIsBrokenToo() async throws {
        let clock = ManualClock()
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        let stream = try chunks(of: .events(events, heartbeat: .seconds(15), clock: clock))
        var received: [String] = []
        // Iterating begins the two tasks; the first question comes when the comment is due already.
        var iterator = stream.makeAsyncIterator()
        #expect(await eventually { clock.deadlines == [.seconds(15)] })
        clock.advance(by: .seconds(15))
        #expect(await eventually { clock.deadlines == [.seconds(30)] })
        if let chunk = try await iterator.next() { received.append(text(chunk)) }
        #expect(received == [": \n\n"])
        continuation.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func anEventIsNotAskedForBeforeTheLastOneIsTaken() async throws {
        let asked = Counter()
        let events = AsyncStream<ServerEvent> { ServerEvent(data: "\(asked.add())") }
        let stream = try chunks(of: .events(events))
        try await first(5, of: stream)
        try await Task.sleep(for: .milliseconds(20))
        // One in hand, one being handed over.
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
