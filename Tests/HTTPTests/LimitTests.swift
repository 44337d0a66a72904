import HTTP
import Testing

@Suite struct LimitTests {
    private let short = Duration.milliseconds(150)

    @Test func anEndlessHandshakeMeetsTheConnectLimit() async throws {
        try await withServer(script: { $0.waitForEnd() }) { server, client in
            let limits = HTTPLimits.with { $0.connect = short }
            let url = "https://127.0.0.1:\(server.port)/"
            #expect(await client.failure(of: HTTPRequest(.get, url, limits: limits)) == .timedOut(host: "127.0.0.1"))
            // The kernel accepted the connection; the server's thread may see it later.
            while server.accepted == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func anEndlessResponseMeetsTheTotalLimit() async throws {
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
    func aSilentServerMeetsTheIdleLimit(beginning: String) async throws {
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

    @Test func slowBytesAreNotSilence() async throws {
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

    @Test func aSilentStreamEndsWithAnErrorAfterItsBytes() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("first")
            connection.waitForEnd()
        }
        try await withServer(script: script) { server, client in
            // The start of the response must arrive in time.
            let limits = HTTPLimits.with { $0.idle = .seconds(3) }
            let response = try await client.stream(HTTPRequest(.get, server.url, limits: limits))
            var chunks = response.body.makeAsyncIterator()
            let first = try await chunks.next()
            #expect(first == Array("first".utf8))
            await #expect(throws: HTTPClientError.timedOut(host: "127.0.0.1")) { try await chunks.next() }
        }
    }

    @Test func aBodyMayBeAsLongAsTheLimitAndNotLonger() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "0123456789") }) {
            server, client in
            let fits = HTTPRequest(.get, server.url, limits: .with { $0.body = 10 })
            let response = try await client.send(fits)
            #expect(response.text == "0123456789")
            let tight = HTTPRequest(.get, server.url, limits: .with { $0.body = 9 })
            #expect(await client.failure(of: tight) == .bodyTooLarge(limit: 9))
        }
    }

    /// Runs in its own process, because it measures memory.
    @Test func aDecompressionBombIsStopped() async throws {
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
    func compressedBodiesArriveDecompressed(encoding: String, base64: String) async throws {
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

/// A small gzip body of many zeros: DEFLATE's fixed codes write 258 copies of a zero in 13 bits (1 : 159).
func gzipBomb(ofBytes count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var bits: UInt64 = 0
    var width = 0
    func write(_ value: UInt64, _ count: Int) {
        bits |= value << UInt64(width)
        width += count
        while width >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            width -= 8
        }
    }
    write(0b011, 3)  // the last block, fixed codes
    write(0b0000_1100, 8)  // literal 0, its code 00110000 with the first bit lowest
    for _ in 0..<(count / 258) {
        write(0b1010_0011, 8)  // length 258, its code 11000101 likewise
        write(0, 5)  // distance 1
    }
    write(0, 7)  // the end of the block
    write(0, 7)
    return bytes
}
