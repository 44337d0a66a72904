import Testing

@testable import HTTP

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Sat, 21 Nov 2026 23:59:60 GMT", 1_795_305_600),
        ("Fri, 31 Dec 2100 00:00:00 GMT", 4_133_894_400), ("Wednesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ])
    func theThreeFormatsAreRead(text: String, seconds: Int) {
        #expect(HTTPDate(text)?.secondsSinceEpoch == seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2100 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func otherTextsAreNoDates(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}

@Suite struct RetryAfterTests {
    private let now = HTTPDate(secondsSinceEpoch: 784_111_777)

    @Test(arguments: [
        ("Retry-After", "0", Duration.zero), ("Retry-After", "120", .seconds(120)),
        ("retry-after", "0.5", .milliseconds(500)), ("retry-after-ms", "1500", .milliseconds(1500)),
        ("Retry-After-Ms", "12.5", .milliseconds(13)), ("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
        ("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ])
    func theWaitIsRead(name: String, value: String, expected: Duration) {
        #expect(RetryAfter.parse(HTTPHeaders([(name, value)]), now: now) == expected)
    }

    @Test(arguments: ["", "-1", "nan", "inf", "soon", "1e300", "40000000", "Sun, 06 Nov 2094 08:50:37 GMT"])
    func aWaitThatMakesNoSenseIsNone(value: String) {
        #expect(RetryAfter.parse(["Retry-After": value], now: now) == nil)
    }

    @Test func millisecondsOverrideSeconds() {
        #expect(RetryAfter.parse(["Retry-After": "9", "retry-after-ms": "20"], now: now) == .milliseconds(20))
        #expect(RetryAfter.parse(["Retry-After": "9", "retry-after-ms": "?"], now: now) == .seconds(9))
        #expect(RetryAfter.parse([:], now: now) == nil)
    }
}

@Suite struct PercentEncodingTests {
    @Test func allButUnreservedCharactersAreEncoded() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a/b?c&d=e+f g%#") == "a%2Fb%3Fc%26d%3De%2Bf%20g%25%23")
        #expect(PercentEncoding.encode("ü😀\n") == "%C3%BC%F0%9F%98%80%0A")
    }

    @Test func aQueryKeepsItsOrderAndRepetitions() {
        #expect(URLQuery.encode([("b", "1 2"), ("a", ""), ("b", "&=")]) == "b=1%202&a=&b=%26%3D")
        #expect(URLQuery.encode([]) == "")
    }

    @Test(arguments: [
        ("http://h", "v1/x", "http://h/v1/x"), ("http://h/", "/v1/x", "http://h/v1/x"),
        ("http://h/base/", "v1", "http://h/base/v1"), ("http://h/base", "/v1/", "http://h/base/v1/"),
        ("http://h/base", "", "http://h/base"),
    ])
    func aBaseAndAPathMeetInOneSlash(base: String, path: String, joined: String) {
        #expect(URLPath.join(base, path) == joined)
        #expect(URLPath.join(base, path, query: [("a", "b c")]) == joined + "?a=b%20c")
    }

    @Test func aQueryExtendsTheQueryOfThePath() {
        #expect(URLPath.join("http://h", "x?k=v", query: [("a", "b")]) == "http://h/x?k=v&a=b")
    }
}

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

    /// The examples of the standard, and streams of real servers.
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

    @Test func anEventOverTheLimitIsRefusedAndCommentsDoNotCount() throws {
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

    @Test func anIncompleteEventStreamThrows() async throws {
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
