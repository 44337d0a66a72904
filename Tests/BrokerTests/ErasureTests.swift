import Basics
import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import SQLSupport
import TestSupport
import Testing

@testable import Broker
@testable import SQLiteStore

/// Erasure of users over HTTP.
@Suite(.timeLimit(.minutes(10))) struct ErasureTests {
    private static let word = "kestrelquartz"
    private static let secret = Secret("our secret, which has 32 letters")
    private static let supabase = Secret("the secret of the identity provider")
    private static let path = "/api/v1/users/me?confirm=true"

    /// Waits until an erasure has completed.
    private func complete(_ answer: Answer, _ service: TestService) async throws {
        #expect(answer.status == 202, "\(answer.text)")
        let id = try #require(answer["data"]?["deletion_id"]?.string)
        #expect(id.count == 32)
        let isDone = try await eventually {
            try await service.ask(.get, "/api/v1/deletions/\(id)")["data"]?["status"] == "completed"
        }
        #expect(isDone)
        let last = try await service.ask(.get, "/api/v1/deletions/\(id)")
        #expect(last["data"]?["completed_at"]?.string != nil)
    }

    @Test func aUserIsRefusedAtOnceAndIsANewAccountAfterwards() async throws {
        try await TestService.with { service in
            let user: HTTPHeaders = ["X-User-ID": "\(Self.word)-user"]
            @Sendable func ask(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> Answer {
                try await service.ask(method, path, body, headers: user)
            }
            let holdings: JSON = [
                "holdings": [["ticker": "AAPL", "label": JSON("\(Self.word) label"), "notes": JSON(Self.word)]]
            ]
            let stored = try await service.plain(.put, "/v1/preferences", holdings.compact, headers: user)
            #expect(stored.status == 200)
            _ = try await ask(
                .post, "/api/v1/webhooks/endpoints", ["url": JSON("https://example.com/\(Self.word)")])
            let job = try await service.submit("note", input: ["text": JSON(Self.word)], user: "\(Self.word)-user")
            #expect(try await ask(.get, "/api/v1/credits")["data"]?["granted"] == 10)

            for query in ["", "?confirm=false", "?confirm=yes"] {
                let refused = try await ask(.delete, "/api/v1/users/me\(query)")
                #expect(refused.status == 422 && refused["error"]?["details"]?["field"] == "confirm")
            }
            let answer = try await ask(.delete, Self.path)
            let after = try await ask(.get, "/api/v1/credits")
            #expect(after.status == 403 && after.code == "AUTH_1006")
            #expect(after["error"]?["details"]?["reason"] == "erased")
            #expect(try await ask(.post, "/api/v1/jobs", ["kind": "note", "input": [:]]).status == 403)
            #expect(try await service.ask(.get, "/api/v1/credits").status == 200, "another user")
            try await complete(answer, service)

            let path = service.store.path
            for file in [path, path + "-wal"] {
                let bytes = FileManager.default.contents(atPath: file) ?? Data()
                #expect(bytes.range(of: Data(Self.word.utf8)) == nil, "\(file)")
            }
            #expect(!service.log.text.contains(Self.word))
            let isBack = try await eventually { try await ask(.get, "/api/v1/credits").status == 200 }
            #expect(isBack)
            #expect(try await ask(.get, "/api/v1/credits")["data"]?["granted"] == 0)
            #expect(try await ask(.get, "/api/v1/jobs/\(job)").status == 404)
            let preferences = try await service.plain(.get, "/v1/preferences", headers: user)
            #expect(preferences.status == 200 && !preferences.json.compact.contains(Self.word))
            #expect(try await service.store.auditCredits() == [])
        }
    }

    @Test func everyTokenIsRefusedAtEveryBrokerAndProvidersTokensOfBeforeLater() async throws {
        let tokens = SessionTokens(
            secret: Self.secret, provider: IdentityProvider(secrets: [Self.supabase]))
        try await TestService.with {
            $0.authentication = .jwt(tokens)
        } _: { service in
            try await service.beside {
                $0.authentication = .jwt(tokens)
            } _: { other in
                @Sendable func signIn(_ service: TestService, issuedAt: Int64) async throws -> Answer {
                    let token = try WebToken.sign(
                        [
                            "sub": "ann", "aud": "authenticated", "iat": JSON(issuedAt),
                            "exp": JSON(issuedAt + 3600),
                        ], secret: Self.supabase.reveal())
                    return try await service.ask(.post, "/api/v1/auth/token", ["token": JSON(token)])
                }
                let before = WallClock.milliseconds() / 1000 - 10
                let grant = try await signIn(service, issuedAt: before)
                let access = try #require(grant["data"]?["access_token"]?.string)
                let headers: HTTPHeaders = ["Authorization": "Bearer \(access)"]
                #expect(try await other.ask(.get, "/api/v1/credits", headers: headers).status == 200)
                let answer = try await service.ask(.delete, Self.path, headers: headers)
                let refused = try await service.ask(.get, "/api/v1/credits", headers: headers)
                #expect(refused.status == 401 && refused.code == "AUTH_1002")
                let renewed = try await service.ask(
                    .post, "/api/v1/auth/refresh", ["refresh_token": grant["data"]?["refresh_token"] ?? .null])
                #expect(renewed.status == 401)
                let isRefused = try await eventually {
                    try await other.ask(.get, "/api/v1/credits", headers: headers).status == 401
                }
                #expect(isRefused)
                let during = try await signIn(other, issuedAt: WallClock.milliseconds() / 1000)
                #expect(during.status == 403 && during.code == "AUTH_1006")
                try await complete(answer, service)
                for broker in [service, other] {
                    let old = try await signIn(broker, issuedAt: before)
                    #expect(old.status == 403 && old["error"]?["details"]?["reason"] == "erased")
                    let isBack = try await eventually {
                        try await signIn(broker, issuedAt: WallClock.milliseconds() / 1000).status == 200
                    }
                    #expect(isBack)
                    #expect(try await broker.ask(.get, "/api/v1/credits", headers: headers).status == 401)
                }
            }
        }
    }

    @Test func anOperatorErasesAUserAndARepeatedGrantStillGrantsNothing() async throws {
        let tokens = SessionTokens(secret: Self.secret)
        try await TestService.with {
            $0.authentication = .jwt(tokens)
        } _: { service in
            func headers(_ role: OperatorRole) throws -> HTTPHeaders {
                let token = try tokens.issue(to: "operator", profile: SessionTokens.Profile(role: role))
                return ["Authorization": "Bearer \(token.accessToken)"]
            }
            let admin = try headers(.admin)
            let grant: JSONObject = [
                "user": "ann", "amount": 5, "external_id": "shop:1", "source": "purchase", "create": true,
            ]
            func give(_ changes: JSONObject = [:]) async throws -> Answer {
                var body = grant
                for (name, value) in changes { body[name] = value }
                return try await service.ask(
                    .post, "/api/v1/admin/credits/grants", .object(body), headers: admin)
            }
            let made = try await give()
            #expect(made.status == 201, "\(made.text)")
            let user = try #require(try await service.store.knownAccount(of: "ann")).id
            let path = "/api/v1/admin/users/\(user.rawValue)"
            let refused = try await service.ask(.delete, path, headers: try headers(.operator))
            #expect(refused.status == 403 && refused["error"]?["details"]?["required"] == "users:erase")
            #expect(try await service.ask(.delete, "/api/v1/admin/users/99", headers: admin).status == 404)
            #expect(try await service.ask(.delete, "/api/v1/admin/users/-1", headers: admin).status == 404)
            let answer = try await service.ask(.delete, path, headers: admin)
            let again = try await service.ask(.delete, path, headers: admin)
            #expect(again["data"] == answer["data"])
            try await complete(answer, service)
            #expect(try await service.ask(.delete, path, headers: admin).status == 404)

            for changes: JSONObject in [[:], ["create": false]] {
                let repeated = try await give(changes)
                #expect(repeated.status == 200 && repeated.header("Idempotent-Replayed") == "true")
                #expect(repeated["data"]?["id"] == made["data"]?["id"])
            }
            for changes: JSONObject in [["amount": 6], ["user": "bob"]] {
                #expect(try await give(changes).status == 409, "\(changes)")
            }
            #expect(try await service.store.knownAccount(of: "ann") == nil)
            let audit = try await service.store.auditEntries(AuditFilter(action: "users.erase"), after: nil, limit: 9)
            #expect(audit.count == 1 && audit[0].target != "ann" && audit[0].actor.name == "operator")
        }
    }

    @Test func anUnknownDeletionIsNotFound() async throws {
        try await TestService.with { service in
            for id in [String(repeating: "a", count: 32), "x", String(repeating: "A", count: 32)] {
                let answer = try await service.ask(.get, "/api/v1/deletions/\(id)")
                #expect(answer.status == 404 && answer.code == "BIZ_2005")
            }
        }
    }
}
