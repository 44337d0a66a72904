import HTTP
import Testing

@Suite struct CancellationTests {
    @Test func aCancelledTaskEndsItsRequestAtOnce() async throws {
        let arrived = Signal()
        let left = Signal()
        let script: ScriptedServer.Script = { connection in
            _ = connection.readRequest()
            arrived.fire()
            connection.waitForEnd()
            left.fire()
        }
        try await withServer(script: script) { server, client in
            let task = Task { await client.failure(of: HTTPRequest(.get, server.url)) }
            await arrived.wait()
            task.cancel()
            #expect(await task.value == .cancelled)
            await left.wait()
        }
    }

    @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
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

    @Test func aCancelledNeighbourDisturbsNobody() async throws {
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
