import Basics
import BrokerClient
import DossierAPI
import HTTP
import JSON
import JobQueue
import SQLSupport
import Testing

@testable import Broker

/// API keys, roles and scopes over HTTP.
@Suite(.timeLimit(.minutes(10))) struct AdminTests {
    private static let secret = Secret("our secret, which has 32 letters")
    private let tokens = SessionTokens(secret: Self.secret)

    private func with(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.authentication = .jwt(tokens) }, body)
    }

    private func headers(_ subject: String = "ann", role: OperatorRole? = nil) throws -> HTTPHeaders {
        let token = try tokens.issue(to: subject, profile: SessionTokens.Profile(role: role))
        return ["Authorization": "Bearer \(token.accessToken)"]
    }

    private func makeKey(
        _ service: TestService, _ scopes: [Scope], expiresAt: Timestamp? = nil
    ) async throws -> (id: String, headers: HTTPHeaders) {
        let now = Timestamp(milliseconds: service.time.now)
        let made = APIKeyMaker().make(
            APIKeyRequest(name: "Shop", scopes: Set(scopes), expiresAt: expiresAt), at: now,
            by: AuditActor(.cli, id: "root", name: "root"))
        var generator = SystemRandomNumberGenerator()
        let entry = AuditEntry(
            id: JobID(at: now, using: &generator), at: now, actor: made.stored.key.createdBy, action: "keys.create")
        guard case .created(let key) = try await service.store.createKey(made.stored, audit: entry) else {
            throw StoreError.unexpected(reason: "no key")
        }
        return (key.id, ["Authorization": "Bearer \(made.text)"])
    }

    @Test(arguments: ["/keys", "/unknown", "/keys/1/unknown", "/", ""])
    func everyPathForOperatorsTakesSignInAndThenAScope(_ path: String) async throws {
        try await with { service in
            let path = "/api/v1/admin" + path
            for method in [HTTPMethod.get, .post, .put, .delete] {
                let body: JSON? = method == .post || method == .put ? ["name": 1] : nil
                let nobody = try await service.ask(method, path, body)
                #expect(nobody.status == 401 && nobody.code == "AUTH_1003", "\(method)")
                let user = try await service.ask(method, path, body, headers: headers())
                #expect(user.status == 403 && user.code == "AUTH_1004", "\(method)")
                #expect(user["error"]?["details"]?["required"]?.string != nil)
            }
            let viewer = try await service.ask(.get, path, headers: headers(role: .viewer))
            #expect(viewer.status == (path.hasSuffix("/keys") ? 200 : 404))
        }
    }

    @Test func aKeyIsShownOnceAndWorksUntilItIsRevoked() async throws {
        try await with { service in
            let admin = try headers(role: .admin)
            let answer = try await service.ask(
                .post, "/api/v1/admin/keys", ["name": "Shop", "scopes": ["admin:read", "keys"]], headers: admin)
            #expect(answer.status == 201, "\(answer.text)")
            let key = try #require(answer["data"]?["key"]?.string)
            #expect(key.hasPrefix("dk_live_") && key.utf8.count == 51)
            #expect(answer["data"]?["prefix"]?.string == String(key.prefix(12)))
            #expect(answer["data"]?["created_by"]?["name"] == "ann")
            let shown: HTTPHeaders = ["Authorization": "Bearer \(key)"]
            let list = try await service.ask(.get, "/api/v1/admin/keys", headers: shown)
            #expect(list.status == 200 && list["data"]?[0]?["name"] == "Shop" && !list.text.contains(key))
            let id = try #require(answer["data"]?["id"]?.string)
            #expect(try await service.ask(.delete, "/api/v1/admin/keys/\(id)", headers: shown).status == 200)
            let after = try await service.ask(.get, "/api/v1/admin/keys", headers: shown)
            #expect(after.status == 401 && after.code == "AUTH_1002")
            #expect(try await service.ask(.delete, "/api/v1/admin/keys/\(id)", headers: admin).status == 200)
            let unknown = "/api/v1/admin/keys/00000000-0000-7000-8000-000000000000"
            #expect(try await service.ask(.delete, unknown, headers: admin).status == 404)
            let audit = try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(audit.map(\.action) == ["keys.revoke", "keys.create"])
            #expect(audit.map(\.actor.kind) == [.key, .user] && audit.allSatisfy { $0.target == id })
            #expect(!service.log.text.contains(key))
        }
    }

    @Test func nobodyGivesAScopeThatTheyLack() async throws {
        try await with { service in
            for (role, scope, status) in [
                (OperatorRole.admin, Scope.creditsGrant, 201), (.admin, .usersAct, 403), (.operator, .adminRead, 403),
                (.viewer, .adminRead, 403),
            ] {
                let answer = try await service.ask(
                    .post, "/api/v1/admin/keys", ["name": "n", "scopes": [JSON(scope.rawValue)]],
                    headers: headers(role: role))
                #expect(answer.status == status, "\(role) \(scope)")
                if status == 403 {
                    let required = role == .admin ? scope.rawValue : "keys"
                    #expect(answer["error"]?["details"]?["required"] == JSON(required))
                }
            }
        }
    }

    @Test func aBadRequestForAKeyNamesTheField() async throws {
        try await with { service in
            let admin = try headers(role: .admin)
            let bodies: [(JSON, String)] = [
                (["scopes": ["metrics"]], "name"), (["name": "", "scopes": ["metrics"]], "name"),
                (["name": JSON(String(repeating: "n", count: 101)), "scopes": ["metrics"]], "name"),
                (["name": "n"], "scopes"), (["name": "n", "scopes": []], "scopes"),
                (["name": "n", "scopes": ["all"]], "scopes"), (["name": "n", "scopes": ["metrics"], "x": 1], "x"),
                (["name": "n", "scopes": ["metrics"], "expires_at": "soon"], "expires_at"),
                (["name": "n", "scopes": ["metrics"], "expires_at": "2001-01-01T00:00:00Z"], "expires_at"),
            ]
            for (body, field) in bodies {
                let answer = try await service.ask(.post, "/api/v1/admin/keys", body, headers: admin)
                #expect(answer.status == 422 && answer.code == "VAL_3001", "\(body.compact)")
                #expect(answer["error"]?["details"]?["field"] == JSON(field), "\(body.compact)")
            }
        }
    }

    @Test func aRepeatedRequestForAKeyGetsTheSameKeyAtEachBroker() async throws {
        try await with { service in
            var admin = try headers(role: .admin)
            admin["Idempotency-Key"] = "once"
            let body: JSON = ["name": "Shop", "scopes": ["metrics"]]
            let first = try await service.ask(.post, "/api/v1/admin/keys", body, headers: admin)
            #expect(first.status == 201 && first.response.headers["Idempotent-Replayed"] == nil)
            let rotated = SessionTokens(secret: Secret("a new secret, which has 32 letters"), previous: Self.secret)
            try await service.beside({ $0.authentication = .jwt(rotated) }) { other in
                let again = try await other.ask(.post, "/api/v1/admin/keys", body, headers: admin)
                #expect(again.status == 201 && again.response.headers["Idempotent-Replayed"] == "true")
                #expect(again["data"] == first["data"])
            }
            let other = try await service.ask(
                .post, "/api/v1/admin/keys", ["name": "Other", "scopes": ["metrics"]], headers: admin)
            #expect(other.status == 409 && other.code == "BIZ_2006")
            #expect(other["error"]?["details"]?["reason"] == "key_reused")
        }
    }

    @Test func aKeyActsForTheUserThatItNamesAndForNobodyElse() async throws {
        try await with { service in
            var (_, acting) = try await makeKey(service, [.usersAct])
            let nobody = try await service.ask(.get, "/api/v1/users/me", headers: acting)
            #expect(nobody.status == 401 && nobody.code == "AUTH_1003")
            acting["X-User-ID"] = "bob"
            let me = try await service.ask(.get, "/api/v1/users/me", headers: acting)
            #expect(me.status == 200 && me["data"]?["subject"] == "bob")
            let job = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "research", "input": TestService.order], headers: acting)
            #expect(job.status == 202)
            acting["X-User-ID"] = "system"
            #expect(try await service.ask(.get, "/api/v1/users/me", headers: acting).status == 401)
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: acting).status == 401)
            acting["X-User-ID"] = nil
            let admin = try await service.ask(.get, "/api/v1/admin/keys", headers: acting)
            #expect(admin.status == 403 && admin["error"]?["details"]?["required"] == "admin:read")
            var (_, reading) = try await makeKey(service, [.adminRead])
            reading["X-User-ID"] = "bob"
            for (method, path) in [(HTTPMethod.get, "/api/v1/users/me"), (.post, "/api/v1/jobs")] {
                let body: JSON? = method == .post ? ["kind": "research", "input": TestService.order] : nil
                let answer = try await service.ask(method, path, body, headers: reading)
                #expect(answer.status == 403 && answer["error"]?["details"]?["required"] == "users:act")
            }
        }
    }

    @Test func aKeyThatIsRevokedElsewhereOrExpiresEndsWithinTwoSeconds() async throws {
        try await with { service in
            let (id, shown) = try await makeKey(service, [.adminRead])
            let now = Timestamp(milliseconds: service.time.now)
            let (_, expiring) = try await makeKey(service, [.adminRead], expiresAt: now + .seconds(3600))
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: shown).status == 200)
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: expiring).status == 200)
            var generator = SystemRandomNumberGenerator()
            let entry = AuditEntry(
                id: JobID(at: now, using: &generator), at: now, actor: AuditActor(.cli, id: "r", name: "r"),
                action: "keys.revoke")
            _ = try await service.store.revokeKey(id, audit: entry)
            let revoked = ContinuousClock.now
            while try await service.ask(.get, "/api/v1/admin/keys", headers: shown).status != 401 {
                try #require(ContinuousClock.now - revoked < .seconds(60))
            }
            service.time.stop(at: now.milliseconds + 3_600_000)
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: expiring).status == 401)
            await service.broker.storeKeyUses()
            let keys = try await service.store.keys(after: nil, limit: 9)
            #expect(keys.allSatisfy { $0.lastUsedAt.map { $0.milliseconds % 60_000 == 0 } ?? false })
        }
    }

    @Test func unknownKeysAreCountedByAddress() async throws {
        try await with { service in
            var statuses: [Int] = []
            for number in 0..<61 {
                let headers: HTTPHeaders = ["Authorization": "Bearer dk_live_\(number)"]
                statuses.append(try await service.ask(.get, "/api/v1/users/me", headers: headers).status)
            }
            // A minute may end in between.
            #expect(statuses.prefix(60).allSatisfy { $0 == 401 } && [401, 429].contains(statuses[60]))
            #expect(try await service.ask(.get, "/api/v1/users/me", headers: headers()).status == 200)
        }
    }

    @Test func aGatewayNamesRolesAndTakesKeys() async throws {
        let secret = Secret("the gateway's secret")
        try await TestService.with({ $0.authentication = .gateway(secret: secret) }) { service in
            var ann: HTTPHeaders = ["X-Gateway-Secret": secret.reveal(), "X-User-ID": "ann"]
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: ann).status == 403)
            ann["X-User-Role"] = "viewer"
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: ann).status == 200)
            ann["X-User-Role"] = "owner"
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: ann).status == 403)
            ann["X-User-Role"] = "viewer"
            ann.add("X-User-Role", "admin")
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: ann).status == 401)
            var (_, acting) = try await makeKey(service, [.usersAct, .metrics])
            let metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics", headers: acting))
            #expect(metrics.status == 200)
            acting["X-User-ID"] = "bob"
            let me = try await service.ask(.get, "/api/v1/users/me", headers: acting)
            #expect(me["data"]?["subject"] == "bob")
            let forged: HTTPHeaders = ["X-User-ID": "ann", "X-User-Role": "admin"]
            #expect(try await service.ask(.get, "/api/v1/admin/keys", headers: forged).status == 401)
        }
    }

    @Test func inDevelopmentEverybodyIsAdmin() async throws {
        try await TestService.with { service in
            #expect(try await service.ask(.get, "/api/v1/admin/keys").status == 200)
            let answer = try await service.ask(
                .post, "/api/v1/admin/keys", ["name": "n", "scopes": ["users:act"]])
            #expect(answer.status == 403)
        }
    }

    @Test func metricsAndTheDescriptionOfOperationsTakeAScope() async throws {
        try await with { service in
            let viewer = try headers(role: .viewer)
            let metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics", headers: viewer))
            #expect(metrics.status == 200 && metrics.text.contains("dossier_http_requests_total"))
            #expect(try await service.ask(.get, "/metrics").status == 403)
            #expect(try await service.ask(.get, "/metrics", headers: headers()).code == "AUTH_1004")
            let shown = try await service.client.send(
                HTTPRequest(.get, service.url + "/openapi.json", headers: viewer))
            #expect(shown.text.contains("/api/v1/admin/keys"))
            let hidden = try await service.client.send(HTTPRequest(.get, service.url + "/openapi.json"))
            #expect(!hidden.text.contains("/api/v1/admin"))
        }
    }
}
