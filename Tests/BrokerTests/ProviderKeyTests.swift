import Basics
import DossierAPI
import HTTP
import JSON
import Synchronization
import Testing

@testable import Broker

/// The reading and keeping of an identity provider's keys, with a clock that the test moves.
@Suite(.timeLimit(.minutes(5))) struct ProviderKeyTests {
    private final class Clock: Sendable {
        private let seconds = Mutex<Int64>(1000)
        var now: Int64 { seconds.withLock { $0 } }
        func advance(_ by: Int64) { seconds.withLock { $0 += by } }
    }

    private let clock = Clock()
    private let server = ScriptedProvider(keys: ProviderVectors.keys)
    private let rotated = ProviderVectors.all["rotated"]?.string ?? ""
    private var rotatedKeys: JSON { ProviderVectors.all["rotated_keys"] ?? .null }

    private func provider(_ location: ProviderKeys.Location = .keySet(url: ScriptedProvider.keysURL))
        -> IdentityProvider
    {
        ProviderVectors.provider(server, clock: { [clock] in clock.now }, location: location)
    }

    private func status(_ provider: IdentityProvider, _ token: String? = nil) async -> Int {
        do throws(APIError) {
            _ = try await provider.identity(of: token ?? ProviderVectors.token("ES256"), now: ProviderVectors.now)
            return 200
        } catch {
            if error.status == 503 {
                #expect(error.code == .providerUnavailable && (1...5).contains(error.retryAfter ?? 0))
            }
            return error.status
        }
    }

    @Test func manyRequestsReadTheKeysOnce() async {
        let provider = provider()
        #expect(server.requests.isEmpty)
        server.hold()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { #expect(await status(provider) == 200) } }
            while server.requests.isEmpty { await Task.yield() }
            server.release()
        }
        #expect(server.requests.count == 1)
        let request = server.requests[0]
        #expect(request.limits.total == .seconds(5) && request.limits.body == 256 << 10)
        #expect(request.limits.redirects == 0)
    }

    @Test(
        arguments: [
            (nil, 600), ("max-age=120", 120), ("public, MAX-AGE=120", 120), ("max-age=1", 30), ("max-age=86400", 3600),
            ("max-age=99999999999999999999", 3600), ("no-store", 30), ("max-age=x", 600), ("max-age=-5", 600),
        ] as [(String?, Int64)])
    func keysAreKeptForTheMaxAgeOfTheAnswer(header: String?, seconds: Int64) async throws {
        var answer = ScriptedProvider.Answer(body: ProviderVectors.keys)
        answer.headers["Cache-Control"] = header
        server.answer(ScriptedProvider.keysURL, answer)
        let provider = provider()
        let keys = try #require(provider.keys)
        #expect(await status(provider) == 200)
        clock.advance(seconds - 1)
        await keys.refreshIfDue()
        #expect(server.requests.count == 1)
        clock.advance(1)
        await keys.refreshIfDue()
        #expect(server.requests.count == 2)
    }

    @Test func aRevokedKeyIsRefusedAfterTheNextReading() async throws {
        let provider = provider()
        #expect(await status(provider) == 200)
        server.answer(ScriptedProvider.keysURL, .init(body: rotatedKeys))
        clock.advance(600)
        await provider.keys?.refreshIfDue()
        #expect(await status(provider, rotated) == 200)
        #expect(await status(provider) == 401)
    }

    @Test func keysThatCannotBeReadAgainHoldForADay() async {
        let provider = provider()
        #expect(await status(provider) == 200)
        server.answer(ScriptedProvider.keysURL, nil)
        clock.advance(86_399)
        await provider.keys?.refreshIfDue()
        #expect(await status(provider) == 200)
        clock.advance(1)
        #expect(await status(provider) == 503)
    }

    @Test func anUnknownKeyIsReadAtOnceAndOnceIn30Seconds() async {
        let provider = provider()
        #expect(await status(provider) == 200)
        server.answer(ScriptedProvider.keysURL, .init(body: rotatedKeys))
        server.hold()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { #expect(await status(provider, rotated) == 200) } }
            while server.requests.count < 2 { await Task.yield() }
            server.release()
        }
        #expect(server.requests.count == 2)
        #expect(await status(provider) == 401)
        clock.advance(29)
        #expect(await status(provider) == 401)
        #expect(server.requests.count == 2)
        clock.advance(1)
        server.answer(ScriptedProvider.keysURL, .init(body: ProviderVectors.keys))
        #expect(await status(provider) == 200)
        #expect(server.requests.count == 3)
    }

    @Test func aKeyThatCannotBeLookedUpNowIsNoReasonToSignInAgain() async {
        let provider = provider()
        #expect(await status(provider) == 200)
        server.answer(ScriptedProvider.keysURL, nil)
        #expect(await status(provider, rotated) == 503)
        clock.advance(4)
        #expect(await status(provider, rotated) == 503)
        #expect(server.requests.count == 2)
        #expect(await status(provider) == 200, "the keys that are known still hold")
        server.answer(ScriptedProvider.keysURL, .init(body: rotatedKeys))
        clock.advance(1)
        #expect(await status(provider, rotated) == 200)
    }

    @Test func withoutAnyKeysSignInIsUnavailableAndAskedAgainAfter5Seconds() async {
        server.answer(ScriptedProvider.keysURL, .init(status: 500, body: ProviderVectors.keys))
        let provider = provider()
        #expect(await status(provider) == 503)
        clock.advance(4)
        #expect(await status(provider) == 503)
        #expect(server.requests.count == 1)
        // The shared secret needs no keys.
        #expect(await status(provider, ProviderVectors.token("the shared secret")) == 200)
        server.answer(ScriptedProvider.keysURL, .init(body: ProviderVectors.keys))
        clock.advance(1)
        #expect(await status(provider) == 200)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        ScriptedProvider.Answer(status: 301, headers: ["Location": "http://127.0.0.1:9/keys2"], body: ["keys": []]),
        .init(status: 204, body: ["keys": []]), .init(body: []), .init(body: ["keys": "x"]),
        .init(body: ["keys": .array(Array(repeating: JSON.object([:]), count: 101))]),
    ])
    func anAnswerThatIsNoKeySetIsAFailure(answer: ScriptedProvider.Answer) async {
        server.answer(ScriptedProvider.keysURL, answer)
        #expect(await status(provider()) == 503)
    }

    @Test func theDiscoveryDocumentNamesTheKeysOfTheSameIssuer() async {
        let issuer = ProviderVectors.all["issuer"]?.string ?? ""
        let url = issuer + "/.well-known/openid-configuration"
        func status(issuer named: String, keys: String) async -> Int {
            server.answer(url, .init(body: ["issuer": JSON(named), "jwks_uri": JSON(keys)]))
            return await self.status(provider(.discovery(issuer: issuer)))
        }
        #expect(await status(issuer: issuer, keys: ScriptedProvider.keysURL) == 200)
        #expect(server.requests.map(\.url) == [url, ScriptedProvider.keysURL])
        for (named, keys) in [
            (issuer + "/", ScriptedProvider.keysURL), ("", ScriptedProvider.keysURL),
            (issuer, "http://example.com/keys"), (issuer, "file:///etc/passwd"), (issuer, ""),
        ] {
            #expect(await status(issuer: named, keys: keys) == 503, "\(named) \(keys)")
        }
    }

    @Test(arguments: [
        ("https://a.example/x", true), ("http://127.0.0.1:5/x", true), ("http://localhost", true),
        ("http://[::1]:1", true),
        ("http://a.example", false), ("http://127.0.0.1.a.example", false), ("http://localhost@a.example", false),
        ("http://localhost:x@a.example", false), ("ftp://a.example", false), ("https://", false),
        ("https://a b", false),
    ]) func anAddressOfKeysIsEncryptedOrOnThisMachine(url: String, isSafe: Bool) {
        #expect(ProviderAddress.isSafe(url) == isSafe)
    }
}
