import HTTP
import TestSupport
import Testing

@Suite struct StreamTests {
    @Test func theHeadArrivesBeforeTheBody() async throws {
        let mayGoOn = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked(headers: ["X-Answer: yes"])
            mayGoOn.waitOnThread()
            connection.chunk("late")
            connection.endChunked()
        }
        try await withServer(script: script) { server, client in
            let response = try await client.stream(HTTPRequest(.get, server.url))
            #expect(response.status == 200)
            #expect(response.headers["X-Answer"] == "yes")
            mayGoOn.fire()
            let body = try await response.collect()
            #expect(body == Array("late".utf8))
        }
    }

    @Test func eachChunkIsDeliveredImmediately() async throws {
        let signals = [Signal(), Signal(), Signal()]
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            for (index, signal) in signals.enumerated() {
                connection.chunk("part \(index)")
                signal.waitOnThread()
            }
            connection.endChunked()
        }
        try await withServer(script: script) { server, client in
            let response = try await client.stream(HTTPRequest(.get, server.url))
            var chunks = response.body.makeAsyncIterator()
            for (index, signal) in signals.enumerated() {
                let chunk = try await chunks.next()
                #expect(chunk == Array("part \(index)".utf8))
                signal.fire()
            }
            let end = try await chunks.next()
            #expect(end == nil)
        }
    }

    @Test func anErrorStatusStreamsItsBodyToo() async throws {
        try await withServer(script: always { connection, _ in connection.answer(529, "overloaded") }) {
            server, client in
            let response = try await client.stream(HTTPRequest(.post, server.url, body: [1]))
            #expect(response.status == 529)
            #expect(!response.isSuccess)
            let body = try await response.collect()
            #expect(body == Array("overloaded".utf8))
        }
    }

    @Test func anIncompleteResponseIsAnError() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("half")
        }
        try await withServer(script: script) { server, client in
            let response = try await client.stream(HTTPRequest(.get, server.url))
            await #expect(throws: HTTPClientError.self) { try await response.collect() }
        }
    }

    /// Without a reader the sender can fill the buffer and the buffers of libcurl and the kernel.
    @Test func aPausedReaderStopsTheSender() async throws {
        let stalled = Signal()
        let pushed = Counter()
        let total = 32 << 20
        let script: ScriptedServer.Script = { connection in
            connection.setSendBuffer(64 << 10)
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 64 << 10)
            while pushed.count < total {
                if !connection.canSend(within: 6000) { stalled.fire() }
                guard let count = connection.sendWhatFits(Array(piece.prefix(total - pushed.count))) else { return }
                pushed.increment(by: count)
            }
        }
        try await withServer(script: script) { server, client in
            let limits = HTTPLimits.with { $0.idle = .seconds(5) }
            let response = try await client.stream(HTTPRequest(.get, server.url, limits: limits))
            await stalled.wait()
            #expect(pushed.count < 12 << 20)
            // The reader's pause does not count as silence of the server, although it exceeds the idle limit.
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == total)
        }
    }

    @Test func droppingTheStreamClosesTheConnection() async throws {
        let closed = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("first")
            connection.waitForEnd()
            closed.fire()
        }
        try await withServer(script: script) { server, client in
            do {
                let response = try await client.stream(HTTPRequest(.get, server.url))
                for try await _ in response.body { break }
            }
            await closed.wait()
        }
    }

    @Test func anUnreadStreamIsClosedWhenDropped() async throws {
        let closed = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            while connection.chunk([UInt8](repeating: 0, count: 32 << 10)) {}
            closed.fire()
        }
        try await withServer(script: script) { server, client in
            _ = try await client.stream(HTTPRequest(.get, server.url))
            await closed.wait()
        }
    }

    @Test func cancellingTheReaderClosesTheConnection() async throws {
        let closed = Signal()
        let reading = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("first")
            connection.waitForEnd()
            closed.fire()
        }
        try await withServer(script: script) { server, client in
            let task = Task {
                let response = try await client.stream(HTTPRequest(.get, server.url))
                for try await _ in response.body { reading.fire() }
            }
            await reading.wait()
            task.cancel()
            await closed.wait()
            _ = await task.result
        }
    }

    @Test func theStreamKeepsTheClientAlive() async throws {
        let mayGoOn = Signal()
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            mayGoOn.waitOnThread()
            connection.chunk("late")
            connection.endChunked()
        }
        defer { server.stop() }
        let response = try await HTTPClient().stream(HTTPRequest(.get, server.url))
        mayGoOn.fire()
        let body = try await response.collect()
        #expect(body == Array("late".utf8))
    }

    /// Runs in its own process, because it measures memory.
    @Test func fiveHundredStreamsRunAtOnce() async throws {
        await #expect(processExitsWith: .success) {
            let all = Signal()
            let waiting = Counter()
            let script: ScriptedServer.Script = { connection in
                guard let request = connection.readRequest() else { return }
                connection.beginChunked()
                connection.chunk("data: \(request.target)\n\n")
                waiting.increment()
                if waiting.count >= 500 { all.fire() }
                all.waitOnThread()
                connection.chunk("data: end\n\n")
                connection.endChunked()
            }
            try await withServer(script: script) { server, client in
                let before = residentMemory()
                let correct = try await withThrowingTaskGroup { group in
                    for index in 0..<500 {
                        group.addTask {
                            let request = HTTPRequest(.post, server.url + "/\(index)", body: [0])
                            var events: [String] = []
                            for try await event in try await client.stream(request).events { events.append(event.data) }
                            return events == ["/\(index)", "end"]
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(correct == 500)
                #expect(residentMemory() - before < 100 << 20)
            }
        }
    }
}
