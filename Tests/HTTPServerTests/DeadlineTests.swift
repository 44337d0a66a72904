import HTTP
import HTTPServer
import Testing

@Suite struct DeadlineTests {
    /// Longer than a busy machine takes from one step of a test to the next.
    private static let deadline: Duration = .seconds(3)
    private static let longer: Duration = .seconds(4)

    /// Sends one byte after another, slowly, until the server has had enough, which is long before the end. The pauses
    /// are shorter than any idle timeout.
    private func isBrokenOff(_ text: String, to client: WireClient) async throws -> Bool {
        for byte in text.utf8 {
            do { try await client.send([byte]) } catch { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func aTrickledHeadMeetsItsDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = .milliseconds(150)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            let head = get("/", headers: "X: \(String(repeating: "x", count: 5000))\r\n")
            #expect(try await isBrokenOff(head, to: client))
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aLateHeadIsAnsweredWithATimeout() async throws {
        var configuration = HTTPServerConfiguration { error, _ in
            ServerResponse(status: error.status, bytes: Array("late".utf8))
        }
        configuration.headDeadline = Self.deadline
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
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10000\r\n\r\n")
            #expect(try await isBrokenOff(String(repeating: "x", count: 9000), to: client))
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
        configuration.headDeadline = Self.deadline
        configuration.bodyDeadline = Self.deadline
        let handler: RequestHandler = { _ in
            try? await Task.sleep(for: Self.longer)
            return ServerResponse(Task.isCancelled ? "cancelled" : "done")
        }
        try await withServer(configuration, handler: handler) { _, port in
            let answer = try await ask(port, "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nok")
            #expect(answer.text == "done")
        }
    }

    @Test func aConnectionThatIsKeptAliveOutlastsTheHeadDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = Self.deadline
        try await withServer(configuration, handler: { ServerResponse($0.path) }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/a"))
            #expect(try await client.response().text == "/a")
            try await Task.sleep(for: Self.longer)
            try await client.send(get("/b"))
            #expect(try await client.response().text == "/b")
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.idleTimeout = Self.deadline
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            #expect(try await client.response().status == 200)
            #expect(try await client.isClosed())
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}
