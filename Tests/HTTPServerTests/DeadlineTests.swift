import HTTP
import HTTPServer
import Testing

@Suite struct DeadlineTests {
    /// Sends one byte after another, slowly, until the server has had enough. The pauses are shorter than any idle timeout.
    private func trickle(_ text: String, to client: WireClient) async throws -> Int {
        for (index, byte) in text.utf8.enumerated() {
            do { try await client.send([byte]) } catch { return index }
            try await Task.sleep(for: .milliseconds(10))
        }
        return text.utf8.count
    }

    @Test func aTrickledHeadMeetsItsDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = .milliseconds(150)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            let head = get("/", headers: "X: \(String(repeating: "x", count: 600))\r\n")
            let sent = try await trickle(head, to: client)
            #expect(sent < head.utf8.count / 2)
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aLateHeadIsAnsweredWithATimeout() async throws {
        var configuration = HTTPServerConfiguration { error, _ in
            ServerResponse(status: error.status, bytes: Array("late".utf8))
        }
        configuration.headDeadline = .milliseconds(50)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            try await client.send("GET / HTTP/1.1\r\nHost: te")
            let answer = try await client.response()
            #expect(answer.status == 408)
            #expect(answer.text == "late")
            #expect(answer["Connection"] == "close")
            #expect(try await client.isClosed())
        }
    }

    @Test func aTrickledBodyMeetsItsDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bodyDeadline = .milliseconds(150)
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(configuration, handler: handler) { server, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n")
            let sent = try await trickle(String(repeating: "x", count: 600), to: client)
            #expect(sent < 300)
            #expect(await eventually { server.connectionCount == 0 })
            #expect(!reached.hasFired)
        }
    }

    @Test func aLateBodyIsAnsweredWithATimeout() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bodyDeadline = .milliseconds(50)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nhalf")
            #expect(try await client.response().status == 408)
            #expect(try await client.isClosed())
        }
    }

    @Test func aHandlerIsUnderNoDeadlineOfTheRequest() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = .milliseconds(30)
        configuration.bodyDeadline = .milliseconds(30)
        let handler: RequestHandler = { _ in
            try? await Task.sleep(for: .milliseconds(200))
            return ServerResponse(Task.isCancelled ? "cancelled" : "done")
        }
        try await withServer(configuration, handler: handler) { _, port in
            let answer = try await ask(port, "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nok")
            #expect(answer.text == "done")
        }
    }

    @Test func aConnectionThatIsKeptAliveOutlastsTheHeadDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = .milliseconds(60)
        try await withServer(configuration, handler: { ServerResponse($0.path) }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/a"))
            #expect(try await client.response().text == "/a")
            try await Task.sleep(for: .milliseconds(200))
            try await client.send(get("/b"))
            #expect(try await client.response().text == "/b")
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.idleTimeout = .seconds(1)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            #expect(try await client.response().status == 200)
            #expect(try await client.isClosed())
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}
