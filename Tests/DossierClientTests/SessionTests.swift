import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DossierClient

/// Tokens: one renewal for all, and nobody is signed out by a bad network.
@Suite(.timeLimit(.minutes(2))) struct SessionTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// An access token of a user that ends at a time.
    private static func token(_ user: String = "ann", endsIn seconds: Double, _ serial: Int = 0) -> String {
        let claims = #"{"sub":"\#(user)","exp":\#(Int(start.timeIntervalSince1970 + seconds)),"n":\#(serial)}"#
        let text = Data(claims.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return "e30.\(text).sig"
    }

    private static func pair(endsIn seconds: Double, _ serial: Int = 0) -> TokenPair {
        TokenPair(
            accessToken: token(endsIn: seconds, serial), refreshToken: "refresh\(serial)",
            expiresAt: start.addingTimeInterval(seconds))
    }

    private static func answer(endsIn seconds: Double, _ serial: Int) -> TransportResponse {
        .data(
            #"{"access_token":"\#(token(endsIn: seconds, serial))","refresh_token":"refresh\#(serial)","expires_in":\#(seconds)}"#
        )
    }

    private func session(
        _ storage: any TokenStorage, _ transport: ScriptedTransport
    ) -> TokenSession {
        TokenSession(
            server: Dossier.scriptedServer, storage: storage, transport: transport, now: { Self.start },
            pacing: ManualPacing().pacing())
    }

    private func isRefresh(_ request: TransportRequest) -> Bool { request.url.path == "/api/v1/auth/refresh" }

    @Test func aHundredCallersWithAnExpiredTokenAreOneRefresh() async throws {
        let new = Self.token(endsIn: 900, 1)
        let transport = ScriptedTransport { request, _ in
            if request.url.path == "/api/v1/auth/refresh" { return Self.answer(endsIn: 900, 1) }
            return request.headers["Authorization"] == "Bearer \(new)"
                ? .data(jobJSON()) : .failure(401, "AUTH_1001")
        }
        // By the device's clock it holds: only the server knows better.
        let session = session(MemoryTokenStorage(Self.pair(endsIn: 900)), transport)
        let dossier = Dossier.scripted(transport, authentication: session)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = try await dossier.jobs.job(Job.ID(rawValue: "j\(number)")) } }
            try await group.waitForAll()
        }
        #expect(transport.requests.filter(isRefresh).count == 1)
    }

    @Test func aTokenThatIsAboutToEndIsRenewedBefore() async throws {
        let transport = ScriptedTransport { request, _ in
            request.url.path == "/api/v1/auth/refresh" ? Self.answer(endsIn: 900, 1) : .data(jobJSON())
        }
        let storage = MemoryTokenStorage(Self.pair(endsIn: 60))
        let session = session(storage, transport)
        _ = try await Dossier.scripted(transport, authentication: session).jobs.job("j")
        #expect(transport.lines == ["POST /api/v1/auth/refresh", "GET /api/v1/jobs/j"])
        #expect(await storage.load()?.refreshToken == "refresh1")
        #expect(await session.account() == "ann")
    }

    @Test func withoutAnAnswerNobodyIsSignedOut() async throws {
        let transport = ScriptedTransport { request, _ in
            if request.url.path == "/api/v1/auth/refresh" { throw DossierError(.connectionLost) }
            return .data(jobJSON())
        }
        let storage = MemoryTokenStorage(Self.pair(endsIn: 30))
        let session = session(storage, transport)
        _ = try await Dossier.scripted(transport, authentication: session).jobs.job("j")
        #expect(await session.state == .signedIn(account: "ann"))
        #expect(await storage.load() == Self.pair(endsIn: 30))

        let ended = self.session(MemoryTokenStorage(Self.pair(endsIn: -1)), transport)
        let error = await #expect(throws: DossierError.self) {
            try await Dossier.scripted(transport, authentication: ended).jobs.job("j")
        }
        #expect(error?.code == .connectionLost)
        #expect(await ended.state == .signedIn(account: "ann"))
    }

    @Test func theRefreshIsRepeatedWithTheSameToken() async throws {
        let transport = ScriptedTransport { request, number in
            guard request.url.path == "/api/v1/auth/refresh" else { return .data(jobJSON()) }
            if number == 1 { throw DossierError(.connectionLost) }
            return Self.answer(endsIn: 900, 1)
        }
        let session = session(MemoryTokenStorage(Self.pair(endsIn: 0)), transport)
        _ = try await Dossier.scripted(transport, authentication: session).jobs.job("j")
        let bodies = transport.requests.filter(isRefresh).map(\.body)
        #expect(bodies == [Data(#"{"refresh_token":"refresh0"}"#.utf8), Data(#"{"refresh_token":"refresh0"}"#.utf8)])
    }

    @Test func onlyARefusalSignsOut() async throws {
        let transport = ScriptedTransport { _, _ in .failure(401, "AUTH_1002") }
        let storage = MemoryTokenStorage(Self.pair(endsIn: 0))
        let session = session(storage, transport)
        let dossier = Dossier.scripted(transport, authentication: session)
        var states = session.states.makeAsyncIterator()
        #expect(try await states.next() == .signedIn(account: "ann"))
        for _ in 1...2 {
            let error = await #expect(throws: DossierError.self) { try await dossier.jobs.job("j") }
            #expect(error?.code == .tokenInvalid)
        }
        #expect(try await states.next() == .expired)
        #expect(await storage.load() == nil)
        #expect(transport.requests.count == 1, "nothing is sent without tokens")

        let nobody = self.session(MemoryTokenStorage(), transport)
        let error = await #expect(throws: DossierError.self) {
            try await Dossier.scripted(transport, authentication: nobody).jobs.job("j")
        }
        #expect(error?.code == .signedOut)
    }

    @Test func aRenewalThatReturnsAfterTheSignOutStoresNothing() async throws {
        let asked = Signal()
        let goOn = Signal()
        let transport = ScriptedTransport { request, _ in
            asked.fire()
            await goOn.wait()
            return Self.answer(endsIn: 900, 1)
        }
        let storage = MemoryTokenStorage(Self.pair(endsIn: 0))
        let session = session(storage, transport)
        let dossier = Dossier.scripted(transport, authentication: session)
        let call = Task { try await dossier.jobs.job("j") }
        await asked.wait()
        try await session.signOut()
        goOn.fire()
        let error = await #expect(throws: DossierError.self) { try await call.value }
        #expect(error?.code == .signedOut)
        #expect(await storage.load() == nil)
        #expect(await session.state == .signedOut)
    }

    @Test func theLoserOfTwoProcessesTakesTheWinnersTokens() async throws {
        let storage = MemoryTokenStorage(Self.pair(endsIn: 0))
        let winner = Self.pair(endsIn: 800, 7)
        let transport = ScriptedTransport { request, _ in
            guard request.url.path == "/api/v1/auth/refresh" else { return .data(jobJSON()) }
            _ = await storage.replace(Self.pair(endsIn: 0), with: winner)
            return Self.answer(endsIn: 900, 1)
        }
        let session = session(storage, transport)
        _ = try await Dossier.scripted(transport, authentication: session).jobs.job("j")
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer \(winner.accessToken)")
        #expect(await storage.load() == winner)
    }

    @Test func signingInExchangesTheToken() async throws {
        let transport = ScriptedTransport { _, _ in Self.answer(endsIn: 900, 3) }
        let storage = MemoryTokenStorage()
        let session = session(storage, transport)
        try await session.signIn(supabaseToken: "s")
        #expect(transport.requests.first?.body == Data(#"{"supabase_token":"s"}"#.utf8))
        #expect(await storage.load()?.refreshToken == "refresh3")
        #expect(await session.state == .signedIn(account: "ann"))
    }

    @Test func tokensAreInNoText() {
        let pair = Self.pair(endsIn: 9)
        var dumped = ""
        dump(pair, to: &dumped)
        for text in ["\(pair)", String(reflecting: pair), dumped] {
            #expect(!text.contains("refresh0") && !text.contains(pair.accessToken))
        }
    }

    @Test func theFileOfTokensIsItsOwnersAlone() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tokens.json")
        let (first, second) = (FileTokenStorage(file: file), FileTokenStorage(file: file))
        let pair = Self.pair(endsIn: 9)
        #expect(try await first.load() == nil)
        #expect(try await first.replace(nil, with: pair))
        #expect(try await second.load() == pair)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await !second.replace(nil, with: Self.pair(endsIn: 1)))
        // Of many that replace the same, one wins.
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await FileTokenStorage(file: file).replace(pair, with: Self.pair(endsIn: 9, number))
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        #expect(try await first.replace(try await first.load(), with: nil))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
