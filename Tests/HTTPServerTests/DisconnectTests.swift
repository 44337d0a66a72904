import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite struct DisconnectTests {
    @Test(arguments: [true, false]) func aClientThatDisconnectsCancelsItsHandler(inline: Bool) async throws {
        var configuration = HTTPServerConfiguration()
        configuration.startsHandlersInline = inline
        let (reached, cancelled) = (Signal(), Signal())
        let handler: RequestHandler = { _ in
            reached.fire()
            do { try await Task.sleep(for: .seconds(600)) } catch { cancelled.fire() }
            return ServerResponse("")
        }
        try await withServer(configuration, handler: handler) { server, port in
            do {
                let client = try WireClient(port)
                try await client.send(get("/"))
                #expect(await reached.fires())
                #expect(!cancelled.hasFired)
            }
            #expect(await cancelled.fires())
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aLaterRequestOfAConnectionIsCancelledToo() async throws {
        let (reached, cancelled) = (Signal(), Signal())
        let handler: RequestHandler = { request in
            if request.path == "/short" {
                await Task.yield()
                return ServerResponse("short")
            }
            reached.fire()
            do { try await Task.sleep(for: .seconds(600)) } catch { cancelled.fire() }
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            do {
                let client = try WireClient(port)
                for _ in 0..<3 {
                    try await client.send(get("/short"))
                    #expect(try await client.response().text == "short")
                }
                try await client.send(get("/long"))
                #expect(await reached.fires())
            }
            #expect(await cancelled.fires())
        }
    }

    @Test func aClientThatStopsSendingStillGetsItsResponse() async throws {
        let (reached, release) = (Signal(), Signal())
        let handler: RequestHandler = { _ in
            reached.fire()
            await release.wait()
            return ServerResponse("answer")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            #expect(await reached.fires())
            client.finishSending()
            release.fire()
            #expect(try await client.response().text == "answer")
        }
    }

    @Test(arguments: ["/", "/yield", "/stream"]) func noConnectionOutlivesAClientThatDisconnectsEarly(path: String)
        async throws
    {
        let handler: RequestHandler = { request in
            if request.path == "/yield" { await Task.yield() }
            return request.path == "/stream" ? .events(AsyncStream { _ in }) : ServerResponse("ok")
        }
        try await withServer(handler: handler) { server, port in
            for way in 0..<3 {
                try await onThread {
                    for _ in 0..<50 {
                        let client = try WireClient(port)
                        try client.sendNow(Array(get(path).utf8))
                        // Disconnects immediately, or before it reads, or after the head.
                        if way == 2 { _ = try client.responseHeadNow() }
                        guard way == 1 else { continue }
                        client.finishSending()
                        // Answered, or closed: libmicrohttpd takes an end of file for a disconnect when it reads it
                        // before there is a response.
                        _ = try? client.responseHeadNow()
                    }
                }
                #expect(await eventually { server.connectionCount == 0 })
            }
        }
    }

    @Test func aResponseAfterTheDisconnectIsHarmless() async throws {
        let (reached, release, done) = (Signal(), Signal(), Signal())
        let handler: RequestHandler = { request in
            guard request.path == "/slow" else { return ServerResponse("fine") }
            reached.fire()
            await release.wait()
            defer { done.fire() }
            return ServerResponse(bytes: [UInt8](repeating: 1, count: 1 << 20))
        }
        try await withServer(handler: handler) { server, port in
            do {
                let client = try WireClient(port)
                try await client.send(get("/slow"))
                #expect(await reached.fires())
            }
            release.fire()
            #expect(await done.fires())
            #expect(await eventually { server.connectionCount == 0 })
            #expect(try await ask(port, get("/")).text == "fine")
        }
    }
}
