import HTTP
import HTTPServer
import TestSupport
import Testing

/// Requests whose end or text two servers could read differently. Each is refused and its connection closed, so that
/// nothing after it is taken for a request.
@Suite struct SmugglingTests {
    static let heads = [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "content-length: 6\r\nCONTENT-LENGTH: 5\r\n",
        "Content-Length: 5, 6\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding:\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Content-Length : 5\r\n",
        "Host: other\r\n",
        "X\0: a\r\n",
        "X: a\0b\r\n",
        "X: a\0b\r\nY: c\r\n",
        "X: a\rb\r\n",
        "X: a\u{1}b\r\n",
        "X: a\u{7F}b\r\n",
        "X(Y): a\r\n",
        "X Y: a\r\n",
        ": a\r\n",
        ": a\r\nY: c\r\n",
        "X: a\r\n folded\r\n",
        "X: a\r\n\tfolded\r\nY: c\r\n",
        " X: a\r\n",
        "no colon\r\n",
        "X: a\n",
        "X: a\nY: c\r\n",
        "X: a\r\nY: c\n",
        "\n",
        "Content-Length: 5\nX: a\r\n",
        "Content-Length: 5\r\nContent-Length: five\r\n",
        "Content-Length: 5;\r\n",
        "Content-Length: 5\r\r\n",
        "Transfer-Encoding: chunked\n",
    ]

    @Test(arguments: heads) func anAmbiguousHeadIsRefused(head: String) async throws {
        let smuggled = Counter()
        let handler: RequestHandler = { request in
            smuggled.increment()
            return ServerResponse(request.path)
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(
                "POST /first HTTP/1.1\r\nHost: test\r\n\(head)\r\n0\r\n\r\nGET /second HTTP/1.1\r\nHost: t\r\n\r\n")
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
        }
        #expect(smuggled.count == 0)
    }

    @Test func aHeaderThatIsNotUTF8IsRefused() async throws {
        try await withServer(handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            try await client.send(
                Array("GET / HTTP/1.1\r\nHost: test\r\nX: ".utf8) + [0xFF, 0xFE] + Array("\r\n\r\n".utf8))
            #expect(try await client.response().status == 400)
        }
    }

