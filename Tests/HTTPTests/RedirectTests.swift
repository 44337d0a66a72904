import HTTP
import Testing

@Suite struct RedirectTests {
    private func redirect(_ status: Int, to location: String) -> ScriptedServer.Script {
        always { connection, request in
            if request.target == "/from" {
                connection.answer(status, headers: ["Location: \(location)"], "moved")
            } else {
                connection.answer(200, "arrived")
            }
        }
    }

    private func request(_ method: HTTPMethod, _ server: ScriptedServer, redirects: Int = 5) -> HTTPRequest {
        HTTPRequest(
            method, server.url + "/from", headers: ["Authorization": "Bearer x", "Content-Type": "text/plain"],
            body: method == .get ? [] : Array("body".utf8), limits: .with { $0.redirects = redirects })
    }

    @Test(arguments: [
        (301, HTTPMethod.post, "GET"), (302, .post, "GET"), (303, .post, "GET"), (303, .put, "GET"), (301, .put, "PUT"),
        (307, .post, "POST"), (308, .put, "PUT"), (302, .get, "GET"), (303, .head, "HEAD"),
    ])
    func theMethodBecomesWhatTheStatusAsksFor(status: Int, method: HTTPMethod, expected: String) async throws {
        try await withServer(script: redirect(status, to: "to?x=1")) { server, client in
            let response = try await client.send(request(method, server))
            #expect(response.status == 200)
            #expect(response.url == server.url + "/to?x=1")
            let last = try #require(server.requests.last)
            #expect(last.line == "\(expected) /to?x=1 HTTP/1.1")
            let keepsBody = expected != "GET" && method != .head
            #expect(last.body == (keepsBody ? Array("body".utf8) : last.body.filter { _ in expected == "HEAD" }))
            #expect((last["Content-Type"] != nil) == (expected != "GET" || method == .get))
            // The same origin keeps the credentials and the connection.
            #expect(last["Authorization"] == "Bearer x")
            #expect(server.accepted == 1)
        }
    }

    @Test func withoutRedirectsTheRedirectIsReturned() async throws {
        try await withServer(script: redirect(302, to: "/to")) { server, client in
            let response = try await client.send(request(.get, server, redirects: 0))
            #expect(response.status == 302)
            #expect(response.headers["Location"] == "/to")
            #expect(response.text == "moved")
            #expect(server.requests.count == 1)
        }
    }

    @Test func aLoopOfRedirectsEndsAtTheLimit() async throws {
        try await withServer(script: redirect(302, to: "/from")) { server, client in
            #expect(await client.failure(of: request(.get, server, redirects: 3)) == .tooManyRedirects(limit: 3))
            #expect(server.requests.count == 4)
        }
    }

    @Test func credentialsAreSentToTheirHostOnly() async throws {
        let other = try ScriptedServer(always { connection, _ in connection.answer(200, "other") })
        defer { other.stop() }
        try await withServer(script: redirect(307, to: other.url + "/to")) { server, client in
            let headers: HTTPHeaders = [
                "Authorization": "a", "Cookie": "b", "x-api-key": "c", "X-Goog-Api-Key": "d", "X-Auth-Token": "e",
                "Host": "mine.example", "Accept-Language": "de", "X-Trace": "1",
            ]
            let request = HTTPRequest(.get, server.url + "/from", headers: headers, limits: .with { $0.redirects = 1 })
            let response = try await client.send(request)
            #expect(response.text == "other")
            let names = Set(try #require(other.requests.first).headers.map { $0.name.lowercased() })
            #expect(names == ["host", "user-agent", "accept", "accept-encoding", "accept-language", "x-trace"])
            #expect(other.requests.first?["Host"] == "127.0.0.1:\(other.port)")
            #expect(server.requests.first?["Host"] == "mine.example")
        }
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "http://"])
    func aRedirectOutOfTheWebIsNotFollowed(location: String) async throws {
        try await withServer(script: redirect(302, to: location)) { server, client in
            guard case .invalidURL = await client.failure(of: request(.get, server)) else {
                Issue.record("followed \(location)")
                return
            }
        }
    }

    @Test func aStreamFollowsRedirectsToo() async throws {
        try await withServer(script: redirect(307, to: "/to")) { server, client in
            let response = try await client.stream(request(.post, server))
            let body = try await response.collect()
            #expect(body == Array("arrived".utf8))
            #expect(server.requests.last?.body == Array("body".utf8))
        }
    }

    @Test func anEndlessBodyOfARedirectIsAborted() async throws {
        let script = always { connection, request in
            guard request.target == "/from" else { return _ = connection.answer(200, "arrived") }
            connection.beginChunked(headers: ["X: y"])
            connection.endChunked()
        }
        let endless: ScriptedServer.Script = { connection in
            guard connection.number == 1 else { return script(connection) }
            _ = connection.readRequest()
            connection.send("HTTP/1.1 302 Found\r\nLocation: /to\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.chunk([UInt8](repeating: 0, count: 4096)) {}
        }
        try await withServer(script: endless) { server, client in
            let response = try await client.send(request(.get, server))
            #expect(response.text == "arrived")
        }
    }

    @Test func theTotalLimitCoversAllHops() async throws {
        let script = always { connection, _ in connection.answer(302, headers: ["Location: /next"]) }
        try await withServer(script: script) { server, client in
            let limits = HTTPLimits.with {
                $0.redirects = .max
                $0.total = .milliseconds(300)
            }
            let request = HTTPRequest(.get, server.url, limits: limits)
            #expect(await client.failure(of: request) == .timedOut(host: "127.0.0.1"))
        }
    }
}
