import HTTP
import Testing

@Suite struct SendTests {
    @Test(arguments: [HTTPMethod.get, .post, .put, .delete])
    func everyMethodCarriesItsHeadersAndBody(method: HTTPMethod) async throws {
        try await withServer(
            script: always { connection, _ in connection.answer(201, headers: ["X-Answer: yes"], "made") }
        ) { server, client in
            let body = method == .get ? "" : "body of \(method.rawValue)"
            let response = try await client.send(
                HTTPRequest(
                    method, server.url + "/path?q=1", headers: ["X-Mine": "value", "X-Empty": ""],
                    body: Array(body.utf8)))
            #expect(response.status == 201)
            #expect(response.text == "made")
            #expect(response.headers["x-answer"] == "yes")
            #expect(response.url == server.url + "/path?q=1")
            let request = try #require(server.requests.first)
            #expect(request.line == "\(method.rawValue) /path?q=1 HTTP/1.1")
            #expect(request["X-Mine"] == "value")
            #expect(request["X-Empty"] == "")
            #expect(request["Content-Type"] == nil)
            #expect(request["Expect"] == nil)
            #expect(request["Accept-Encoding"] == "gzip, deflate, br")
            #expect(String(decoding: request.body, as: UTF8.self) == body)
        }
    }

    @Test func headHasNoBodyEvenIfALengthIsNamed() async throws {
        try await withServer(
            script: always { connection, _ in connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n") }
        ) { server, client in
            let response = try await client.send(HTTPRequest(.head, server.url))
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
    }

    @Test func aLargeBodyArrivesWhole() async throws {
        try await withServer(script: always { $0.answer(200, $1.body) }) { server, client in
            let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let response = try await client.send(HTTPRequest(.post, server.url, body: body))
            #expect(response.body == body)
        }
    }

    @Test func anEmptyPostHasALengthOfZero() async throws {
        try await withServer(script: always { connection, _ in connection.answer(204) }) { server, client in
            let response = try await client.send(HTTPRequest(.post, server.url))
            #expect(response.status == 204)
            #expect(server.requests.first?["Content-Length"] == "0")
        }
    }

    @Test func interimAnswersAndTrailersAreNoHeaders() async throws {
        let wire = """
            HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: a
            \r\nx-real: b\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: t\r\n\r\n
            """.replacing("\n\r\n", with: "\r\n")
        try await withServer(script: always { connection, _ in connection.send(wire) }) { server, client in
            let response = try await client.send(HTTPRequest(.get, server.url))
            #expect(response.status == 200)
            #expect(response.text == "ok")
            #expect(response.headers.values(of: "X-Real") == ["a", "b"])
            #expect(response.headers["Link"] == nil)
            #expect(response.headers["X-Trailer"] == nil)
        }
    }

    @Test func aCallersLengthIsNotBelieved() async throws {
        try await withServer(script: always { connection, _ in connection.answer() }) { server, client in
            let headers: HTTPHeaders = ["Content-Length": "1", "Transfer-Encoding": "chunked"]
            _ = try await client.send(HTTPRequest(.post, server.url, headers: headers, body: Array("whole".utf8)))
            #expect(server.requests.first?["Content-Length"] == "5")
            #expect(server.requests.first?["Transfer-Encoding"] == nil)
        }
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "\u{7F}"])
    func aHeaderValueWithAControlCharacterIsRefused(value: String) async throws {
        try await withServer(script: always { connection, _ in connection.answer() }) { server, client in
            let request = HTTPRequest(.get, server.url, headers: ["X-Mine": value])
            #expect(await client.failure(of: request) == .invalidHeader(name: "X-Mine"))
            #expect(server.accepted == 0)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: y", "", "G T"])
    func aMethodThatIsNoTokenIsRefused(method: String) async throws {
        let client = HTTPClient()
        let request = HTTPRequest(HTTPMethod(rawValue: method), "http://127.0.0.1:1/")
        #expect(await client.failure(of: request) == .invalidHeader(name: "method"))
    }

    @Test(arguments: [
        "", "/relative", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://h:0/", "gopher://h/",
    ])
    func whatIsNoHTTPAddressIsRefused(url: String) async throws {
        let client = HTTPClient()
        #expect(await client.failure(of: HTTPRequest(.get, url)) == .invalidURL(url))
    }

    @Test func spacesAndLettersOutsideASCIIAreEncoded() async throws {
        try await withServer(script: always { connection, _ in connection.answer() }) { server, client in
            _ = try await client.send(HTTPRequest(.get, server.url + "/a b/ü?q=é&p=%20#part"))
            #expect(server.requests.first?.target == "/a%20b/%c3%bc?q=%c3%a9&p=%20")
        }
    }

    @Test func noAnswerAtAllIsALostConnection() async throws {
        try await withServer(script: { _ = $0.readRequest() }) { server, client in
            let error = await client.failure(of: HTTPRequest(.get, server.url))
            guard case .connectionLost(host: "127.0.0.1", _) = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func anAnswerThatBreaksOffIsNoAnswer(wire: String) async throws {
        try await withServer(script: { connection in
            _ = connection.readRequest()
            connection.send(wire)
        }) { server, client in
            let error = await client.failure(of: HTTPRequest(.get, server.url))
            guard case .connectionLost(host: "127.0.0.1", _) = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
        }
    }

    @Test func nobodyListeningCannotBeConnectedTo() async throws {
        let server = try ScriptedServer { _ in }
        let url = server.url
        server.stop()
        let client = HTTPClient()
        // The listener closes on its own thread, so the first tries may still be accepted.
        while await client.failure(of: HTTPRequest(.get, url)) != .cannotConnect(host: "127.0.0.1") {}
        await client.shutdown()
    }

    @Test func aNameThatDoesNotExistCannotBeResolved() async throws {
        let client = HTTPClient()
        let error = await client.failure(of: HTTPRequest(.get, "http://nowhere.invalid/"))
        #expect(error == .cannotResolve(host: "nowhere.invalid"))
    }

    @Test func theErrorsTextNamesNeitherPathNorQuery() async throws {
        let client = HTTPClient()
        let error = await client.failure(of: HTTPRequest(.get, "http://nowhere.invalid/secret?key=secret"))
        let text = try #require(error).description
        #expect(!text.contains("secret"))
        #expect(text.contains("nowhere.invalid"))
    }
}
