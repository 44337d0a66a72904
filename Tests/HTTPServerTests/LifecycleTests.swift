import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite struct ListenerTests {
    @Test(arguments: ["127.0.0.1:0", "[::1]:0", "localhost:0", "0.0.0.0:0"])
    func aServerListensOnItsAddress(address: String) async throws {
        let server = HTTPServer(configuration: .init(address: address)) { ServerResponse($0.remoteAddress) }
        let bound = try server.start()
        #expect(bound.port > 0)
        let isIPv6 = bound.host.contains(":")
        let client = try WireClient(bound.port, host: isIPv6 ? "::1" : "127.0.0.1")
        try await client.send(get("/"))
        #expect(try await client.response().text == (isIPv6 ? "::1" : "127.0.0.1"))
        #expect(bound.url == (isIPv6 ? "http://[::1]:\(bound.port)" : "http://127.0.0.1:\(bound.port)"))
        await server.shutdown(grace: .zero)
    }

    @Test(arguments: [
        "", "5001", "host", ":80", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:x", "::1:80", "[127.0.0.1]:80",
    ])
    func aMalformedAddressIsNamedInTheError(address: String) {
        let server = HTTPServer(configuration: .init(address: address)) { _ in ServerResponse("") }
        #expect(throws: HTTPServerError.invalidAddress(address)) { try server.start() }
    }

    @Test func anAddressInUseIsRefusedWithTheReason() async throws {
        try await withServer(handler: { _ in ServerResponse("") }) { _, port in
            let second = HTTPServer(configuration: .init(address: "127.0.0.1:\(port)")) { _ in ServerResponse("") }
            let error = #expect(throws: HTTPServerError.self) { try second.start() }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): Address already in use")
        }
    }

    @Test func anAddressOfAnotherMachineIsRefused() {
        let server = HTTPServer(configuration: .init(address: "192.0.2.1:0")) { _ in ServerResponse("") }
        #expect(throws: HTTPServerError.self) { try server.start() }
    }
}

@Suite struct ShutdownTests {
    @Test func aRunningHandlerMayFinish() async throws {
        let (reached, release) = (Signal(), Signal())
        let server = HTTPServer { _ in
            reached.fire()
            await release.wait()
            return ServerResponse(Task.isCancelled ? "cancelled" : "finished")
        }
        let port = try server.start().port
        let client = try WireClient(port)
        try await client.send(get("/"))
        #expect(await reached.fires())
        async let stopped: Void = server.shutdown(grace: .seconds(600))
        // No new connection is accepted while the old ones are served.
        #expect(await eventually { (try? WireClient(port)) == nil })
        release.fire()
        let answer = try await client.response()
        #expect(answer.text == "finished")
        #expect(answer["Connection"] == "close")
        await stopped
        #expect(try await client.isClosed())
    }

    @Test func aHandlerOverItsGraceIsCancelled() async throws {
        let reached = Signal()
        let server = HTTPServer { _ in
            reached.fire()
            try? await Task.sleep(for: .seconds(600))
            return ServerResponse(Task.isCancelled ? "cancelled" : "finished")
        }
        let client = try WireClient(try server.start().port)
        try await client.send(get("/"))
        #expect(await reached.fires())
        async let stopped: Void = server.shutdown(grace: .milliseconds(20))
        #expect(try await client.response().text == "cancelled")
        await stopped
    }

