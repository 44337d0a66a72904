import Foundation
import TestSupport
import Testing

@testable import DossierClient

/// Cancelled work ends within a hundred milliseconds, whatever it waits for.
///
/// A busy machine delays some ends; what waits for a byte, a pause or somebody else delays all of them. So the quickest
/// of several counts.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CancellationTests {
    /// What a call waits for when it is cancelled.
    enum Wait: CaseIterable {
        case head, body, pause, events, followedJob, value, otherReader, renewal, submission
    }

    private static let attempts = 12

    @Test(arguments: Wait.allCases) func cancelledWorkEndsWithinAHundredMilliseconds(_ wait: Wait) async throws {
        let stream = "HTTP/1.1 200 OK\r\nX-API-Version: 1.0\r\nContent-Type: text/event-stream\r\n\r\n: hello\n\n"
        let proxy = try HostileProxy { request in
            switch wait {
            case .pause: .answer(503, "busy", headers: ["X-API-Version": "1.0", "Retry-After": "20"])
            case .body:
                .send([.text("HTTP/1.1 200 OK\r\nX-API-Version: 1.0\r\nContent-Length: 9\r\n\r\nhalf"), .silence(nil)])
            case .events, .followedJob: .send([.text(stream), .silence(nil)])
            default: .send([.silence(nil)])
            }
        }
        defer { proxy.close() }
        var quickest = Duration.seconds(60)
        for attempt in 1...Self.attempts {
            let dossier = self.dossier(proxy.url, wait)
            let task = Task { try await work(wait, dossier, proxy.url) }
            let isUnderWay = await eventually { proxy.requests.count == attempt }
            try #require(isUnderWay)
            // Two readers of one value are one request; both have to be there.
            if wait == .otherReader { for _ in 0..<100 { await Task.yield() } }
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            quickest = min(quickest, ContinuousClock.now - start)
        }
        #expect(quickest < .milliseconds(100), "the quickest of \(Self.attempts) took \(quickest)")
        #expect(await eventually { proxy.openConnections == 0 }, "no socket is left")
    }

    private func dossier(_ server: URL, _ wait: Wait) -> Dossier {
        var configuration = Dossier.Configuration(directory: nil)
        configuration.connectivity = ConnectivityMonitor()
        let old = TokenPair(accessToken: "a", refreshToken: "r", expiresAt: .distantPast)
        let session = TokenSession(server: server, storage: MemoryTokenStorage(old))
        return wait == .renewal
            ? Dossier(server: server, authentication: session, configuration: configuration)
            : Dossier(server: server, configuration: configuration)
    }

    private func work(_ wait: Wait, _ dossier: Dossier, _ server: URL) async throws {
        switch wait {
        case .head, .pause, .renewal: _ = try await dossier.jobs.cancel("j1")
        case .body: _ = try await dossier.read(.credits)
        case .events:
            let request = TransportRequest(.get, server)
            for try await _ in try await dossier.configuration.transport.stream(request).body {}
        case .followedJob: for try await _ in dossier.jobs.updates(of: "j1") {}
        case .value: for try await _ in dossier.values(of: .credits) {}
        case .otherReader:
            async let first = dossier.read(.credits)
            async let second = dossier.read(.credits)
            _ = try await (first, second)
        case .submission: _ = try await dossier.jobs.output(of: Submission(QuizInput(topic: "x")))
        }
    }
}
