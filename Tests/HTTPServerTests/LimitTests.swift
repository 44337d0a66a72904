import Glibc
import HTTP
import HTTPServer
import Testing

@Suite struct LimitTests {
    @Test func aConnectionOverTheLimitIsToldSo() async throws {
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
        // All connect before the first one asks.
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

    @Test func aHeadUpToTheLimitIsTaken() async throws {
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

    @Test(arguments: [20, 40, 60, 80, 200, 2000]) func aHeadOfManyHeadersIsTakenOrRefused(count: Int) async throws {
        try await withServer(handler: { ServerResponse("\($0.headers.fields.count)") }) { _, port in
            let answer = try await ask(port, get("/", headers: (0..<count).map { "X\($0): 1\r\n" }.joined()))
            #expect(answer.status == 431 || answer.text == "\(count + 1)")
            if count <= 60 { #expect(answer.status == 200) }
        }
    }

    /// In a process of its own, so that no other test takes memory meanwhile.
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
                // 8 KiB of it is the library's; clients of this test come on top.
                guard each < 14 << 10, server.connectionCount == clients.count else { exit(3) }
            }
        }
    }

    /// In a process of its own, so that no other test opens anything meanwhile.
    @Test func nothingIsLeftOpen() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                try await serveMany()
            }
            let before = openDescriptors()
            for _ in 0..<30 { try await serveMany() }
            // The clients' sockets close when their threads let go of them.
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

/// Starts a server, uses it in all ways in which connections end, and stops it.
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
