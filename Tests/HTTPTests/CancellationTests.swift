import HTTP
import TestSupport
import Testing

@Suite struct CancellationTests {
    @Test func aCancelledTaskEndsItsRequestImmediately() async throws {
        let arrived = Signal()
        let closed = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            arrived.fire()
            connection.waitForEnd()
            closed.fire()
        }
        try await withServer(script: script) { server, client in
            let task = Task { await client.failure(of: HTTPRequest(.get, server.url)) }
            await arrived.wait()
            task.cancel()
            #expect(await task.value == .cancelled)
            await closed.wait()
        }
    }

    @Test func aTaskThatIsAlreadyCancelledSendsNothing() async throws {
        try await withServer(script: always { connection, _ in connection.answer() }) { server, client in
            let mayGoOn = Signal()
            let task = Task {
                await mayGoOn.wait()
                let sent = await client.failure(of: HTTPRequest(.get, server.url))
                return (sent, await client.failureOfStream(HTTPRequest(.get, server.url)))
            }
            task.cancel()
            mayGoOn.fire()
            let (sent, streamed) = await task.value
            #expect(sent == .cancelled)
            #expect(streamed == .cancelled)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aCancellationDoesNotAffectOtherRequests() async throws {
        let arrived = Signal()
        let mayAnswer = Signal()
        let script = always { connection, request in
            if request.target == "/stays" { mayAnswer.waitOnThread() } else { connection.waitForEnd() }
            connection.answer(200, "here")
        }
        let counted: ScriptedServer.Script = { connection in
            if connection.number == 2 { arrived.fire() }
            script(connection)
        }
        try await withServer(script: counted) { server, client in
            async let stays = client.send(HTTPRequest(.get, server.url + "/stays"))
            let goes = Task { await client.failure(of: HTTPRequest(.get, server.url + "/goes")) }
            await arrived.wait()
            goes.cancel()
            #expect(await goes.value == .cancelled)
            mayAnswer.fire()
            let response = try await stays
            #expect(response.text == "here")
        }
    }

    @Test func cancellingACancelledEventStreamThrowsInsteadOfEnding() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            connection.chunk("data: one\n\n")
            connection.waitForEnd()
        }
        try await withServer(script: script) { server, client in
            let reading = Signal()
            let isCancelled = Signal()
            let task = Task { () async -> HTTPClientError? in
                do throws(HTTPClientError) {
                    var events = try await client.stream(HTTPRequest(.get, server.url)).events.makeAsyncIterator()
                    _ = try await events.next()
                    reading.fire()
                    await isCancelled.wait()
                    _ = try await events.next()
                    return nil
                } catch {
                    return error
                }
            }
            await reading.wait()
            task.cancel()
            isCancelled.fire()
            #expect(await task.value == .cancelled)
        }
    }
}

@Suite struct ShutdownTests {
    @Test func runningRequestsAreCancelledAndNewOnesRefused() async throws {
        let arrived = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            arrived.fire()
            connection.waitForEnd()
        }
        try await withServer(script: script) { server, client in
            let task = Task { await client.failure(of: HTTPRequest(.get, server.url)) }
            await arrived.wait()
            await client.shutdown()
            #expect(await task.value == .cancelled)
            #expect(await client.failure(of: HTTPRequest(.get, server.url)) == .cancelled)
            await client.shutdown()
        }
    }

    @Test func withGraceARunningRequestGetsItsResponse() async throws {
        let arrived = Signal()
        let mayAnswer = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            arrived.fire()
            mayAnswer.waitOnThread()
            connection.answer(200, "in time")
        }
        try await withServer(script: script) { server, client in
            async let response = client.send(HTTPRequest(.get, server.url))
            await arrived.wait()
            async let end: Void = client.shutdown(grace: .seconds(600))
            while await client.failure(of: HTTPRequest(.get, "http://127.0.0.1:1/")) != .cancelled {}
            mayAnswer.fire()
            let text = try await response.text
            #expect(text == "in time")
            await end
        }
    }

    @Test func aShutdownEndsEachOfManyTransfersOnce() async throws {
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            connection.beginChunked()
            while connection.chunk([UInt8](repeating: 0, count: 1000)) {}
        }
        for _ in 0..<5 {
            try await withServer(script: script) { server, client in
                let arrived = Counter()
                let many = Signal()
                let tasks = (0..<40).map { index in
                    Task {
                        do {
                            for try await _ in try await client.stream(HTTPRequest(.get, server.url)).body {
                                arrived.increment()
                                if arrived.count > 100 { many.fire() }
                            }
                            return false
                        } catch {
                            return error as? HTTPClientError == .cancelled
                        }
                    }
                }
                await many.wait()
                async let first: Void = client.shutdown()
                async let second: Void = client.shutdown()
                for (index, task) in tasks.enumerated() where index % 3 == 0 { task.cancel() }
                _ = await (first, second)
                for (index, task) in tasks.enumerated() {
                    let wasCancelled = await task.value
                    // A reader whose own task was cancelled may see the end of its stream instead.
                    #expect(wasCancelled || index % 3 == 0)
                }
            }
        }
    }

    /// Runs in its own process, because it counts descriptors.
    @Test func noDescriptorIsLeftOpen() async throws {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(
                always { connection, request in
                    if request.target == "/hangs" { connection.waitForEnd() } else { connection.answer(200, "ok") }
                })
            defer { server.stop() }
            try await useClientOnce(server)
            let before = openDescriptors()
            for _ in 0..<10 { try await useClientOnce(server) }
            // The threads of the last client may still close theirs; what leaks stays open.
            for _ in 0..<10_000 where openDescriptors() > before { try await Task.sleep(for: .milliseconds(1)) }
            #expect(openDescriptors() <= before)
        }
    }

    @Test func aReleasedClientEndsItsThread() async throws {
        let server = try ScriptedServer(always { connection, _ in connection.answer(200, "ok") })
        defer { server.stop() }
        _ = try await HTTPClient().send(HTTPRequest(.get, server.url))
        // The idle connection closes with the client.
        while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Sends requests that end and requests that hang, then shuts the client down.
private func useClientOnce(_ server: ScriptedServer) async throws {
    let client = HTTPClient()
    try await withThrowingTaskGroup { group in
        for _ in 0..<20 { group.addTask { _ = try await client.send(HTTPRequest(.get, server.url)) } }
        try await group.waitForAll()
    }
    let before = server.requests.count
    let hanging = (0..<10).map { _ in
        Task { await client.failure(of: HTTPRequest(.get, server.url + "/hangs")) }
    }
    while server.requests.count < before + 10 { try await Task.sleep(for: .milliseconds(1)) }
    await client.shutdown()
    for task in hanging { #expect(await task.value == .cancelled) }
    while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(1)) }
}
