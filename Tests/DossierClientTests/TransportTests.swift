import Foundation
import TestSupport
import Testing

@testable import DossierClient

/// `URLSessionTransport` against a server that behaves badly.
@Suite(.timeLimit(.minutes(2))) struct TransportTests {
    private func with(
        _ fate: @escaping @Sendable (HostileProxy.Request) -> HostileProxy.Fate,
        _ body: (HostileProxy, URLSessionTransport) async throws -> Void
    ) async throws {
        let proxy = try HostileProxy(fate)
        defer { proxy.close() }
        try await body(proxy, URLSessionTransport())
    }

    private func code(_ work: () async throws -> Void) async -> DossierError.Code? {
        do { try await work() } catch { return (error as? DossierError)?.code }
        return nil
    }

    @Test func anAnswerComesWhole() async throws {
        try await with({ _ in .answer(418, "tea", headers: ["X-Kind": "Assam"]) }) { proxy, transport in
            let request = TransportRequest(
                .put, proxy.url.appending(path: "a"), headers: ["X-A": "b"], body: Data("c".utf8))
            let response = try await transport.send(request)
            #expect(response.status == 418)
            #expect(response.headers["x-kind"] == "Assam")
            #expect(response.body == Data("tea".utf8))
            #expect(proxy.requests.map(\.line) == ["PUT /a"])
            #expect(proxy.requests.first?.headers["x-a"] == "b")
            #expect(proxy.requests.first?.body == Array("c".utf8))
        }
    }

    /// libcurl would send them again by itself over another connection when a kept one dies.
    @Test(arguments: [TransportRequest.Method.post, .put, .delete], [nil, Data("{}".utf8)])
    func whatChangesSomethingHasAConnectionOfItsOwnAndIsSentOnce(
        _ method: TransportRequest.Method, _ body: Data?
    ) async throws {
        try await with({ $0.number <= 2 ? .answer(200, "ok") : .dropAfter }) { proxy, transport in
            for _ in 1...2 {
                _ = try await transport.send(TransportRequest(method, proxy.url, body: body))
            }
            let code = await code { _ = try await transport.send(TransportRequest(method, proxy.url, body: body)) }
            #expect(code == .connectionLost)
            #expect(proxy.requests.count == 3)
            #expect(Set(proxy.requests.map(\.connection)).count == 3)
        }
    }

    @Test func brokenAnswersAreLostConnections() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
        let fates: [HostileProxy.Fate] = [
            .dropBefore, .send([.text(head + "short")]), .garbage, .send([.text("HTTP/1.1 2")]),
        ]
        for fate in fates {
            try await with({ _ in fate }) { proxy, transport in
                let code = await code { _ = try await transport.send(TransportRequest(.post, proxy.url)) }
                #expect(code == .connectionLost, "\(fate)")
            }
        }
    }

    @Test func whoDoesNotListenCannotBeReached() async throws {
        let proxy = try HostileProxy { _ in .dropBefore }
        let url = proxy.url
        proxy.close()
        let isClosed = await eventually {
            await code { _ = try await URLSessionTransport().send(TransportRequest(.get, url)) } == .cannotConnect
        }
        #expect(isClosed)
        let unknown = try #require(URL(string: "http://nobody.invalid/"))
        #expect(
            await code { _ = try await URLSessionTransport().send(TransportRequest(.get, unknown)) } == .cannotConnect)
    }

    @Test func silenceEndsAtTheTimeout() async throws {
        try await with({ _ in .send([.silence(nil)]) }) { proxy, transport in
            let request = TransportRequest(.get, proxy.url, timeout: .milliseconds(100))
            #expect(await code { _ = try await transport.send(request) } == .timedOut)
        }
    }

    @Test func aRedirectToAnotherOriginIsNotFollowed() async throws {
        try await with({ _ in .answer(200, "elsewhere") }) { other, transport in
            try await with({ request in
                request.target == "/here"
                    ? .answer(302, "", headers: ["Location": "/there"])
                    : .answer(302, "", headers: ["Location": "\(other.url)/x"])
            }) { proxy, _ in
                let request = TransportRequest(
                    .get, proxy.url.appending(path: "here"), headers: ["Authorization": "Bearer secret"])
                let response = try await transport.send(request)
                #expect(response.status == 302)
                #expect(proxy.requests.map(\.target) == ["/here", "/there"])
                #expect(other.requests.isEmpty)
            }
        }
    }

    @Test func aStreamsPiecesComeAsTheyArrive() async throws {
        let signal = Signal()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await with({ _ in
            .send([.text(head), .text("3\r\none\r\n"), .wait(signal), .text("3\r\ntwo\r\n0\r\n\r\n")])
        }) { proxy, transport in
            let stream = try await transport.stream(TransportRequest(.get, proxy.url))
            #expect(stream.headers["content-type"] == "text/event-stream")
            var pieces: [String] = []
            for try await piece in stream.body {
                pieces.append(String(decoding: piece, as: UTF8.self))
                signal.fire()
            }
            #expect(pieces == ["one", "two"])
        }
    }

    @Test func aStreamThatIsCutThrows() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"
        try await with({ _ in .send([.text(head)]) }) { proxy, transport in
            let stream = try await transport.stream(TransportRequest(.get, proxy.url))
            #expect(await code { for try await _ in stream.body {} } == .connectionLost)
        }
    }

    @Test func aTransportOfAnAppsOwnStreamsPiecesAsTheyArrive() async throws {
        let (pieces, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        let stream = TransportStream(status: 200, headers: ["X-A": "b"], body: pieces)
        #expect(stream.headers == ["x-a": "b"])
        var iterator = stream.body.makeAsyncIterator()
        for text in ["one", "two"] {
            continuation.yield(Data(text.utf8))
            #expect(try await iterator.next() == Data(text.utf8))
        }
        continuation.finish(throwing: CocoaError(.fileReadUnknown))
        do {
            _ = try await iterator.next()
            Issue.record("a body that broke off was whole")
        } catch {
            #expect((error as? DossierError)?.code == .connectionLost)
        }
    }

    @Test func aStreamThatIsLeftEndsItsSource() async throws {
        let ended = Signal()
        let (pieces, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.onTermination = { _ in ended.fire() }
        continuation.yield(Data("one".utf8))
        for try await _ in TransportStream(status: 200, headers: [:], body: pieces).body { break }
        #expect(await ended.fires())
    }

    @Test func aThousandStreamsThatAreLeftLeaveNoSocket() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n\n"
        try await with({ _ in .send([.text(head), .silence(nil)]) }) { proxy, transport in
            for _ in 0..<20 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let stream = try await transport.stream(TransportRequest(.get, proxy.url))
                            // Some are read, some are not even looked at.
                            if number % 2 == 0 { for try await _ in stream.body { break } }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(proxy.requests.count == 1000)
            #expect(await eventually { proxy.openConnections == 0 }, "no socket is left")
        }
    }
}
