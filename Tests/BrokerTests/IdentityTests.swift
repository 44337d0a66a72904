import Broker
import Basics
@testable import DossierAPI
import HTTP
import JSON
import Testing

/// The user and the origin of a request.
@Suite(.serialized, .timeLimit(.minutes(10))) struct IdentityTests {
    private static let body: JSON = ["kind": "research", "input": TestService.order]

    // MARK: Development

    @Test func inDevelopmentTheUserIsTheNamedOneOrUserOne() async throws {
        try await TestService.with { service in
            func me(_ path: String = "/api/v1/users/me", _ headers: HTTPHeaders = [:]) async throws -> UserResource {
                try await service.ask(.get, path, headers: headers).decoded(as: UserResource.self)
            }
            let first = try await me()
            #expect(first.id == 1 && first.subject == "1")
            #expect(first.credits == CreditsResource(granted: 10, remaining: 10, held: 0, used: 0))
            #expect(try await me("/api/v1/users/me?user_id=7").id == 7)
            #expect(try await me("/api/v1/users/me?user_id=7", ["X-User-ID": "8"]).id == 8)
            let named = try await me("/api/v1/users/me", ["X-User-ID": "ann@example.com"])
            #expect(named.subject == "ann@example.com" && named.id > 1 << 40)
            #expect(try await me("/api/v1/users/me", ["X-User-ID": "ann@example.com"]).id == named.id)
            // A number in another spelling is another user.
            for subject in ["007", "+7", "7.0", "-7"] {
                #expect(try await me("/api/v1/users/me", ["X-User-ID": subject]).id != 7, "\(subject)")
            }
        }
    }

    @Test func anInvalidUserIDIsRefused() async throws {
        try await TestService.with { service in
            for subject in ["two words", String(repeating: "x", count: 201)] {
                let answer = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": subject])
                #expect(answer.status == 401 && answer.code == "AUTH_1003", "\(answer.text)")
            }
            for query in ["user_id=", "user_id=a%20b", "user_id=%0A", "user_id=%7F"] {
                let answer = try await service.ask(.get, "/api/v1/credits?\(query)")
                #expect(answer.status == 401, "\(query)")
            }
        }
    }

    @Test func inDevelopmentOnlyLoopbackHostsAreAccepted() async throws {
        try await TestService.with { service in
            for host in [
                "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.1", "[::2]",
                "127.0.0.1:x",
            ] {
                let answer = try await service.ask(.post, "/api/v1/jobs", Self.body, headers: ["Host": host])
                #expect(answer.status == 403 && answer.code == "AUTH_1003", "\(host): \(answer.text)")
                #expect(try await service.ask(.get, "/api/v1/jobs", headers: ["Host": host]).status == 403, "\(host)")
            }
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
            for host in ["localhost", "LOCALHOST:5001", "127.0.0.1", "[::1]", "[::1]:5001"] {
                #expect(try await service.ask(.get, "/api/v1/jobs", headers: ["Host": host]).status == 200, "\(host)")
            }
        }
    }

    @Test func inDevelopmentCrossSiteRequestsAreRefused() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            for site in ["cross-site", "same-site", "", "Same-Origin"] where !site.isEmpty {
                let headers: HTTPHeaders = ["Sec-Fetch-Site": site]
                for (method, path, body) in [
                    (HTTPMethod.post, "/api/v1/jobs", Self.body), (.post, "/api/v1/jobs/\(id)/cancel", nil),
                    (.post, "/api/v1/jobs/\(id)/retry", nil), (.get, "/api/v1/jobs/\(id)", nil),
                    (.get, "/api/v1/jobs/\(id)/events", nil),
                ] {
                    let answer = try await service.ask(method, path, body, headers: headers)
                    #expect(answer.status == 403 && answer.code == "AUTH_1003", "\(site) \(path): \(answer.text)")
                }
            }
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
            for site in ["same-origin", "none"] {
                let answer = try await service.ask(.get, "/api/v1/jobs/\(id)", headers: ["Sec-Fetch-Site": site])
                #expect(answer.status == 200, "\(site)")
            }
        }
    }

    // MARK: Gateway

    private static func gateway(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway")) }, body)
    }

    @Test func requestsWithoutTheGatewaySecretAreRefused() async throws {
        try await Self.gateway { service in
            for secret in [nil, "wrong", "s3cret-of-the-gatewa", "s3cret-of-the-gateway2", "S3CRET-OF-THE-GATEWAY"] {
                var headers: HTTPHeaders = ["X-User-ID": "1"]
                headers["X-Gateway-Secret"] = secret
                for path in ["/api/v1/credits", "/api/v1/jobs", "/api/v1/personas", "/api/v1/users/me"] {
                    let answer = try await service.ask(.get, path, headers: headers)
                    #expect(answer.status == 401 && answer.code == "AUTH_1003", "\(path): \(answer.text)")
                    #expect(answer["error"]?["action"] == "reauthenticate")
                    #expect(!answer.text.contains("s3cret-of-the-gateway"))
                }
                let submit = try await service.ask(.post, "/api/v1/jobs", Self.body, headers: headers)
                #expect(submit.status == 401)
            }
            #expect(try await service.ask(.get, "/health").status == 200)
        }
    }

    @Test func aTokenDerivedFromTheGatewaySecretIsAccepted() async throws {
        try await Self.gateway { service in
            func ask(_ token: String, _ more: HTTPHeaders = [:]) async throws -> Answer {
                let headers = HTTPHeaders(
                    more.fields.map { ($0.name, $0.value) } + [("Authorization", "Bearer \(token)")])
                return try await service.ask(.get, "/api/v1/users/me", headers: headers)
            }
            let tokens = SessionTokens(gatewaySecret: Secret("s3cret-of-the-gateway"))
            let ann = try await ask(try tokens.issue(to: "ann").accessToken, ["X-User-ID": "mallory"])
            #expect(try ann.decoded(as: UserResource.self).subject == "ann")
            #expect(try await ask(try tokens.issue(to: "system").accessToken).status == 200)
            for secret in ["s3cret-of-the-gateway2", "s3cret-of-the-gateway-s3cret-of-the-gateway"] {
                let other = SessionTokens(gatewaySecret: Secret(secret))
                #expect(try await ask(try other.issue(to: "system").accessToken).status == 401)
            }
            // A token signed with the secret itself is not valid.
            let plain = SessionTokens(secret: Secret("s3cret-of-the-gateway"))
            #expect(try await ask(try plain.issue(to: "system").accessToken).status == 401)
            // Through the gateway a client's token has no effect.
            let through: HTTPHeaders = ["X-Gateway-Secret": "s3cret-of-the-gateway", "X-User-ID": "bob"]
            let bob = try await ask(try tokens.issue(to: "ann").accessToken, through)
            #expect(try bob.decoded(as: UserResource.self).subject == "bob")
        }
    }

    @Test func behindAGatewayOnlyTheGatewaysUserHeaderCounts() async throws {
        try await Self.gateway { service in
            let secret: HTTPHeaders = ["X-Gateway-Secret": "s3cret-of-the-gateway"]
            // Without a user header there is no default user, and the query does not count.
            #expect(try await service.ask(.get, "/api/v1/credits", headers: secret).status == 401)
            #expect(try await service.ask(.get, "/api/v1/credits?user_id=7", headers: secret).status == 401)
            var twoSecrets: HTTPHeaders = ["X-Gateway-Secret": "s3cret-of-the-gateway", "X-User-ID": "ann"]
            #expect(try await service.ask(.get, "/api/v1/credits", headers: twoSecrets).status == 200)
            twoSecrets.add("X-Gateway-Secret", "wrong")
            #expect(try await service.ask(.get, "/api/v1/credits", headers: twoSecrets).status == 401)
            #expect(try await service.ask(.get, "/metrics", headers: twoSecrets).status == 401)
            var both = secret
            both.add("X-User-ID", "mallory")
            both.add("X-User-ID", "ann")
            #expect(try await service.ask(.get, "/api/v1/credits", headers: both).status == 401)
            var system = secret
            system["X-User-ID"] = "system"
            #expect(try await service.ask(.get, "/api/v1/jobs", headers: system).status == 401)
            var ann = secret
            ann["X-User-ID"] = "auth0|ann"
            let me = try await service.ask(.get, "/api/v1/users/me?user_id=7", headers: ann)
            #expect(try me.decoded(as: UserResource.self).subject == "auth0|ann")
            // Hosts and origins are the gateway's concern.
            ann["Host"] = "api.example.com"
            ann["Sec-Fetch-Site"] = "cross-site"
            let submit = try await service.ask(.post, "/api/v1/jobs", Self.body, headers: ann)
            #expect(submit.status == 202)
            let plain = try await service.ask(
                .post, "/api/v1/jobs", bytes: Self.body.utf8,
                headers: HTTPHeaders(ann.fields.map { ($0.name, $0.value) } + [("Content-Type", "text/plain")]))
            #expect(plain.status == 415)
        }
    }
}
