import HTTP
import Testing

@Suite struct ServerSentEventTests {
    private func parse(_ text: String, cut size: Int = .max) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += try parser.push(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return events
    }

    /// The examples of the standard, and what real servers send.
    private static let streams: [(String, [ServerSentEvent])] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        (
            "event: add\ndata: 73857293\r\n\r\nevent: remove\rdata: 2153\r\r",
            [
                ServerSentEvent(event: "add", data: "73857293"), ServerSentEvent(event: "remove", data: "2153"),
            ]
        ),
        ("\u{FEFF}data: after the mark\n\n", [ServerSentEvent(data: "after the mark")]),
        ("\u{FEFF}\u{FEFF}data: two marks\n\n", []),
        ("event: lost\n\ndata: kept\n\n", [ServerSentEvent(data: "kept")]),
        (
            "id: 7\ndata: a\n\ndata: b\n\nid: x\0y\ndata: c\n\n",
            [
                ServerSentEvent(data: "a", id: "7"), ServerSentEvent(data: "b", id: "7"),
                ServerSentEvent(data: "c", id: "7"),
            ]
        ),
        (
            "retry: 1500\ndata: a\n\nretry: soon\ndata: b\n\n",
            [
                ServerSentEvent(data: "a", retry: .milliseconds(1500)), ServerSentEvent(data: "b"),
            ]
        ),
        ("data: ünï😀\n\n", [ServerSentEvent(data: "ünï😀")]),
        ("data: {\"a\": \"b: c\"}\n\nDATA: x\nother: y\n\n", [ServerSentEvent(data: "{\"a\": \"b: c\"}")]),
        ("data: unfinished\n", []),
    ]

    @Test(arguments: streams.indices, [1, 2, 3, 5, 7, .max])
    func aStreamMeansTheSameHoweverItIsCut(index: Int, size: Int) throws {
        let (text, expected) = Self.streams[index]
        #expect(try parse(text, cut: size) == expected)
    }

    @Test func anEventPastTheLimitIsRefusedAndCommentsCountForNothing() throws {
        var parser = ServerSentEventParser(limit: 100)
        for _ in 0..<100 { #expect(try parser.push(Array(": still here\n".utf8)) == []) }
        for _ in 0..<100 { #expect(try parser.push(Array("data: 1\n\n".utf8)).count == 1) }
        #expect(throws: HTTPClientError.bodyTooLarge(limit: 100)) {
            for _ in 0..<100 { _ = try parser.push(Array("data: 1\n".utf8)) }
        }
        var endless = ServerSentEventParser(limit: 100)
        #expect(throws: HTTPClientError.bodyTooLarge(limit: 100)) {
            for _ in 0..<100 { _ = try endless.push(Array("data".utf8)) }
        }
    }

    @Test func bytesThatAreNotUTF8AreReplaced() throws {
        var parser = ServerSentEventParser()
        let events = try parser.push(Array("data: ".utf8) + [0xFF, 0x0A, 0x0A])
        #expect(events == [ServerSentEvent(data: "\u{FFFD}")])
    }

    @Test func aBodyIsReadAsEventsUntilItsEnd() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            for piece in ["data: o", "ne\r", "\n\r\ndata: two\n\ndata: three\n\n", "data: dropped"] {
                connection.chunk(piece)
            }
            connection.endChunked()
        }
        try await withServer(script: script) { server, client in
            var data: [String] = []
            for try await event in try await client.stream(HTTPRequest(.get, server.url)).events {
                data.append(event.data)
            }
            #expect(data == ["one", "two", "three"])
        }
    }

    @Test func anEventStreamThatBreaksOffThrows() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("data: one\n\n")
        }
        try await withServer(script: script) { server, client in
            var events = try await client.stream(HTTPRequest(.get, server.url)).events.makeAsyncIterator()
            let first = try await events.next()
            #expect(first?.data == "one")
            await #expect(throws: HTTPClientError.self) { try await events.next() }
        }
    }
}
