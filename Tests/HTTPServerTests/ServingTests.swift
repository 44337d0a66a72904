import HTTP
import HTTPServer
import TestSupport
import Testing

/// Both ways to run a handler: on the connection's thread, and suspended from the start.
private let bothWays = [true, false]

private func configuration(inline: Bool) -> HTTPServerConfiguration {
    var configuration = HTTPServerConfiguration()
    configuration.startsHandlersInline = inline
    return configuration
}

@Suite struct ServingTests {
    @Test(arguments: bothWays) func oneConnectionCarriesManyRequests(inline: Bool) async throws {
        try await withServer(configuration(inline: inline), handler: { ServerResponse($0.path) }) { server, port in
            let client = try WireClient(port)
            for number in 0..<50 {
                try await client.send(get("/\(number)"))
                #expect(try await client.response().text == "/\(number)")
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: bothWays) func pipelinedRequestsAreAnsweredInOrder(inline: Bool) async throws {
        let handler: RequestHandler = { request in
            if request.path == "/1" { await Task.yield() }
            return ServerResponse(request.path)
        }
        try await withServer(configuration(inline: inline), handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send((0..<20).map { get("/\($0)") }.joined())
            for number in 0..<20 { #expect(try await client.response().text == "/\(number)") }
        }
    }

    @Test(arguments: bothWays) func aHandlerThatSuspendsGetsItsResponseSent(inline: Bool) async throws {
        let (reached, release) = (Signal(), Signal())
        let handler: RequestHandler = { request in
            if request.path == "/slow" {
                reached.fire()
                await release.wait()
            }
            return ServerResponse(request.path)
        }
        try await withServer(configuration(inline: inline), handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/slow"))
            #expect(await reached.fires())
            // Another connection of the same server is served meanwhile.
            for _ in 0..<4 { #expect(try await ask(port, get("/quick")).text == "/quick") }
            release.fire()
            #expect(try await client.response().text == "/slow")
        }
    }

    @Test func aRequestArrivesComplete() async throws {
        let handler: RequestHandler = { request in
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
            let names = request.headers.fields.map(\.name).joined(separator: ",")
            return ServerResponse(
                """
                \(request.method.rawValue) \(request.path) \(query) \(request.remoteAddress) \(names) \
                \(request.headers["x-ONE"] ?? "-") \(request.headers.values(of: "x-two")) \
                \(String(decoding: request.body, as: UTF8.self))
                """)
        }
        try await withServer(handler: handler) { _, port in
            let answer = try await ask(
                port,
                """
                PATCH /caf%C3%A9/a%20b?q=a+b%26&empty&x=%E2%82%AC=1 HTTP/1.1\r
                Host: test\r
                X-One:  Grüße \r
                X-Two: 1\r
                x-two: 2\r
                Content-Length: 5\r
                \r
                hello
                """)
            #expect(
                answer.text
                    == "PATCH /café/a b q=a b&|empty=|x=€=1 127.0.0.1 Host,X-One,X-Two,x-two,Content-Length Grüße "
                    + #"["1", "2"] hello"#)
        }
    }

    @Test func aResponseArrivesComplete() async throws {
        let handler: RequestHandler = { _ in
            ServerResponse(
                status: 418,
                headers: [
                    "X-Name": "Größe", "Set-Cookie": "a=1", "set-cookie": "b=2", "Content-Length": "9999",
                    "Transfer-Encoding": "gzip", "X-Empty": "",
                ], bytes: Array("short".utf8))
        }
        try await withServer(handler: handler) { _, port in
            let answer = try await ask(port, get("/"))
            #expect(answer.status == 418)
            #expect(answer["X-Name"] == "Größe")
            #expect(answer.fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value) == ["a=1", "b=2"])
            #expect(answer["Content-Length"] == "5")
            #expect(answer["Transfer-Encoding"] == nil)
            #expect(answer["Date"] != nil)
            #expect(answer.text == "short")
        }
    }

    @Test(arguments: bothWays) func aLargeResponseArrivesComplete(inline: Bool) async throws {
        let bytes = [UInt8](repeating: 7, count: 5_000_000) + [1, 2, 3]
        try await withServer(configuration(inline: inline), handler: { _ in ServerResponse(bytes: bytes) }) { _, port in
            let answer = try await ask(port, get("/"))
            #expect(answer.body == bytes)
        }
    }

    @Test func headIsAnsweredLikeGetWithoutABody() async throws {
        let handler: RequestHandler = { request in
            request.path == "/stream"
                ? ServerResponse(body: .stream { AsyncStream { $0.finish() } }) : ServerResponse("hello")
        }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            try await client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(try await client.response(toHead: true)["Content-Length"] == "5")
            try await client.send(get("/"))
            #expect(try await client.response().text == "hello")
            // A body after the head of a stream would be the start of the next response to a client.
            try await client.send("HEAD /stream HTTP/1.1\r\nHost: test\r\n\r\n" + get("/"))
            #expect(try await client.response(toHead: true).status == 200)
            await #expect(throws: WireClient.Failure.self) { try await client.read(through: "0") }
        }
    }

    @Test func aResponseWithoutContentHasNoBody() async throws {
        let handler: RequestHandler = { ServerResponse(status: $0.path == "/304" ? 304 : 204, bytes: [1, 2, 3]) }
        try await withServer(handler: handler) { _, port in
            let client = try WireClient(port)
            for path in ["/204", "/304", "/204"] {
                try await client.send(get(path))
                #expect(try await client.response().status == Int(path.dropFirst()))
            }
        }
    }

    @Test func clientsOfHTTP10AreServed() async throws {
        let handler: RequestHandler = { request in
            guard request.path == "/stream" else { return ServerResponse("hello") }
            return ServerResponse(
                body: .stream {
                    AsyncStream {
                        $0.yield(Array("one ".utf8))
                        $0.yield(Array("two".utf8))
                        $0.finish()
                    }
                })
        }
        try await withServer(handler: handler) { _, port in
            #expect(try await ask(port, "GET / HTTP/1.0\r\n\r\n").text == "hello")
            let answer = try await ask(port, "GET /stream HTTP/1.0\r\n\r\n")
            #expect(answer["Transfer-Encoding"] == nil)
            #expect(answer.text == "one two")
        }
    }

    @Test func aClientMayAskToClose() async throws {
        try await withServer(handler: { _ in ServerResponse("bye") }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/", headers: "Connection: close\r\n"))
            #expect(try await client.response()["Connection"] == "close")
            #expect(try await client.isClosed())
        }
    }

    @Test func aHandlerMayAskToClose() async throws {
        try await withServer(handler: { _ in ServerResponse(headers: ["connection": "Close"]) }) { _, port in
            let client = try WireClient(port)
            try await client.send(get("/"))
            #expect(try await client.response()["Connection"] == "close")
            #expect(try await client.isClosed())
        }
    }

    @Test(arguments: [
        ServerResponse(headers: ["X-Name": "a\r\nSet-Cookie: stolen=1"]), ServerResponse(headers: ["X\r\nY": "a"]),
        ServerResponse(headers: ["X-Name": "a\0b"]), ServerResponse(status: 99), ServerResponse(status: 101),
        ServerResponse(headers: ["X": "a\nb"], body: .stream { AsyncStream { $0.finish() } }),
    ]) func aResponseThatCannotBeSentBecomesAnError(response: ServerResponse) async throws {
        try await withServer(handler: { _ in response }) { _, port in
            let answer = try await ask(port, get("/"))
            #expect(answer.status == 500)
            #expect(answer["Set-Cookie"] == nil)
        }
    }

    @Test func errorsOfTheServerAreRenderedByTheConfiguration() async throws {
        var configuration = HTTPServerConfiguration { error, path in
            ServerResponse(
                status: error.status, headers: ["X-Envelope": path ?? "none"],
                bytes: Array("{\"e\":\"\(error)\"}".utf8))
        }
        configuration.maximumBodySize = 4
        try await withServer(configuration, handler: { _ in ServerResponse("") }) { _, port in
            let answer = try await ask(port, get("/%zz"))
            #expect(answer.status == 400)
            #expect(answer["X-Envelope"] == "none")
            #expect(answer.text == #"{"e":"malformed request: invalid escape in the path"}"#)
            let large = try await ask(port, "POST /a%20b HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n12345")
            #expect(large.status == 413 && large["X-Envelope"] == "/a b")
        }
    }

    @Test(arguments: bothWays) func concurrentClientsEachGetTheirOwnResponse(inline: Bool) async throws {
        let handler: RequestHandler = { request in
            if request.path.hasSuffix("3") { await Task.yield() }
            if request.path.hasSuffix("7") { try? await Task.sleep(for: .microseconds(200)) }
            return ServerResponse(request.path + String(decoding: request.body, as: UTF8.self))
        }
        try await withServer(configuration(inline: inline), handler: handler) { _, port in
            let wrong = Counter()
            await withTaskGroup { group in
                for number in 0..<16 {
                    group.addTask {
                        let failed = try? await onThread {
                            let client = try WireClient(port)
                            return try (0..<200).count { round in
                                let path = "/\(number)/\(round)"
                                let head = "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(path.utf8.count)"
                                try client.sendNow(Array("\(head)\r\n\r\n\(path)".utf8))
                                return try client.responseNow().text != path + path
                            }
                        }
                        wrong.increment(by: failed ?? 1)
                    }
                }
            }
            #expect(wrong.count == 0)
        }
    }
}
