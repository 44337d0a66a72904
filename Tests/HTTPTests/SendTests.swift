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

    @Test func headHasNoBodyEvenWithALength() async throws {
        try await withServer(
            script: always { connection, _ in connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n") }
        ) { server, client in
            let response = try await client.send(HTTPRequest(.head, server.url))
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
    }

    @Test func aLargeBodyArrivesComplete() async throws {
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

    @Test func interimResponsesAndTrailersAddNoHeaders() async throws {
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

    @Test func theContentLengthOfACallerIsIgnored() async throws {
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

    @Test func spacesAndNonASCIILettersAreEncoded() async throws {
        try await withServer(script: always { connection, _ in connection.answer() }) { server, client in
            _ = try await client.send(HTTPRequest(.get, server.url + "/a b/ü?q=é&p=%20#part"))
            #expect(server.requests.first?.target == "/a%20b/%c3%bc?q=%c3%a9&p=%20")
        }
    }

    @Test func aMissingResponseIsALostConnection() async throws {
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

    @Test func aPortWithoutListenerCannotBeConnectedTo() async throws {
        let server = try ScriptedServer { _ in }
        let url = server.url
        server.stop()
        let client = HTTPClient()
        // The listener closes on its own thread, so it may still accept the first attempts.
        while await client.failure(of: HTTPRequest(.get, url)) != .cannotConnect(host: "127.0.0.1") {}
        await client.shutdown()
    }

    @Test func aNameThatDoesNotExistCannotBeResolved() async throws {
        let client = HTTPClient()
        let error = await client.failure(of: HTTPRequest(.get, "http://nowhere.invalid/"))
        #expect(error == .cannotResolve(host: "nowhere.invalid"))
    }

    @Test func theErrorTextContainsNeitherPathNorQuery() async throws {
        let client = HTTPClient()
        let error = await client.failure(of: HTTPRequest(.get, "http://nowhere.invalid/secret?key=secret"))
        let text = try #require(error).description
        #expect(!text.contains("secret"))
        #expect(text.contains("nowhere.invalid"))
    }
}

@Suite struct ConnectionTests {
    @Test func oneConnectionServesOneRequestAfterAnother() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "ok") }) { server, client in
            for index in 0..<50 {
                let body: [UInt8] = index % 2 == 0 ? [] : Array("body".utf8)
                _ = try await client.send(HTTPRequest(index % 2 == 0 ? .get : .post, server.url, body: body))
            }
            for _ in 0..<10 {
                _ = try await client.stream(HTTPRequest(.get, server.url)).collect()
            }
            #expect(server.accepted == 1)
            #expect(server.requests.count == 60)
        }
    }

    @Test func noHeaderOfARequestIsSentWithTheNext() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "ok") }) { server, client in
            let first = HTTPRequest(.post, server.url, headers: ["X-Secret": "1"], body: Array("body".utf8))
            _ = try await client.send(first)
            _ = try await client.send(HTTPRequest(.head, server.url))
            let last = try await client.send(HTTPRequest(.get, server.url))
            #expect(last.text == "ok")
            let request = try #require(server.requests.last)
            #expect(request.method == "GET")
            #expect(request["X-Secret"] == nil)
            #expect(request["Content-Length"] == nil)
        }
    }

    @Test func requestsBeyondTheConnectionLimitWait() async throws {
        var configuration = HTTPClientConfiguration()
        configuration.connectionsPerHost = 3
        try await withServer(configuration, script: always { connection, _ in connection.answer() }) { server, client in
            try await withThrowingTaskGroup { group in
                for _ in 0..<60 { group.addTask { _ = try await client.send(HTTPRequest(.get, server.url)) } }
                try await group.waitForAll()
            }
            #expect(server.accepted <= 3)
            #expect(server.requests.count == 60)
        }
    }

    /// The server reads the second request on the reused connection and fails, perhaps after it has acted on it.
    @Test func aPostIsNotRepeatedWhenAReusedConnectionFails() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.answer(200, "ok")
            _ = connection.readRequest()
        }
        try await withServer(script: script) { server, client in
            let request = HTTPRequest(.post, server.url, body: Array("buy".utf8))
            _ = try await client.send(request)
            guard case .connectionLost = await client.failure(of: request) else {
                Issue.record("the second request was answered, so it was sent again")
                return
            }
            #expect(server.requests.count == 2)
        }
    }

    /// Runs in its own process, because it changes the environment.
    @Test func proxiesOfTheEnvironmentAreIgnored() async throws {
        await #expect(processExitsWith: .success) {
            setEnvironment("http_proxy", "http://127.0.0.1:1")
            try await withServer(script: always { connection, _ in connection.answer(200, "direct") }) {
                server, client in
                let response = try await client.send(HTTPRequest(.get, server.url))
                #expect(response.text == "direct")
            }
        }
    }
}
