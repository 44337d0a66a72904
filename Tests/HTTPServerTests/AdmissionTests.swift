import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing

/// A request is refused by its head, before its body is read.
@Suite struct HeadCheckTests {
    /// Refuses requests without a token; reads 10 bytes of the others.
    private static func configuration(_ asked: Counter = Counter()) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.checkHead = { request in
            asked.increment()
            guard request.headers["Token"] == nil else { return .readBody(upTo: 10) }
            return .refuse(ServerResponse(status: 401, headers: ["X-Reason": "no token"], bytes: Array("who?".utf8)))
        }
        return configuration
    }

    private static func head(_ fields: String) -> String { "POST /a HTTP/1.1\r\nHost: t\r\n\(fields)\r\n" }

    @Test(arguments: ["Content-Length: 1000000\r\n", "Transfer-Encoding: chunked\r\n"])
    func aRefusedRequestIsAnsweredBeforeItsBodyArrives(framing: String) async throws {
        let reached = Signal()
        let handler: RequestHandler = { _ in
            reached.fire()
            return ServerResponse("")
        }
        try await withServer(Self.configuration(), handler: handler) { server, port in
            let client = try WireClient(port)
            try await client.send(Self.head(framing))
            let answer = try await client.response()
            #expect(answer.status == 401 && answer.text == "who?" && answer["X-Reason"] == "no token")
            #expect(answer["Connection"] == "close")
            #expect(try await client.isClosed())
            #expect(await eventually { server.connectionCount == 0 })
        }
        #expect(!reached.hasFired)
    }

    @Test func aClientThatSendsBeforeItReadsGetsTheRefusal() async throws {
        try await withServer(Self.configuration(), handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            let body = [UInt8](repeating: 65, count: 1 << 20)
            try await client.send(Array(Self.head("Content-Length: \(body.count)\r\n").utf8) + body)
            // The request that follows is dropped with the body.
            try? await client.send(get("/second"))
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 401 ") && text.hasSuffix("who?"))
            #expect(text.ranges(of: "HTTP/1.1").count == 1)
        }
    }

    @Test func aRefusedBodyThatNeverEndsIsCutAfterItsGrace() async throws {
        var configuration = Self.configuration()
        configuration.refusedBodyGrace = .milliseconds(20)
        configuration.headDeadline = .milliseconds(200)
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { server, port in
            let client = try WireClient(port)
            try await client.send(Self.head("Content-Length: 1000000\r\n") + "begin")
            #expect(try await client.response().status == 401)
            // The client keeps its side open.
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func aRefusedClientThatWaitsToContinueIsNotTold() async throws {
        try await withServer(Self.configuration(), handler: { _ in ServerResponse("") }) { _, port in
            let client = try WireClient(port)
            try await client.send(Self.head("Content-Length: 5\r\nExpect: 100-continue\r\n"))
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 401 ") && !text.contains("100 Continue"))
        }
    }

    @Test func anAcceptedHeadHasALimitOfItsOwn() async throws {
        let handler: RequestHandler = { ServerResponse("\($0.headWasChecked) \($0.body.count)") }
        try await withServer(Self.configuration(), handler: handler) { _, port in
            func answer(_ length: Int) async throws -> WireResponse {
                let body = String(repeating: "x", count: length)
                return try await ask(port, Self.head("Token: t\r\nContent-Length: \(length)\r\n") + body)
            }
            #expect(try await answer(10).text == "true 10")
            #expect(try await answer(11).status == 413)
            #expect(try await answer(100_000).status == 413)
            let chunked = try await ask(
                port, Self.head("Token: t\r\nTransfer-Encoding: chunked\r\n") + "B\r\n12345678901\r\n0\r\n\r\n")
            #expect(chunked.status == 413)
        }
    }

    @Test func aRequestWithoutABodyIsLeftToItsHandler() async throws {
        let asked = Counter()
        try await withServer(Self.configuration(asked), handler: { ServerResponse("\($0.headWasChecked)") }) {
            _, port in
            let answer = try await ask(port, get("/"))
            #expect(answer.text == "false")
        }
        #expect(asked.count == 0)
    }
}

@Suite struct UnfinishedBodyTests {
    @Test func unfinishedBodiesShareTheirMemory() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.unfinishedBodies = 4 << 20
        try await withServer(configuration, handler: { ServerResponse("\($0.body.count)") }) { server, port in
            let size = 1 << 20
            func begin(_ source: String) async throws -> WireClient {
                let client = try WireClient(port, source: source)
                let head = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: \(size)\r\n\r\n"
                try await client.send(Array(head.utf8) + [UInt8](repeating: 65, count: size - 1))
                return client
            }
            // A quarter of the memory belongs to one address: its second body has no room.
            let first = try await begin("127.0.0.2")
            #expect(await eventually { server.unfinishedBodyBytes == size })
            let second = try await begin("127.0.0.2")
            let refused = try await second.response()
            #expect(refused.status == 503 && refused.text.contains("\(1 << 20) bytes"))
            #expect(try await second.isClosed())
            // Other addresses have theirs, until all of it is used.
            let others = try await [begin("127.0.0.3"), begin("127.0.0.4"), begin("127.0.0.5")]
            #expect(await eventually { server.unfinishedBodyBytes == 4 << 20 })
            let last = try await begin("127.0.0.6")
            #expect(try await last.response().status == 503)
            // What was refused does not count, and neither does what is complete.
            for client in [first] + others {
                try await client.send("A")
                #expect(try await client.response().text == "\(size)")
            }
            #expect(server.unfinishedBodyBytes == 0)
            let again = try await begin("127.0.0.2")
            try await again.send("A")
            #expect(try await again.response().text == "\(size)")
        }
    }

    @Test func anAbortedBodyGivesItsMemoryBack() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.unfinishedBodies = 1 << 20
        configuration.maximumBodySize = 1 << 20
        try await withServer(configuration, handler: { ServerResponse("\($0.body.count)") }) { server, port in
            for _ in 0..<5 {
                try await onThread {
                    let client = try WireClient(port)
                    let head = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n"
                    try client.sendNow(Array(head.utf8) + [UInt8](repeating: 65, count: 900_000))
                }
                #expect(await eventually { server.connectionCount == 0 })
            }
            let body = String(repeating: "x", count: 1_000_000)
            let request = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n" + body
            // The server may accept the last of the clients only after it has left.
            #expect(try await eventually { try await ask(port, request).text == "1000000" })
        }
    }

    @Test func anAnnouncedLengthTakesNoMemory() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.unfinishedBodies = 1 << 20
        try await withServer(configuration, handler: { ServerResponse("\($0.body.count)") }) { _, port in
            let idle = try (0..<50).map { _ in try WireClient(port) }
            for client in idle {
                try await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n")
            }
            let answer = try await ask(port, "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nok")
            #expect(answer.text == "2")
        }
    }
}

