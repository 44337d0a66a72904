import HTTP
import Testing

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

    @Test func nothingOfARequestStaysBehindForTheNext() async throws {
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

    @Test func theCapOnConnectionsMakesRequestsWaitTheirTurn() async throws {
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

    /// The server takes the second request on the kept connection and dies. Whether the work was done nobody knows.
    @Test func aPostIsNotRepeatedWhenAKeptConnectionDies() async throws {
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

    /// In a process of its own, as the environment belongs to everybody.
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
