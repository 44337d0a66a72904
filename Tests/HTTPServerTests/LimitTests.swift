import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite struct LimitTests {
    @Test func aConnectionOverTheLimitGetsAnErrorResponse() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.maximumConnections = 3
        try await withServer(configuration, handler: { _ in ServerResponse("in") }) { server, port in
            let clients = try (0..<3).map { _ in try WireClient(port) }
            for client in clients {
                try await client.send(get("/"))
                #expect(try await client.response().text == "in")
            }
            let late = try WireClient(port)
            try await late.send(get("/"))
            #expect(try await late.response().status == 503)
            #expect(try await late.isClosed())
            #expect(await eventually { server.connectionCount == 3 })
            try await clients[0].send(get("/"))
            #expect(try await clients[0].response().text == "in")
        }
    }

    @Test func theLimitIsNotDividedAmongThreads() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.threads = 4
        configuration.maximumConnections = 1500
        // All clients connect before the first one sends a request.
        configuration.headDeadline = .seconds(120)
        try await withServer(configuration, handler: { _ in ServerResponse("in") }) { server, port in
            let answered = try await onThread {
                let clients = try (0..<1400).map { _ in try WireClient(port) }
                for client in clients { try client.sendNow(Array(get("/").utf8)) }
                return try clients.count { try $0.responseNow().text == "in" }
            }
            #expect(answered == 1400)
        }
    }

    @Test func aHeadUpToTheLimitIsAccepted() async throws {
        let limit = HTTPServerConfiguration().maximumHeadSize
        let handler: RequestHandler = { request in
            ServerResponse(
                headers: ["X-Long": String(repeating: "y", count: 1000)],
                bytes: Array("\(request.headers["X"]?.utf8.count ?? 0)".utf8))
        }
        try await withServer(handler: handler) { _, port in
            for size in [1000, 3000, 5000, limit - 200] {
                let answer = try await ask(port, get("/", headers: "X: \(String(repeating: "x", count: size))\r\n"))
                #expect(answer.text == "\(size)")
            }
        }
    }

    @Test(arguments: [6_200, 9_000, 100_000]) func aHeadOverTheLimitIsRefused(size: Int) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/", headers: "X: \(String(repeating: "x", count: size))\r\n"))
            #expect(try await client.response().status == 431)
            #expect(try await client.isClosed())
            #expect(try await ask(port, get("/" + String(repeating: "x", count: 9_000))).status >= 400)
        }
        #expect(!reached.hasFired)
    }

    @Test(arguments: [20, 40, 60, 80, 200, 2000]) func aHeadOfManyHeadersIsAcceptedOrRefused(count: Int) async throws {
        try await withServer(handler: { ServerResponse("\($0.headers.fields.count)") }) { _, port in
            let answer = try await ask(port, get("/", headers: (0..<count).map { "X\($0): 1\r\n" }.joined()))
            #expect(answer.status == 431 || answer.text == "\(count + 1)")
            if count <= 60 { #expect(answer.status == 200) }
        }
    }

    /// The library has no memory for so many, and waits.
    @Test(arguments: [60, 84, 100, 120, 300, 1000]) func aQueryOfTooManyParametersIsRefusedAtOnce(count: Int)
        async throws
    {
        try await withServer(handler: { ServerResponse($0.path) }) { _, port in
            let query = Array(repeating: "q=a", count: count).joined(separator: "&")
            let answer = try await ask(port, get("/a?" + query))
            #expect(answer.status == (count > 60 ? 431 : 200))
        }
    }

    /// Runs in its own process, so that no other test allocates memory meanwhile.
    @Test func anIdleConnectionCostsLittleMemory() async {
        await #expect(processExitsWith: .success) {
            try await withServer(handler: { _ in ServerResponse("ok") }) { server, port in
                let before = residentMemory()
                let clients = try await onThread {
                    try (0..<2000).map { _ in
                        let client = try WireClient(port)
                        try client.sendNow(Array(get("/").utf8))
                        _ = try client.responseNow()
                        client.forgetBuffer()
                        return client
                    }
                }
                let each = (residentMemory() - before) / clients.count
                // The library uses 8 KiB of it; the clients of this test are counted, too.
                guard each < 14 << 10, server.connectionCount == clients.count else { exit(3) }
            }
        }
    }

    /// Runs in its own process, so that no other test opens descriptors meanwhile.
    @Test func noDescriptorIsLeftOpen() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                try await serveMany()
            }
            let before = openDescriptors()
            for _ in 0..<30 { try await serveMany() }
            // The clients' sockets close when their threads release them.
            guard await eventually({ openDescriptors() <= before }) else { exit(1) }
        }
    }
}

private func residentMemory() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, Int32(line.count), file)
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(getpagesize())
}

private func openDescriptors() -> Int {
    (0..<4096).count { fcntl($0, F_GETFD) != -1 }
}

/// Starts a server, ends connections in every way, and stops it.
private func serveMany() async throws {
    let handler: RequestHandler = { request in
        switch request.path {
        case "/wait":
            try? await Task.sleep(for: .seconds(600))
            return ServerResponse("")
        case "/stream": return .events(AsyncStream { _ in })
        default: return ServerResponse("ok")
        }
    }
    try await withServer(handler: handler) { server, port in
        try await onThread {
            for path in ["/", "/wait", "/stream", "/%zz"] {
                for _ in 0..<5 {
                    let client = try WireClient(port)
                    try client.sendNow(Array(get(path).utf8))
                    if path != "/wait" { _ = try client.readNow("\r\n\r\n") }
                }
            }
        }
        guard await eventually({ server.connectionCount == 0 }) else { exit(2) }
    }
}

@Suite struct DeadlineTests {
    /// Longer than a busy machine takes between two steps of a test.
    private static let deadline: Duration = .seconds(3)
    private static let longer: Duration = .seconds(4)

    /// Sends one byte after another, slowly, until the server aborts the connection, long before the end. The pauses
    /// are shorter than any idle timeout.
    private func isAborted(_ text: String, to client: WireClient) async throws -> Bool {
        for byte in text.utf8 {
            do { try await client.send([byte]) } catch { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func aSlowHeadMeetsItsDeadline() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.headDeadline = .milliseconds(150)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            let head = get("/", headers: "X: \(String(repeating: "x", count: 5000))\r\n")
            #expect(try await isAborted(head, to: client))
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aLateHeadGetsATimeoutResponse() async throws {
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

    @Test func aSlowBodyMeetsItsDeadline() async throws {
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
            #expect(try await isAborted(String(repeating: "x", count: 9000), to: client))
            #expect(await eventually { server.connectionCount == 0 })
            #expect(!reached.hasFired)
        }
    }

    @Test func aLateBodyGetsATimeoutResponse() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bodyDeadline = .milliseconds(50)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nhalf")
            #expect(try await client.response().status == 408)
            #expect(try await client.isClosed())
        }
    }

    @Test func theRequestDeadlinesDoNotApplyToHandlers() async throws {
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

    @Test func aKeptAliveConnectionOutlivesTheHeadDeadline() async throws {
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
