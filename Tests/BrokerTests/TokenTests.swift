import Basics
import Broker
import DossierAPI
import BrokerClient
import Foundation
import HTTP
import JSON
import Testing

@Suite struct TokenTests {
    private static let secret = Secret("our secret, which has 32 letters")
    private static let supabase = Secret("the secret of the identity provider")
    private static let noon: Int64 = 1_800_000_000

    /// A service that requires tokens, with a stopped clock.
    private func with(
        supabase: Secret? = TokenTests.supabase, _ body: (TestService, SessionTokens) async throws -> Void
    ) async throws {
        let time = ManualWallClock()
        time.stop(at: Self.noon * 1000)
        let tokens = SessionTokens(
            secret: Self.secret, provider: IdentityProvider(secrets: [supabase].compactMap { $0 }), now: { time.now })
        try await TestService.with {
            $0.authentication = .jwt(tokens)
        } _: { service in
            try await body(service, tokens)
        }
    }

    private func supabaseToken(_ changes: JSONObject = [:]) throws -> String {
        var claims: JSONObject = [
            "sub": "5f0c", "aud": "authenticated", "role": "authenticated", "email": "a@b.example",
            "exp": JSON(Self.noon + 60),
            "app_metadata": ["tier": "pro"],
        ]
        for (name, value) in changes { claims[name] = value }
        return try WebToken.sign(.object(claims), secret: Self.supabase.reveal())
    }

    @Test func aSupabaseTokenIsExchangedForATokenOfItsUser() async throws {
        try await with { service, _ in
            let answer = try await service.ask(
                .post, "/api/v1/auth/token", ["supabase_token": JSON(try supabaseToken())])
            #expect(answer.status == 200 && answer["data"]?["expires_in"] == 86_400)
            let access = try #require(answer["data"]?["access_token"]?.string)
            let claims = try WebToken.verify(access, secret: Self.secret.reveal(), now: Self.noon)
            #expect(claims["sub"] == "5f0c" && claims["email"] == "a@b.example" && claims["tier"] == "pro")
            #expect(claims["iat"] == JSON(Self.noon) && claims["exp"] == JSON(Self.noon + 86_400))
            let me = try await service.ask(.get, "/api/v1/users/me", headers: ["Authorization": "Bearer \(access)"])
            #expect(me["data"]?["subject"] == "5f0c")
        }
    }

    @Test func anExpiredTokenHasAnotherCodeThanAnInvalidOne() async throws {
        try await with { service, _ in
            let old = SessionTokens(
                secret: Self.secret, now: { (Self.noon - SessionTokens.accessLifetime) * 1000 })
            let expired = try await service.ask(
                .get, "/api/v1/credits", headers: ["Authorization": "Bearer \(old.issue(to: "7").accessToken)"])
            #expect(expired.status == 401 && expired.code == "AUTH_1001")
            #expect(expired.header("WWW-Authenticate") == "Bearer")
            let stranger = SessionTokens(
                secret: Secret(Self.secret.reveal() + "x"), now: { Self.noon * 1000 })
            for header in ["Bearer \(try stranger.issue(to: "7").accessToken)", "Bearer x.y.z", "Bearer ..."] {
                let bad = try await service.ask(.get, "/api/v1/credits", headers: ["Authorization": header])
                #expect(bad.status == 401 && bad.code == "AUTH_1002", "\(header)")
            }
        }
    }

    @Test func aRequestWithoutATokenIsRefusedDespiteOtherIdentification() async throws {
        try await with { service, _ in
            for headers in [[:], ["X-User-ID": "1"], ["Authorization": "Basic eDp5"], ["Authorization": "Bearer"]] {
                let answer = try await service.ask(
                    .get, "/api/v1/credits?user_id=1", headers: .init(headers.map { ($0.key, $0.value) }))
                #expect(answer.status == 401 && answer.code == "AUTH_1003")
            }
        }
    }

    @Test(
        arguments: [
            ["sub": "system"], ["exp": JSON(noon - 60)], ["aud": "anon"], ["aud": nil, "role": "service_role"],
            ["sub": nil],
            ["sub": ""],
        ] as [JSONObject])
    func aSupabaseTokenWithoutASignedInUserIsRefused(changes: JSONObject) async throws {
        try await with { service, _ in
            let answer = try await service.ask(
                .post, "/api/v1/auth/token", ["supabase_token": JSON(try supabaseToken(changes))])
            #expect(answer.status == 401)
        }
    }

    @Test func operatorsSubmitOperatorJobsWithTheirToken() async throws {
        try await with { service, tokens in
            func submit(as subject: String) async throws -> Answer {
                let token = try tokens.issue(to: subject).accessToken
                return try await service.ask(
                    .post, "/api/v1/jobs", ["kind": "chore", "input": [:]],
                    headers: ["Authorization": "Bearer \(token)"])
            }
            let refused = try await submit(as: "mia")
            #expect(refused.status == 403 && refused.code == "AUTH_1003")
            let taken = try await submit(as: "system")
            #expect(taken.status == 202)
        }
        try await TestService.with { service in
            let own = try await service.ask(.post, "/api/v1/jobs", ["kind": "chore", "input": [:]])
            #expect(own.status == 202)
        }
    }

