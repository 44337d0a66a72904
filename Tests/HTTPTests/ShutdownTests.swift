import HTTP
import Testing

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

    @Test func withGraceARunningRequestGetsItsAnswer() async throws {
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

    @Test func shuttingDownAmidManyTransfersEndsEachOnce() async throws {
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
                                arrived.increase()
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
                    // A reader whose own task was cancelled may see its stream end instead.
                    #expect(wasCancelled || index % 3 == 0)
                }
            }
        }
    }

    /// In a process of its own: descriptors are counted.
    @Test func nothingIsLeftOpenAfterTheEnd() async throws {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(
                always { connection, request in
                    if request.target == "/hangs" { connection.waitForEnd() } else { connection.answer(200, "ok") }
                })
            defer { server.stop() }
            try await useClientOnce(server)
            let before = openDescriptors()
            for _ in 0..<10 { try await useClientOnce(server) }
            #expect(openDescriptors() <= before)
        }
    }

    @Test func aClientThatIsDroppedEndsItsThread() async throws {
        let server = try ScriptedServer(always { connection, _ in connection.answer(200, "ok") })
        defer { server.stop() }
        _ = try await HTTPClient().send(HTTPRequest(.get, server.url))
        // The kept connection closes with the client.
        while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Requests that end, requests that hang, and the end of the client under them.
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
