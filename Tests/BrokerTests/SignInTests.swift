import Basics
import DossierAPI
import HTTP
import HTTPServer
import JobQueue
import JSON
import Testing

@testable import Broker

/// Requests for tokens, and bodies of requests that are not signed in.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SignInTests {
    private static let secret = Secret("our secret, which has 32 letters")
    private static let supabase = Secret("the secret of the identity provider")
    private static let noon: Int64 = 1_800_000_000

    private static func with(
        limited: Bool = false, _ body: (TestService, SessionTokens) async throws -> Void
    ) async throws {
        let time = ManualWallClock()
        time.stop(at: noon * 1000)
        let tokens = SessionTokens(secret: secret, provider: IdentityProvider(secrets: [supabase]), now: { time.now })
        try await TestService.with {
            $0.authentication = .jwt(tokens)
            if limited { $0.plans = CurrentPlans() }
        } _: { service in
            service.time.stop(at: noon * 1000 + 20_000)
            try await body(service, tokens)
        }
    }

    private static func exchange(_ changes: JSONObject, _ service: TestService) async throws -> Answer {
        var claims: JSONObject = [
            "sub": "5f0c", "aud": "authenticated", "role": "authenticated", "exp": JSON(noon + 60),
        ]
        for (name, value) in changes { claims[name] = value }
        let token = try WebToken.sign(.object(claims), secret: supabase.reveal())
        return try await service.ask(.post, "/api/v1/auth/token", ["supabase_token": JSON(token)])
    }

    // MARK: Accounts

    @Test func anAnonymousAccountMayNotSignIn() async throws {
        try await Self.with { service, _ in
            for value: JSON in [true, "true", 1] {
                let answer = try await Self.exchange(["is_anonymous": value], service)
                #expect(answer.status == 403 && answer.code == "AUTH_1006", "\(answer.text)")
                #expect(answer["error"]?["details"] == ["reason": "anonymous"])
            }
            for value: JSON in [false, .null] {
                #expect(try await Self.exchange(["is_anonymous": value], service).status == 200)
            }
        }
    }

    @Test func aTokenOfAnotherRoleIsRefused() async throws {
        try await Self.with { service, _ in
            for role: JSON in ["service_role", "anon", "", "Authenticated", 1, ["authenticated"], .null] {
                let answer = try await Self.exchange(["role": role], service)
                #expect(answer.status == 401 && answer.code == "AUTH_1002", "\(answer.text)")
            }
            #expect(try await Self.exchange(["role": "authenticated"], service).status == 200)
        }
    }

    @Test(arguments: ["a b", "a\u{A0}b", "a\u{202E}b", "a\u{200F}b", "a\u{200B}b", "\u{301}a", "a\u{7}b", "a\u{FEFF}"])
    func anIDThatChangesTheTextAroundItGetsNoAccount(subject: String) async throws {
        try await Self.with { service, tokens in
            #expect(try await Self.exchange(["sub": JSON(subject)], service).status == 401)
            let token = try tokens.issue(to: subject).accessToken
            let answer = try await service.ask(.get, "/api/v1/users/me", headers: ["Authorization": "Bearer \(token)"])
            #expect(answer.status == 401 && answer.code == "AUTH_1003")
            #expect(try await Self.exchange(["sub": "jos\u{65}\u{301}"], service).status == 200)
        }
    }

    // MARK: Size and rate

    @Test func aBodyForTokensHasALimitOfItsOwn() async throws {
        try await Self.with { service, _ in
            for path in ["token", "refresh"] {
                let body = #"{"refresh_token": ""# + String(repeating: "x", count: 16 << 10) + "\"}"
                let long = try await service.ask(.post, "/api/v1/auth/\(path)", bytes: Array(body.utf8))
                #expect(long.status == 413 && long.code == "VAL_3005", "\(long.text)")
                #expect(long["error"]?["message"]?.string?.contains("16384") == true, "\(long.text)")
            }
            let short = try await service.ask(
                .post, "/api/v1/auth/refresh", ["refresh_token": JSON(String(repeating: "x", count: 16_000))])
            #expect(short.status == 401)
        }
    }

    @Test func requestsForTokensAreCountedByAddressBeforeTheirBody() async throws {
        try await Self.with(limited: true) { service, _ in
            for _ in 0..<30 { #expect(try await Self.exchange([:], service).status == 200) }
            // The rest by heads alone: an announced body that never comes is counted, too.
            for _ in 0..<30 {
                let text = try await WireExchange.send(
                    "POST /api/v1/auth/refresh HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n"
                        + "GET /health HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n", to: service.port)
                #expect(text.hasPrefix("HTTP/1.1 422 "), "\(text)")
            }
            let text = try await WireExchange.send(
                "POST /api/v1/auth/refresh HTTP/1.1\r\nHost: t\r\nContent-Length: 9000\r\n\r\n", to: service.port)
            #expect(text.hasPrefix("HTTP/1.1 429 ") && text.contains("Retry-After: 40\r\n"), "\(text)")
            #expect(text.contains("VAL_3006"))
            service.time.stop(at: Self.noon * 1000 + 60_000)
            #expect(try await Self.exchange(["exp": JSON(Self.noon + 999)], service).status == 200)
        }
    }

    @Test func clientsWithIPv6AreCountedByTheirNetwork() throws {
        let limiter = SignInLimiter(plans: CurrentPlans(), now: { Timestamp(milliseconds: 0) })
        for number in 0..<60 { try limiter.count("2001:db8:1:2::\(number)") }
        #expect(throws: APIError.self) { try limiter.count("2001:db8:1:2:ffff::1") }
        try limiter.count("2001:db8:1:3::1")
        try limiter.count("192.0.2.1")
    }

    // MARK: Bodies

    @Test func aBodyIsNotReadBeforeItsSenderIsKnown() async throws {
        try await Self.with { service, tokens in
            func head(_ path: String, _ fields: String = "") -> String {
                "POST \(path) HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000000\r\n\(fields)\r\n"
            }
            // The body never comes, and the server answers and closes all the same.
            for (path, fields, status) in [
                ("/api/v1/jobs", "", 401), ("/api/v1/jobs", "Authorization: Bearer a.b.c\r\n", 401),
                ("/v1/interpret", "X-User-ID: 7\r\n", 401), ("/api/analyze", "", 401), ("/nowhere", "", 404),
                ("/api/v1/credits", "", 405), ("/api/v1/jobs", "Origin: http://evil.example\r\n", 403),
            ] {
                let text = try await WireExchange.send(head(path, fields), to: service.port)
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(path) \(fields): \(text)")
                #expect(text.ranges(of: "HTTP/1.1").count == 1)
            }
            let token = try tokens.issue(to: "7").accessToken
            let taken = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:]], headers: ["Authorization": "Bearer \(token)"])
            #expect(taken.status == 202)
        }
    }

    @Test func anOpenAddressTakesNoLongBody() async throws {
        try await Self.with { service, _ in
            let answer = try await service.ask(.get, "/health", bytes: [UInt8](repeating: 32, count: 20_000))
            #expect(answer.status == 413)
        }
    }

    // MARK: Metrics

    @Test func metricsArePublicInDevelopmentOnly() async throws {
        try await Self.with { service, tokens in
            let token = try tokens.issue(to: "7").accessToken
            let unsigned = try await service.ask(.get, "/metrics")
            #expect(unsigned.status == 403 && unsigned.code == "AUTH_1003")
            #expect(unsigned["error"]?["message"]?.string?.contains("DOSSIER_ADMIN_LISTEN") == true)
            let user = try await service.ask(.get, "/metrics", headers: ["Authorization": "Bearer \(token)"])
            #expect(user.status == 403 && user.code == "AUTH_1004")
            #expect(user["error"]?["details"]?["required"] == "metrics")
            #expect(try await service.ask(.get, "/health").status == 200)
        }
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway"))
        } _: { service in
            let refused = try await service.ask(.get, "/metrics", headers: ["X-Gateway-Secret": "wrong"])
            #expect(refused.status == 401 && refused.text.contains("DOSSIER_ADMIN_LISTEN"))
            let shown = try await service.client.send(
                HTTPRequest(.get, service.url + "/metrics", headers: ["X-Gateway-Secret": "s3cret-of-the-gateway"]))
            #expect(shown.status == 200 && shown.text.contains("dossier_store_up"))
        }
    }

    @Test func anOperatorsListenerServesItsOwnDescription() async throws {
        try await TestService.with {
            $0.hasAdminListener = true
            $0.publicURL = "https://api.example.com"
            $0.cors = CORSPolicy(origins: ["https://console.example.com"])
        } _: { service in
            let server = HTTPServer(handler: service.broker.adminHandler)
            let url = try server.start().url
            let preflight = try await service.client.send(
                HTTPRequest(
                    HTTPMethod(rawValue: "OPTIONS"), url + "/api/v1/admin/pauses",
                    headers: ["Origin": "https://console.example.com", "Access-Control-Request-Method": "POST"]))
            #expect(preflight.status == 204)
            let shown = try JSON(parsing: try await service.client.send(HTTPRequest(.get, url + "/openapi.json")).body)
            #expect(shown["paths"]?["/api/v1/admin/jobs"] != nil && shown["paths"]?["/metrics"] != nil)
            #expect(shown["paths"]?["/api/v1/jobs"] == nil)
            #expect(shown["servers"]?[0]?["url"] == "/")
            #expect(try await service.client.send(HTTPRequest(.get, url + "/docs")).text.contains("/api/v1/admin/jobs"))
            let open = try JSON(
                parsing: try await service.client.send(HTTPRequest(.get, service.url + "/openapi.json")).body)
            #expect(open["paths"]?["/api/v1/admin/jobs"] == nil && open["paths"]?["/api/v1/jobs"] != nil)
            #expect(open["servers"]?[0]?["url"] == "https://api.example.com")
            await server.shutdown(grace: .zero)
        }
    }

    @Test func anOperatorsListenerServesTheMetricsAlone() async throws {
        try await TestService.with {
            $0.hasAdminListener = true
        } _: { service in
            #expect(try await service.ask(.get, "/metrics").status == 404)
            let server = HTTPServer(handler: service.broker.adminHandler)
            let url = try server.start().url
            let shown = try await service.client.send(HTTPRequest(.get, url + "/metrics"))
            #expect(shown.status == 200 && shown.text.contains("dossier_store_up"))
            #expect(try await service.client.send(HTTPRequest(.get, url + "/health")).status == 200)
            #expect(try await service.client.send(HTTPRequest(.get, url + "/api/v1/credits")).status == 404)
            await server.shutdown(grace: .zero)
        }
    }
}