    @Test func theServerRespondsForAHandlerThatIgnoresCancellation() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.cancellationGrace = .milliseconds(20)
        let (reached, release) = (Signal(), Signal())
        let server = HTTPServer(configuration: configuration) { _ in
            reached.fire()
            await release.wait()
            return ServerResponse("too late")
        }
        let client = try WireClient(try server.start().port)
        try await client.send(get("/"))
        #expect(await reached.fires())
        async let stopped: Void = server.shutdown(grace: .milliseconds(20))
        #expect(try await client.response().status == 503)
        await stopped
        #expect(try await client.isClosed())
        release.fire()
    }

    @Test func streamsEndCleanly() async throws {
        let ended = Counter()
        let server = HTTPServer { _ in
            let (stream, continuation) = AsyncStream<ServerEvent>.makeStream()
            continuation.onTermination = { _ in ended.increment() }
            continuation.yield(ServerEvent(data: "hello"))
            return .events(stream)
        }
        let port = try server.start().port
        let clients = try await onThread {
            try (0..<50).map { _ in
                let client = try WireClient(port)
                try client.sendNow(Array(get("/").utf8))
                _ = try client.readNow("data: hello\n\n")
                return client
            }
        }
        let begin = ContinuousClock.now
        await server.shutdown(grace: .seconds(600))
        #expect(ContinuousClock.now - begin < .seconds(120))
        for client in clients { #expect(try await client.read(through: "0\r\n\r\n").hasSuffix("0\r\n\r\n")) }
        #expect(await eventually { ended.count == 50 })
    }

    @Test func aClientThatDoesNotReadDelaysNothing() async throws {
        let server = HTTPServer { request in
            request.path == "/stream"
                ? ServerResponse(body: .stream { AsyncStream { [UInt8](repeating: 1, count: 1 << 20) } })
                : ServerResponse(bytes: [UInt8](repeating: 1, count: 20 << 20))
        }
        let port = try server.start().port
        let clients = try ["/", "/stream"].map { _ in try WireClient(port) }
        for (client, path) in zip(clients, ["/", "/stream"]) {
            client.shrinkReceiveBuffer()
            try await client.send(get(path))
            _ = try await client.read(through: "\r\n\r\n")
        }
        let begin = ContinuousClock.now
        await server.shutdown(grace: .milliseconds(50))
        #expect(ContinuousClock.now - begin < .seconds(120))
        #expect(server.connectionCount == 0)
    }

    @Test func idleAndIncompleteRequestsDelayNothing() async throws {
        let server = HTTPServer { _ in ServerResponse("") }
        let port = try server.start().port
        let (fresh, kept, half) = (try WireClient(port), try WireClient(port), try WireClient(port))
        try await kept.send(get("/"))
        #expect(try await kept.response().status == 200)
        try await half.send("GET / HT")
        #expect(await eventually { server.connectionCount == 3 })
        let begin = ContinuousClock.now
        await server.shutdown(grace: .seconds(600))
        #expect(ContinuousClock.now - begin < .seconds(120))
        for client in [fresh, kept, half] { #expect(try await client.isClosed()) }
    }

    @Test func aServerStopsUnderHeavyLoad() async throws {
        let server = HTTPServer { request in
            switch request.path {
            case "/wait": try? await Task.sleep(for: .milliseconds(2))
            case "/yield": await Task.yield()
            default: break
            }
            return ServerResponse("ok")
        }
        let port = try server.start().port
        let (answered, wrong) = (Counter(), Counter())
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try? await onThread {
                        while true {
                            let client = try WireClient(port)
                            for _ in 0..<20 {
                                try client.sendNow(Array(get(["/", "/yield", "/wait"][number % 3]).utf8))
                                let answer = try client.responseNow()
                                answered.increment()
                                if answer.text != "ok" { wrong.increment() }
                            }
                        }
                    }
                }
            }
            #expect(await eventually { answered.count > 200 })
            await server.shutdown(grace: .seconds(600))
        }
        #expect(wrong.count == 0)
    }

    @Test func serversStopBesideThreadsThatAreBusy() async throws {
        for _ in 0..<150 {
            let server = HTTPServer { _ in ServerResponse("ok") }
            let port = try server.start().port
            let answered = Counter()
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        _ = try? await onThread {
                            let client = try WireClient(port)
                            while true {
                                try client.sendNow(Array(get("/").utf8))
                                _ = try client.responseNow()
                                answered.increment()
                            }
                        }
                    }
                }
                #expect(await eventually { answered.count > 8 })
                await server.shutdown(grace: .zero)
            }
        }
    }

    @Test func stoppingTwiceOrUnstartedIsHarmless() async throws {
        let server = HTTPServer { _ in ServerResponse("") }
        await server.shutdown()
        _ = try server.start()
        await server.shutdown()
        await server.shutdown()
        #expect(throws: HTTPServerError.alreadyStarted) { try server.start() }
    }

    @Test func aReleasedServerStops() async throws {
        var port = 0
        do {
            let server = HTTPServer { _ in ServerResponse("") }
            port = try server.start().port
            #expect(try await ask(port, get("/")).status == 200)
        }
        let reached = port
        #expect(await eventually { (try? WireClient(reached)) == nil })
    }
}
