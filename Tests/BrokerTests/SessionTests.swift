import Basics
import BrokerClient
import DossierAPI
import HTTP
import JSON
import Testing

@testable import Broker

/// Sessions over HTTP: sign-in, refresh, logout, and brokers that share a database.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private static let supabase = Secret("the secret of the identity provider")
    private static let noon: Int64 = 1_800_000_000

    private let time = ManualWallClock()
    private let tokens: SessionTokens

    init() {
        let time = time
        time.stop(at: Self.noon * 1000)
        tokens = SessionTokens(
            secret: Secret("our secret, which has 32 letters"), provider: IdentityProvider(secrets: [Self.supabase]),
            now: { time.now })
    }

    private func with(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.authentication = .jwt(tokens) }, body)
    }

    private func signIn(
        _ service: TestService, _ subject: String = "ann", device: String? = nil
    ) async throws -> JSON {
        let token = try WebToken.sign(
            [
                "sub": JSON(subject), "aud": "authenticated", "exp": JSON(Self.noon * 2), "email": "a@b.example",
                "app_metadata": ["tier": "pro", "dossier_role": "viewer"],
            ], secret: Self.supabase.reveal())
        var body: JSONObject = ["token": JSON(token)]
        if let device { body["device"] = JSON(device) }
        let answer = try await service.ask(.post, "/api/v1/auth/token", .object(body))
        #expect(answer.status == 200, "\(answer.text)")
        return answer["data"] ?? .null
    }

    private func refresh(_ service: TestService, _ token: JSON?) async throws -> Answer {
        try await service.ask(.post, "/api/v1/auth/refresh", ["refresh_token": token ?? .null])
    }

    private func headers(_ grant: JSON) -> HTTPHeaders {
        ["Authorization": "Bearer \(grant["access_token"]?.string ?? "")"]
    }

    private func status(_ service: TestService, _ grant: JSON) async throws -> Int {
        try await service.ask(.get, "/api/v1/credits", headers: headers(grant)).status
    }

    @Test func aSessionHasAnAccessTokenAndARefreshToken() async throws {
        try await with { service in
            let grant = try await signIn(service)
            #expect(grant["token_type"] == "Bearer" && grant["expires_in"] == 86_400)
            #expect(grant["refresh_expires_in"] == 2_592_000)
            let refreshToken = try #require(grant["refresh_token"]?.string)
            #expect(refreshToken.hasPrefix("drt_") && refreshToken.utf8.count == 47)
            let access = try #require(grant["access_token"]?.string)
            let claims = try WebToken.verify(access, secret: "our secret, which has 32 letters", now: Self.noon)
            #expect(claims["sid"] == grant["session_id"] && claims["gen"] == 0 && claims["use"] == "access")
            #expect(claims["sub"] == "ann" && claims["tier"] == "pro" && claims["role"] == "viewer")
            #expect(claims["email"] == "a@b.example" && claims["iss"] == "dossier")
            #expect(try await status(service, grant) == 200)
            let asAccess = try await service.ask(
                .get, "/api/v1/credits", headers: ["Authorization": "Bearer \(refreshToken)"])
            #expect(asAccess.status == 401 && asAccess.code == "AUTH_1002")
        }
    }

    @Test func twentyRefreshesAtOnceAndAReplayGiveOnePairAtBothBrokers() async throws {
        try await with { service in
            let grant = try await signIn(service)
            time.stop(at: (Self.noon + 3600) * 1000)
            try await service.beside({ $0.authentication = .jwt(tokens) }) { other in
                let answers = try await withThrowingTaskGroup(of: JSON?.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            let answer = try await refresh(number % 2 == 0 ? service : other, grant["refresh_token"])
                            return answer.status == 200 ? answer["data"] : nil
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let first = try #require(answers.first ?? nil)
                #expect(answers.allSatisfy { $0 == first })
                #expect(first["refresh_token"] != grant["refresh_token"] && first["session_id"] == grant["session_id"])
                time.stop(at: (Self.noon + 3600 + 29) * 1000)
                #expect(try await refresh(service, grant["refresh_token"])["data"] == first)
                let claims = try WebToken.verify(
                    try #require(first["access_token"]?.string), secret: "our secret, which has 32 letters",
                    now: Self.noon + 3600)
                #expect(
                    claims["tier"] == "pro" && claims["role"] == "viewer" && claims["iat"] == JSON(Self.noon + 3600))
                #expect(try await status(other, first) == 200)
                #expect(try await status(service, grant) == 200)
            }
        }
    }

    @Test func aRefreshTokenThatComesTwiceEndsItsSession() async throws {
        try await with { service in
            let grant = try await signIn(service)
            let other = try await signIn(service)
            let next = try #require(try await refresh(service, grant["refresh_token"])["data"])
            time.stop(at: (Self.noon + 31) * 1000)
            let replay = try await refresh(service, grant["refresh_token"])
            #expect(replay.status == 401 && replay.code == "AUTH_1002")
            time.stop(at: (Self.noon + 32) * 1000)
            for grant in [grant, next] {
                #expect(try await refresh(service, grant["refresh_token"]).status == 401)
                #expect(try await status(service, grant) == 401)
            }
            #expect(try await status(service, other) == 200)
            let lines = service.log.lines("a refresh token came twice and its session has ended")
            #expect(lines.count == 1 && lines[0]["session"] == grant["session_id"])
            #expect(!service.log.text.contains("drt_"))
        }
    }

    @Test(arguments: ["", "drt_", "drt_x", "x", "drt_" + String(repeating: "A", count: 43)])
    func anUnknownRefreshTokenIsRefused(token: String) async throws {
        try await with { service in
            let answer = try await refresh(service, JSON(token))
            #expect(answer.status == 401 && answer.code == "AUTH_1002")
        }
    }

    @Test func logoutEndsTheSessionHereAtOnceAndElsewhereWithinTwoSeconds() async throws {
        try await with { service in
            try await service.beside({ $0.authentication = .jwt(tokens) }) { other in
                let grant = try await signIn(service)
                let kept = try await signIn(service)
                #expect(try await status(other, grant) == 200)
                let start = ContinuousClock.now
                let answer = try await service.ask(.post, "/api/v1/auth/logout", headers: headers(grant))
                #expect(answer.status == 200 && answer["data"]?["sessions_ended"] == 1, "\(answer.text)")
                #expect(try await status(service, grant) == 401)
                while try await status(other, grant) != 401 {
                    guard ContinuousClock.now - start < .seconds(2) else {
                        Issue.record("the other broker takes the token for two seconds")
                        break
                    }
                }
                #expect(try await refresh(other, grant["refresh_token"]).status == 401)
                #expect(try await status(service, kept) == 200)
                #expect(try await status(other, kept) == 200)
            }
            // A broker that starts later knows it, too.
            let gone = try await signIn(service)
            _ = try await service.ask(.post, "/api/v1/auth/logout", headers: headers(gone))
            try await service.beside({ $0.authentication = .jwt(tokens) }) { late in
                let status = try await status(late, gone)
                #expect(status == 401)
            }
        }
    }

    @Test func signingOutOfTheConsoleEndsItsSessionAndNoOther() async throws {
        try await with { service in
            let grants = (try await signIn(service, device: "Console"), try await signIn(service, device: "CLI"))
            let issued: JSON = ["access_token": JSON(try tokens.issue(to: "ann").accessToken)]
            for grant in [grants.0, issued] {
                let headers: HTTPHeaders = [
                    "Sec-Fetch-Site": "same-origin",
                    "Cookie": "dossier_console=\(grant["access_token"]?.string ?? "")",
                ]
                #expect(try await service.ask(.get, "/api/v1/credits", headers: headers).status == 200)
                #expect(try await service.sent(.delete, "/console/session", headers: headers).status == 204)
            }
            #expect(try await status(service, grants.0) == 401)
            #expect(try await refresh(service, grants.0["refresh_token"]).status == 401)
            #expect(try await status(service, grants.1) == 200)
            #expect(try await status(service, issued) == 200)
        }
    }

    @Test func logoutEverywhereEndsAllTokensOfTheUserAlone() async throws {
        try await with { service in
            let grants = [try await signIn(service), try await signIn(service)]
            let stranger = try await signIn(service, "bob")
            let issued: JSON = ["access_token": JSON(try tokens.issue(to: "ann").accessToken)]
            time.stop(at: (Self.noon + 1) * 1000)
            let answer = try await service.ask(
                .post, "/api/v1/auth/logout", ["everywhere": true], headers: headers(grants[0]))
            #expect(answer["data"]?["sessions_ended"] == 2, "\(answer.text)")
            for grant in grants + [issued] { #expect(try await status(service, grant) == 401) }
            #expect(try await status(service, stranger) == 200)
            let again = try await signIn(service)
            #expect(try await status(service, again) == 200)
            let next = try #require(try await refresh(service, again["refresh_token"])["data"])
            #expect(try await status(service, next) == 200)
        }
    }

    @Test func logoutTakesARefreshTokenAndAnUnknownOneEndsNothing() async throws {
        try await with { service in
            let grant = try await signIn(service)
            func logout(_ body: JSON?) async throws -> Answer {
                try await service.ask(.post, "/api/v1/auth/logout", body)
            }
            for token in ["x", "drt_" + String(repeating: "A", count: 43)] {
                let answer = try await logout(["refresh_token": JSON(token)])
                #expect(answer.status == 200 && answer["data"]?["sessions_ended"] == 0)
            }
            let body: JSON = ["refresh_token": grant["refresh_token"] ?? .null]
            #expect(try await logout(body)["data"]?["sessions_ended"] == 1)
            #expect(try await logout(body)["data"]?["sessions_ended"] == 0)
            #expect(try await status(service, grant) == 401)
            #expect(try await logout(nil).status == 401)
            #expect(try await logout(["everywhere": 1]).status == 422)
            #expect(try await logout(["all": true]).status == 422)
        }
    }

    @Test func aUserSeesAndEndsTheirOwnSessions() async throws {
        try await with { service in
            let phone = try await signIn(service, device: "Ann’s phone")
            time.stop(at: (Self.noon + 1) * 1000)
            let laptop = try await signIn(service)
            let stranger = try await signIn(service, "bob")
            let list = try await service.ask(.get, "/api/v1/auth/sessions", headers: headers(laptop))
            let rows = list["data"]?.array ?? []
            #expect(rows.map { $0["id"] } == [laptop["session_id"], phone["session_id"]])
            #expect(rows.map { $0["current"] } == [true, false] && rows[1]["device"] == "Ann’s phone")
            #expect(list["pagination"] == ["per_page": 50, "has_next": false])
            let page = try await service.ask(.get, "/api/v1/auth/sessions?per_page=1", headers: headers(laptop))
            let cursor = try #require(page["pagination"]?["next_cursor"]?.string)
            let rest = try await service.ask(
                .get, "/api/v1/auth/sessions?per_page=1&cursor=\(cursor)", headers: headers(laptop))
            #expect(rest["data"]?.array?.map { $0["id"] } == [phone["session_id"]])
            #expect(rest["pagination"]?["has_next"] == false)
            let path = "/api/v1/auth/sessions/\(phone["session_id"]?.string ?? "")"
            #expect(try await service.ask(.delete, path, headers: headers(stranger)).status == 404)
            #expect(try await service.ask(.delete, path, headers: headers(laptop)).status == 200)
            time.stop(at: (Self.noon + 2) * 1000)
            #expect(try await service.ask(.delete, path, headers: headers(laptop)).status == 404)
            #expect(try await status(service, phone) == 401)
            #expect(try await status(service, laptop) == 200)
        }
    }

    @Test func aDeviceHasANameOf1To100Characters() async throws {
        try await with { service in
            for device: JSON in ["", JSON(String(repeating: "x", count: 101)), 5] {
                let answer = try await service.ask(
                    .post, "/api/v1/auth/token", ["token": "x", "device": device])
                #expect(answer.status == 422 && answer.field == "device")
            }
        }
    }

    @Test func theSecretBeforeARotationIsAcceptedAndSignsNothing() async throws {
        let time = time
        let old = Secret("our secret, which has 32 letters")
        let new = Secret("the next secret of this service!")
        let rotated = SessionTokens(
            secret: new, previous: old, provider: IdentityProvider(secrets: [Self.supabase]), now: { time.now })
        try await with { service in
            let before = try await signIn(service)
            try await service.beside({ $0.authentication = .jwt(rotated) }) { both in
                #expect(try await status(both, before) == 200)
                let after = try #require(try await refresh(both, before["refresh_token"])["data"])
                #expect(try await status(both, after) == 200)
                #expect(try await status(service, after) == 401)
                #expect(keyID(after) == WebToken.keyID(of: new.reveal()) && keyID(before) != keyID(after))
            }
        }
        try await TestService.with({
            $0.authentication = .gateway(
                secret: Secret("the new gateway secret"), previous: Secret("the old gateway secret"))
        }) { service in
            for (secret, status) in [
                ("the new gateway secret", 200), ("the old gateway secret", 200), ("another", 401),
            ] {
                let headers: HTTPHeaders = ["X-Gateway-Secret": secret, "X-User-ID": "ann"]
                let answer = try await service.ask(.get, "/api/v1/credits", headers: headers)
                #expect(answer.status == status)
            }
        }
    }

    private func keyID(_ grant: JSON) -> String? {
        let head = grant["access_token"]?.string?.split(separator: ".").first ?? ""
        return Base64URL.decode(head).flatMap { try? JSON(parsing: $0) }?["kid"]?.string
    }
}