    @Test(arguments: [
        "GET /a\0b HTTP/1.1", "GET /%00 HTTP/1.1", "GET /a%0 HTTP/1.1", "GET /%zz HTTP/1.1", "GET /% HTTP/1.1",
        "GET /%ff%fe HTTP/1.1", "GET /?a=%00 HTTP/1.1", "GET /?a=%g1 HTTP/1.1", "GET /?%c3= HTTP/1.1",
        "GET /a b HTTP/1.1", "GET /a#b HTTP/1.1", "GET  /a HTTP/1.1", "GET /a\u{1} HTTP/1.1", "GET a HTTP/1.1",
        "GET * HTTP/1.1", "GET ftp://h/ HTTP/1.1", "GET http:// HTTP/1.1", "GET http://u@h/ HTTP/1.1",
        "CONNECT h:80 HTTP/1.1", "G@T{ / HTTP/1.1", "G\0ET / HTTP/1.1", "GET /a\tb HTTP/1.1",
    ]) func aMalformedRequestLineIsRefused(line: String) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send("\(line)\r\nHost: test\r\n\r\n")
            #expect(try await client.response().status == 400)
            #expect(try await client.isClosed())
        }
        #expect(!reached.hasFired)
    }

    @Test func aRequestWithoutHostIsRefused() async throws {
        try await withServer(handler: { _ in ServerResponse("") }) { _, port in
            let answer = try await ask(port, "GET / HTTP/1.1\r\n\r\n")
            #expect(answer.status == 400)
        }
    }

    @Test(arguments: ["zz\r\nhello\r\n0\r\n\r\n", "5\r\nhelloworld\r\n0\r\n\r\n", "-1\r\n\r\n"])
    func malformedChunksAreRefused(body: String) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
            #expect(try await client.response().status == 400)
            #expect(try await client.isClosed())
        }
        #expect(!reached.hasFired)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: t\r\n\r\n", "GET / HTTP/1.1\r\nHost: t\n\r\n", "GET / HTTP/1.1\r\nHost: t\r\n\n",
        "GET / HTTP/1.1\nHost: t\n\n", "GET / HTTP/1.1\rHost: t\r\n\r\n", "GET / HTTP/1.0\n\n",
    ])
    func aLineOfAHeadEndsWithBothLetters(head: String) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(head + get("/second", headers: "Connection: close\r\n"))
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
        }
        #expect(!reached.hasFired)
    }

    @Test func aMalformedLengthThatArrivesSlowlyIsAnsweredOnce() async throws {
        try await withServer(handler: { ServerResponse($0.path) }) { _, port in
            // Others are in the middle of their heads on the same threads.
            let others = try (0..<8).map { _ in try WireClient(port) }
            for other in others { try await other.send("GET /other HTTP/1.1\r\nHost: t\r\n") }
            let client = try WireClient(port)
            for part in ["POST / HTTP/1.1\r\n", "Host: t\r\nConte", "nt-Length: 1x\r\n", "X: y\r\n\r", "\n"] {
                try await client.send(part)
                await Task.yield()
            }
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("Content-Length is not a number"), "\(text)")
            #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
            for other in others {
                try await other.send("\r\n")
                #expect(try await other.response().text == "/other")
            }
        }
    }

    @Test(arguments: [
        "2\nab\r\n0\r\n\r\n", "2;a\nb\r\nab\r\n0\r\n\r\n", "2;a\rb\r\nab\r\n0\r\n\r\n", "2\rab\r\n0\r\n\r\n",
        "2\r\nab\n3\r\ncde\r\n0\r\n\r\n", "2\r\nab\r\n3\ncde\r\n0\r\n\r\n", "2\r\nab\r\n3;x\ny\r\ncde\r\n0\r\n\r\n",
        "2;\u{1}\r\nab\r\n0\r\n\r\n", "2;a=\"\r\"\r\nab\r\n0\r\n\r\n",
    ])
    func aChunkWithALoneLineFeedOrReturnIsRefused(body: String) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(
                "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(body)" + get("/second"))
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
            #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
        }
        #expect(!reached.hasFired)
    }

    @Test func wellFormedChunksAreAcceptedInPiecesOfAnySize() async throws {
        let body = "2\r\nab\r\n3;x=\"y z\"\r\n\r\nc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
        let bytes = Array("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8)
        try await withServer(handler: { ServerResponse(bytes: $0.body) }) { _, port in
            for size in [1, 2, 3, 5, 7, 11, 64, bytes.count] {
                let client = try WireClient(port)
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try await client.send(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                #expect(try await client.response().text == "ab\r\nc0123456789", "\(size)")
            }
        }
    }

    @Test func equalContentLengthsAreAccepted() async throws {
        try await withServer(handler: { ServerResponse(bytes: $0.body) }) { _, port in
            let head = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"
            let answer = try await ask(port, head)
            #expect(answer.text == "ok")
        }
    }

    @Test func anAbsoluteTargetOverridesTheHostHeader() async throws {
        let handler: RequestHandler = {
            ServerResponse("\($0.path) \($0.query("q") ?? "-") \($0.headers.values(of: "host"))")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send("GET http://real:80/a?q=1 HTTP/1.1\r\nHost: forged\r\n\r\n")
            #expect(try await client.response().text == #"/a 1 ["real:80"]"#)
            try await client.send("GET HTTPS://real?q=1 HTTP/1.1\r\nHost: forged\r\n\r\n")
            #expect(try await client.response().text == #"/ 1 ["real"]"#)
        }
    }

    @Test func emptyLinesBeforeARequestAreSkipped() async throws {
        try await withServer(handler: { ServerResponse($0.path) }) { _, port in
            let client = try WireClient(port)
            try await client.send("\r\n\r\n" + get("/a") + "\r\n" + get("/b", headers: "X: 1\r\n"))
            #expect(try await client.response().text == "/a")
            #expect(try await client.response().text == "/b")
        }
    }
}