    @Test func theDescriptionOfTheTokensHidesTheSecrets() {
        let authentication = Authentication.jwt(
            SessionTokens(secret: Self.secret, provider: IdentityProvider(secrets: [Self.supabase])))
        var shown = "\(authentication) \(String(reflecting: authentication))"
        dump(authentication, to: &shown)
        #expect(shown.contains("[redacted]"))
        for secret in [Self.secret, Self.supabase] { #expect(!shown.contains(secret.reveal())) }
    }

    @Test func anInvalidBodyNamesItsField() async throws {
        try await with { service, _ in
            let number = try await service.ask(.post, "/api/v1/auth/token", ["supabase_token": 5])
            #expect(number.status == 422 && number.field == "supabase_token")
            let missing = try await service.ask(.post, "/api/v1/auth/refresh", ["token": "x"])
            #expect(missing.status == 422 && missing.field == "token")
            let none = try await service.ask(.post, "/api/v1/auth/refresh")
            #expect(none.status == 422)
        }
    }

    @Test func withoutTokensBothAddressesAreNotFound() async throws {
        try await TestService.with { service in
            for path in ["token", "refresh"] {
                let answer = try await service.ask(.post, "/api/v1/auth/\(path)", ["x": 1])
                #expect(answer.status == 404)
            }
        }
        try await with(supabase: nil) { service, _ in
            let answer = try await service.ask(.post, "/api/v1/auth/token", ["supabase_token": "x"])
            #expect(answer.status == 404)
        }
    }

    @Test func theClientSendsItsToken() async throws {
        try await with { service, tokens in
            let client = BrokerClient(
                baseURL: service.url, accessToken: try tokens.issue(to: "mia").accessToken, transport: service.client)
            let job = try await client.submit(kind: "research", input: ["ticker": "AAPL", "persona": "ann"])
            #expect(try await client.job(job.id).id == job.id)
        }
    }
}

@Suite struct WebTokenTests {
    private let secret = "a secret of thirty-two characters"
    private let claims: JSON = ["sub": "u1", "exp": 2000]

    @Test func aSignedTokenVerifiesAsItsClaims() throws {
        let token = try WebToken.sign(["sub": "ü ☃ \"quoted\"", "exp": 2000, "tier": nil], secret: secret)
        let read = try WebToken.verify(token, secret: secret, now: 1999)
        #expect(read["sub"] == "ü ☃ \"quoted\"" && read["exp"] == 2000)
    }

    /// Signed with Python's `hmac`.
    @Test func aTokenSignedByAnotherLibraryVerifies() throws {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjIwMDAuNSwic3ViIjoidTEifQ"
            + ".TJoX-WIzJUJ0Bj2Bl7OZyDb8aW4W7XgDZt3md9SuZGg"
        #expect(try WebToken.verify(token, secret: secret, now: 1999)["sub"] == "u1")
    }

    /// RFC 7515 §4.1.11: what a token names as critical must be understood. Signed with Python's `hmac`.
    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsiZXhwIl19.eyJzdWIiOiJhbm4iLCJleHAiOjUwMDB9"
            + ".RjbXIvphGAGQcL5WGP0tm5FIp24_apQM9Eyf_jB9kAw",
        "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19.eyJzdWIiOiJhbm4iLCJleHAiOjUwMDB9"
            + ".OSblb8Yc_0XSg6hEDwI1W-7fsSH_k-hqUWpEnVPDMfA",
    ]) func aTokenWithCriticalExtensionsIsRefused(token: String) {
        #expect(throws: WebTokenError.invalid) { try WebToken.verify(token, secret: secret, now: 1000) }
    }

    @Test func aTokenExpiresAtItsTime() throws {
        let token = try WebToken.sign(claims, secret: secret)
        _ = try WebToken.verify(token, secret: secret, now: 1999)
        #expect(throws: WebTokenError.expired) { try WebToken.verify(token, secret: secret, now: 2000) }
    }

    @Test func aTokenWithoutExpiryOrBeforeItsStartIsRefused() throws {
        for claims: JSON in [["sub": "u1"], ["sub": "u1", "exp": "2000"], ["sub": "u1", "exp": 2000, "nbf": 1500]] {
            let token = try WebToken.sign(claims, secret: secret)
            #expect(throws: WebTokenError.invalid) { try WebToken.verify(token, secret: secret, now: 1000) }
        }
    }

    @Test func anotherSecretIsRefused() throws {
        let token = try WebToken.sign(claims, secret: secret + "x")
        #expect(throws: WebTokenError.invalid) { try WebToken.verify(token, secret: secret, now: 1000) }
    }

    @Test func everyChangedByteIsRefused() throws {
        let token = Array(try WebToken.sign(claims, secret: secret).utf8)
        for index in token.indices {
            var changed = token
            // Only some bits of the last letter count; changing the others gives the same signature.
            changed[index] = index == token.indices.last ? UInt8(ascii: "*") : token[index] ^ 1
            #expect(throws: WebTokenError.invalid) {
                try WebToken.verify(String(decoding: changed, as: UTF8.self), secret: secret, now: 1000)
            }
        }
    }

    @Test(arguments: ["none", "None", "HS384", "HS512", "RS256", "ES256", "", "hs256"])
    func anotherAlgorithmIsRefused(algorithm: String) throws {
        let good = try WebToken.sign(claims, secret: secret).split(separator: ".")
        let header = base64url("{\"typ\":\"JWT\",\"alg\":\"\(algorithm)\"}")
        for signature in ["", String(good[2])] {
            #expect(throws: WebTokenError.invalid) {
                try WebToken.verify("\(header).\(good[1]).\(signature)", secret: secret, now: 1000)
            }
        }
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "eyJ.eyJ.eyJ", "\u{0}", String(repeating: "a.", count: 9000)])
    func malformedTokensAreRefused(text: String) {
        #expect(throws: WebTokenError.invalid) { try WebToken.verify(text, secret: secret, now: 1000) }
    }

    @Test func claimsMustBeAnObject() {
        #expect(throws: WebTokenError.unusable) { try WebToken.sign([1, 2], secret: secret) }
    }

    private func base64url(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
}