@Suite struct AddressLimitTests {
    private static func configuration(_ limit: Int, trusting: [String] = []) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.connectionsPerAddress = limit
        configuration.trustedProxies = trusting.compactMap { CIDRBlock($0) }
        return configuration
    }

    @Test func oneAddressHasALimitOfConnectionsAndOthersAreServed() async throws {
        try await withServer(Self.configuration(3), handler: { ServerResponse($0.remoteAddress) }) { server, port in
            let first = try (0..<3).map { _ in try WireClient(port, source: "127.0.0.2") }
            #expect(await eventually { server.connectionCount == 3 })
            let over = try WireClient(port, source: "127.0.0.2")
            try await over.send(get("/"))
            let refused = try await over.response()
            #expect(refused.status == 503 && refused.text.contains("3 connections"))
            #expect(try await over.isClosed())
            let other = try WireClient(port, source: "127.0.0.3")
            try await other.send(get("/"))
            #expect(try await other.response().text == "127.0.0.3")
            for client in first {
                try await client.send(get("/"))
                #expect(try await client.response().text == "127.0.0.2")
            }
        }
    }

    @Test func aMappedAddressIsTheIPv4AddressThatItHolds() async throws {
        let configuration = Self.configuration(3, trusting: ["127.0.0.0/8"])
        try await withServer(configuration, handler: { ServerResponse($0.clientAddress) }) { _, port in
            for named in ["::ffff:20.1.1.1", "[::ffff:20.1.1.1]:80", "::ffff:1401:101", "20.1.1.1"] {
                let client = try WireClient(port)
                try await client.send("GET / HTTP/1.1\r\nHost: t\r\nX-Forwarded-For: \(named)\r\n\r\n")
                #expect(try await client.response().text == "20.1.1.1", "\(named)")
            }
        }
        #expect(IPAddress("::ffff:20.1.1.1")?.network == IPAddress("20.1.1.1"))
        #expect(IPAddress("2001:db8::1")?.network == IPAddress("2001:db8::"))
    }

    @Test func connectionsFarOverTheLimitAreAnsweredAndClosedAtOnce() async throws {
        try await withServer(Self.configuration(3), handler: { _ in ServerResponse("") }) { server, port in
            let clients = try (0..<200).map { _ in try WireClient(port, source: "127.0.0.2") }
            #expect(await eventually { server.connectionCount == 19 })
            // They have sent nothing.
            let last = try #require(clients.last)
            #expect(try await last.readToEnd().hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test func aClosedConnectionMakesRoom() async throws {
        try await withServer(Self.configuration(1), handler: { _ in ServerResponse("served") }) { server, port in
            for _ in 0..<5 {
                try await onThread {
                    let client = try WireClient(port)
                    try client.sendNow(Array(get("/").utf8))
                    let answer = try client.responseNow()
                    guard answer.text == "served" else { throw WireClient.Failure(description: answer.text) }
                }
                #expect(await eventually { server.connectionCount == 0 })
            }
        }
    }

    @Test func aTrustedProxyHasNoLimitAndNamesTheClient() async throws {
        let configuration = Self.configuration(1, trusting: ["127.0.0.0/29", "10.0.0.0/8"])
        try await withServer(configuration, handler: { ServerResponse($0.clientAddress) }) { _, port in
            let connections = try (0..<5).map { _ in try WireClient(port, source: "127.0.0.2") }
            for (client, (fields, address)) in zip(
                connections,
                [
                    ("X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\n", "198.51.100.7"),
                    ("X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2:4711\r\n", "2.2.2.2"),
                    ("X-Forwarded-For: [2001:db8::7]:443\r\n", "2001:db8::7"),
                    ("X-Forwarded-For: unknown\r\n", "127.0.0.2"), ("", "127.0.0.2"),
                ])
            {
                try await client.send(get("/", headers: fields))
                #expect(try await client.response().text == address)
            }
            // Nobody else names a client.
            let stranger = try WireClient(port, source: "127.0.0.9")
            try await stranger.send(get("/", headers: "X-Forwarded-For: 198.51.100.7\r\n"))
            #expect(try await stranger.response().text == "127.0.0.9")
        }
    }

    @Test func clientsWithIPv6AreCountedByTheirNetwork() throws {
        let addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"].compactMap { IPAddress($0)?.network }
        #expect(addresses.count == 2 && addresses[0] == addresses[1])
        #expect(IPAddress("2001:db8:1:3::1")?.network != addresses[0])
        #expect(IPAddress("192.0.2.1")?.network != IPAddress("192.0.2.2")?.network)
    }
}
