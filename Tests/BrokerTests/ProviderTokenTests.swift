import Basics
import DossierAPI
import HTTP
import JSON
import Testing

@testable import Broker

/// Tokens of identity providers, minted by PyJWT and cryptography.
@Suite struct ProviderTokenTests {
    private static func outcome(of token: String, _ provider: IdentityProvider) async -> String {
        do throws(APIError) {
            let identity = try await provider.identity(of: token, now: ProviderVectors.now)
            return "\(identity.subject) \(identity.profile.tier ?? "-") \(identity.profile.role?.rawValue ?? "-")"
        } catch {
            return "\(error.status) \(error.code.rawValue)"
        }
    }

    @Test(arguments: ["accepted", "refused", "expired", "anonymous"])
    func theTokensOfAnotherLibraryAreTakenOrRefusedByTheRules(group: String) async {
        let server = ScriptedProvider(keys: ProviderVectors.keys)
        let provider = ProviderVectors.provider(server)
        let expected = [
            "accepted": "5f0c pro viewer", "refused": "401 AUTH_1002", "expired": "401 AUTH_1001",
            "anonymous": "403 AUTH_1006",
        ][group]
        let tokens = ProviderVectors.tokens(group)
        #expect(tokens.count >= 2)
        for (name, token) in tokens {
            let outcome = await Self.outcome(of: token, provider)
            #expect(outcome == expected, "\(name)")
        }
        // Nothing but the keys was fetched, whatever the headers name.
        #expect(server.requests.allSatisfy { $0.url == ScriptedProvider.keysURL })
    }

    @Test func aSubjectWithHalfOfASurrogatePairMakesNoToken() {
        func token(_ claims: String) -> String {
            [#"{"alg":"ES256"}"#, claims, "x"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        }
        #expect(ProviderToken(token(#"{"sub":"a\ufffd"}"#)) != nil)
        #expect(ProviderToken(token(#"{"sub":"a\ud800"}"#)) == nil)
        #expect(ProviderToken(token(#"{"sub":"a\udfff"}"#)) == nil)
    }

    @Test func everyChangedByteOfATokenIsRefused() async {
        let provider = ProviderVectors.provider(ScriptedProvider(keys: ProviderVectors.keys))
        for name in ["ES256", "RS256 of 2048 bits"] {
            let token = Array(ProviderVectors.token(name).utf8)
            for index in token.indices {
                var changed = token
                changed[index] ^= 1
                let outcome = await Self.outcome(of: String(decoding: changed, as: UTF8.self), provider)
                #expect(outcome == "401 AUTH_1002", "\(name) \(index)")
            }
        }
    }

    @Test func aSecretAloneTakesNoPublicKeysAndAnIssuerAloneTakesNoSecrets() async {
        let secret = IdentityProvider(secrets: [Secret("the secret of the identity provider")])
        #expect(await Self.outcome(of: ProviderVectors.token("ES256"), secret) == "401 AUTH_1002")
        #expect(await Self.outcome(of: ProviderVectors.token("the shared secret"), secret) == "5f0c pro viewer")
        var keys = ProviderVectors.provider(ScriptedProvider(keys: ProviderVectors.keys))
        keys.secrets = []
        #expect(await Self.outcome(of: ProviderVectors.token("the shared secret"), keys) == "401 AUTH_1002")
        #expect(await Self.outcome(of: ProviderVectors.token("ES256"), keys) == "5f0c pro viewer")
    }

    @Test func theCauseOfARefusalIsForTheLogAlone() async throws {
        var provider = ProviderVectors.provider(ScriptedProvider(keys: ProviderVectors.keys))
        provider.audiences = ["another"]
        do throws(APIError) {
            _ = try await provider.identity(of: ProviderVectors.token("ES256"), now: ProviderVectors.now)
            Issue.record("it was accepted")
        } catch {
            #expect(error.code == .tokenInvalid && error.cause == "its audience is another")
            #expect(!error.message.contains("audience") && error.details == nil)
        }
    }

    @Test func theSecretBeforeARotationIsStillAccepted() async {
        let old = Secret("the secret of the identity provider")
        let both = IdentityProvider(secrets: [Secret("the new secret of the provider"), old])
        #expect(await Self.outcome(of: ProviderVectors.token("the shared secret"), both) == "5f0c pro viewer")
    }

    @Test func otherClaimsMayHoldTierAndRole() async {
        var provider = ProviderVectors.provider(ScriptedProvider(keys: ProviderVectors.keys))
        provider.tierClaim = IdentityProvider.ClaimPath("email")
        provider.roleClaim = IdentityProvider.ClaimPath("app_metadata.tier")
        #expect(await Self.outcome(of: ProviderVectors.token("ES256"), provider) == "5f0c a@b.example -")
    }

    @Test(arguments: ["user_metadata", "user_metadata.tier", "", ".", "a..b", "a."])
    func aClaimThatUsersWriteHoldsNoTier(path: String) {
        #expect(IdentityProvider.ClaimPath(path) == nil)
    }

    @Test func bothNamesOfATokenAreTheSameAndOnlyOneMayCome() async throws {
        let time = ManualWallClock()
        time.stop(at: ProviderVectors.now * 1000)
        let tokens = SessionTokens(
            secret: Secret("our secret, which has 32 letters"),
            provider: ProviderVectors.provider(ScriptedProvider(keys: ProviderVectors.keys)), now: { time.now })
        try await TestService.with {
            $0.authentication = .jwt(tokens)
        } _: { service in
            let token = JSON(ProviderVectors.token("ES256"))
            for name in ["token", "supabase_token"] {
                let answer = try await service.ask(
                    .post, "/api/v1/auth/token", .object([name: token, "device": .null]))
                #expect(answer.status == 200, "\(answer.text)")
            }
            for body: JSONObject in [["token": token, "supabase_token": token], [:], ["token": 5]] {
                let answer = try await service.ask(.post, "/api/v1/auth/token", .object(body))
                #expect(answer.status == 422 && answer.code == "VAL_3001", "\(answer.text)")
            }
        }
    }
}
