import HTTP
import HTTPServer
import TestSupport
import Testing

private let limit = 10_000

private var configuration: HTTPServerConfiguration {
    var configuration = HTTPServerConfiguration()
    configuration.maximumBodySize = limit
    return configuration
}

/// Responds with the length and the sum of the body.
private let measure: RequestHandler = { request in
    ServerResponse("\(request.body.count) \(request.body.reduce(0) { $0 &+ UInt64($1) })")
}

private func post(_ count: Int) -> [UInt8] {
    Array("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: \(count)\r\n\r\n".utf8)
        + [UInt8](repeating: 1, count: count)
}

private func postChunked(_ count: Int, chunk: Int = 1000) -> [UInt8] {
    var bytes = Array("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    for start in stride(from: 0, to: count, by: chunk) {
        let size = min(chunk, count - start)
        bytes += Array((String(size, radix: 16) + "\r\n").utf8) + [UInt8](repeating: 1, count: size) + [13, 10]
    }
    return bytes + Array("0\r\n\r\n".utf8)
}

@Suite struct BodyTests {
    @Test(arguments: [0, 1, 7999, limit]) func aBodyUpToTheLimitIsAccepted(size: Int) async throws {
        try await withServer(configuration, handler: measure) { _, port in
            let client = try WireClient(port)
            for bytes in [post(size), postChunked(size), post(size)] {
                try await client.send(bytes)
                #expect(try await client.response().text == "\(size) \(size)")
            }
        }
    }

    @Test func aChunkedBodyOverTheLimitIsReadToItsEndAndRefused() async throws {
        let reached = Counter()
        let handler: RequestHandler = { request in
            if !request.body.isEmpty { reached.increment() }
            return ServerResponse("next")
        }
        try await withServer(configuration, handler: handler) { _, port in
            for size in [limit + 1, limit * 20] {
                let client = try WireClient(port)
                try await client.send(postChunked(size))
                #expect(try await client.response().status == 413)
                // Its end was found, so the connection can be used again.
                try await client.send(get("/"))
                #expect(try await client.response().text == "next")
            }
        }
        #expect(reached.count == 0)
    }

    @Test func anEndlessBodyIsAborted() async throws {
        try await withServer(configuration, handler: measure) { server, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 1, count: 0x10000) + [13, 10]
            await #expect(throws: WireClient.Failure.self) {
                for _ in 0..<10_000 { try await client.send(chunk) }
            }
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func anAnnouncedBodyOverTheLimitIsRefused() async throws {
        try await withServer(configuration, handler: { _ in ServerResponse("next") }) { _, port in
            let client = try WireClient(port)
            try await client.send(post(limit + 1))
            #expect(try await client.response().status == 413)
            try await client.send(get("/"))
            #expect(try await client.response().text == "next")
            // A body this large is not read at all.
            let answer = try await ask(port, "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 999999999999\r\n\r\n")
            #expect(answer.status == 413)
            #expect(answer["Connection"] == "close")
        }
    }

    @Test func aClientThatExpectsContinueReceivesIt() async throws {
        try await withServer(configuration, handler: measure) { _, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.response().status == 100)
            try await client.send([1, 1, 1])
            #expect(try await client.response().text == "3 3")
        }
    }

    @Test func aClientThatExpectsContinueIsRefusedBeforeItSends() async throws {
        try await withServer(configuration, handler: measure) { _, port in
            let answer = try await ask(
                port, "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10001\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.status == 413)
        }
    }

    @Test func aBodyMayArriveInPartsOfAnySize() async throws {
        try await withServer(configuration, handler: measure) { _, port in
            let client = try WireClient(port)
            let bytes = postChunked(25, chunk: 7) + post(3)
            for byte in bytes { try await client.send([byte]) }
            #expect(try await client.response().text == "25 25")
            #expect(try await client.response().text == "3 3")
        }
    }

    @Test func anIncompleteBodyReachesNoHandler() async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { server, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
            client.finishSending()
            #expect(try await client.isClosed())
            #expect(await eventually { server.connectionCount == 0 })
            #expect(!reached.hasFired)
        }
    }
}
