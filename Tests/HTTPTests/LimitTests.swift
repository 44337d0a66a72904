import HTTP
import Testing

@Suite struct LimitTests {
    private let short = Duration.milliseconds(150)

    @Test func aHandshakeThatNeverEndsMeetsTheLimitForConnecting() async throws {
        try await withServer(script: { $0.waitForEnd() }) { server, client in
            let limits = HTTPLimits.with { $0.connect = short }
            let url = "https://127.0.0.1:\(server.port)/"
            #expect(await client.failure(of: HTTPRequest(.get, url, limits: limits)) == .timedOut(host: "127.0.0.1"))
            // The kernel took the connection; the server's thread may come to it later.
            while server.accepted == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func anAnswerThatGoesOnForEverMeetsTheTotalLimit() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            while connection.chunk("more") { _ = connection.canSend(within: 1) }
        }
        try await withServer(script: script) { server, client in
            let limits = HTTPLimits.with { $0.total = .milliseconds(300) }
            #expect(
                await client.failure(of: HTTPRequest(.get, server.url, limits: limits)) == .timedOut(host: "127.0.0.1"))
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"])
    func aServerThatFallsSilentMeetsTheIdleLimit(beginning: String) async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.send(beginning)
            connection.waitForEnd()
        }
        try await withServer(script: script) { server, client in
            let limits = HTTPLimits.with { $0.idle = short }
            #expect(
                await client.failure(of: HTTPRequest(.get, server.url, limits: limits)) == .timedOut(host: "127.0.0.1"))
        }
    }

    @Test func bytesThatKeepComingAreNotSilence() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            for _ in 0..<30 {
                connection.chunk("x")
                connection.pause(milliseconds: 200)
            }
            connection.endChunked()
        }
        try await withServer(script: script) { server, client in
            let limits = HTTPLimits.with { $0.idle = .seconds(5) }
            let response = try await client.send(HTTPRequest(.get, server.url, limits: limits))
            #expect(response.text == String(repeating: "x", count: 30))
        }
    }

    @Test func aStreamThatFallsSilentEndsWithAnErrorAfterWhatCame() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("first")
            connection.waitForEnd()
        }
        try await withServer(script: script) { server, client in
            // The answer's beginning must come in time.
            let limits = HTTPLimits.with { $0.idle = .seconds(3) }
            let response = try await client.stream(HTTPRequest(.get, server.url, limits: limits))
            var chunks = response.body.makeAsyncIterator()
            let first = try await chunks.next()
            #expect(first == Array("first".utf8))
            await #expect(throws: HTTPClientError.timedOut(host: "127.0.0.1")) { try await chunks.next() }
        }
    }

    @Test func aBodyMayBeAsLongAsTheLimitAndNoByteLonger() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "0123456789") }) {
            server, client in
            let fits = HTTPRequest(.get, server.url, limits: .with { $0.body = 10 })
            let response = try await client.send(fits)
            #expect(response.text == "0123456789")
            let tight = HTTPRequest(.get, server.url, limits: .with { $0.body = 9 })
            #expect(await client.failure(of: tight) == .bodyTooLarge(limit: 9))
        }
    }

    /// In a process of its own: memory is counted.
    @Test func aCompressedBombIsCutShort() async throws {
        await #expect(processExitsWith: .success) {
            let bomb = gzipBomb(ofBytes: 300 << 20)
            let script = always { connection, _ in connection.answer(200, headers: ["Content-Encoding: gzip"], bomb) }
            try await withServer(script: script) { server, client in
                let before = peakMemory()
                let limits = HTTPLimits.with { $0.body = 1 << 20 }
                let request = HTTPRequest(.get, server.url, limits: limits)
                #expect(await client.failure(of: request) == .bodyTooLarge(limit: 1 << 20))
                let response = try await client.stream(request)
                await #expect(throws: HTTPClientError.bodyTooLarge(limit: 1 << 20)) { try await response.collect() }
                #expect(peakMemory() - before < 64 << 20)
            }
        }
    }

    @Test(arguments: [
        ("gzip", "H4sIAAAAAAAAA0vOzy0oSi0uTk1RKEmtKNFRSEYVAAADthRUIAAAAA=="),
        ("deflate", "eJxLzs8tKEotLk5NUShJrSjRUUhGFQAAz0gMgQ=="),
        ("br", "Gx8A+B2pU5+7cQ3CMkan2vCq7K06kadAiEftzC4B"),
    ])
    func compressedBodiesArriveAsTheyWere(encoding: String, base64: String) async throws {
        let body = try #require(bytes(base64: base64))
        let script = always { connection, _ in connection.answer(200, headers: ["Content-Encoding: \(encoding)"], body)
        }
        try await withServer(script: script) { server, client in
            let response = try await client.send(HTTPRequest(.get, server.url))
            #expect(response.text == "compressed text, compressed text")
            #expect(response.headers["Content-Encoding"] == nil)
            #expect(response.headers["Content-Length"] == nil)
        }
    }

    @Test func headersWithoutEndAreRefused() async throws {
        let line = "X-Filler: " + String(repeating: "x", count: 8000) + "\r\n"
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send(line) {}
        }
        try await withServer(script: script) { server, client in
            let error = await client.failure(of: HTTPRequest(.get, server.url))
            guard case .connectionLost = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
        }
    }
}
