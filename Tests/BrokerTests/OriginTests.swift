import Basics
import HTTP
import JSON
import Testing

@testable import Broker

/// Requests of web pages and through proxies, and the header that browsers need for every answer.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OriginTests {
    @Test(arguments: [
        "X-Forwarded-For: 10.0.0.1", "x-forwarded-host: a", "X-FORWARDED-PROTO: https", "X-Forwarded-Anything: 1",
        "Forwarded: for=10.0.0.1", "X-Real-IP: 10.0.0.1", "Via: 1.1 proxy", "via:",
    ])
    func developmentRefusesWhatAProxyPassesOn(field: String) async throws {
        try await TestService.with { service in
            for line in [
                "GET /api/v1/credits", "GET /health", "GET /openapi.json", "GET /metrics", "GET /nowhere",
                "POST /api/v1/credits", "POST /api/v1/jobs",
            ] {
                let text = try await WireExchange.send(
                    "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\nConnection: close\r\n\r\n", to: service.port)
                #expect(text.hasPrefix("HTTP/1.1 403 ") && text.contains("AUTH_1003"), "\(line): \(text)")
            }
        }
    }

    @Test func behindAGatewayProxiesAreUsual() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway"))
        } _: { service in
            let answer = try await service.ask(
                .get, "/api/v1/credits",
                headers: [
                    "X-Gateway-Secret": "s3cret-of-the-gateway", "X-User-ID": "7", "X-Forwarded-For": "10.0.0.1",
                    "Via": "1.1 proxy",
                ])
            #expect(answer.status == 200)
        }
    }

    @Test func aChangeFromAPageOfAnotherOriginIsRefusedInEveryMode() async throws {
        let modes: [Authentication] = [.development, .gateway(secret: Secret("s3cret-of-the-gateway"))]
        for mode in modes {
            try await TestService.with {
                $0.authentication = mode
            } _: { service in
                let signIn: [(String, String)] = [("X-Gateway-Secret", "s3cret-of-the-gateway"), ("X-User-ID", "7")]
                let host = "127.0.0.1:\(service.port)"
                for origin in [
                    "http://evil.example", "null", "", "http://127.0.0.1", "http://127.0.0.1:1", "127.0.0.1",
                    "ftp://\(host)", "http://\(host).evil.example", "http://evil.example@\(host)", "http://\(host)/",
                    "http://user@\(host)",
                ] {
                    for path in [
                        "/api/v1/jobs/x/cancel", "/api/v1/news/articles/x/summary", "/api/v1/jobs", "/nowhere",
                    ] {
                        let answer = try await service.ask(
                            .post, path, headers: HTTPHeaders(signIn + [("Origin", origin)]))
                        #expect(answer.status == 403 && answer.code == "AUTH_1003", "\(origin) \(path): \(answer.text)")
                    }
                    let read = try await service.ask(
                        .get, "/api/v1/credits", headers: HTTPHeaders(signIn + [("Origin", origin)]))
                    #expect(read.status == 200, "reading is for the browser to refuse")
                }
                for origin in ["http://\(host)", "HTTP://\(host)", "https://\(host)"] {
                    let answer = try await service.ask(
                        .post, "/api/v1/jobs/x/cancel", headers: HTTPHeaders(signIn + [("Origin", origin)]))
                    #expect(answer.status == 404, "\(origin): \(answer.text)")
                }
            }
        }
    }

    @Test func anOriginWithoutAPortHasTheOneOfItsScheme() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway"))
        } _: { service in
            for (host, origin, status) in [
                ("app.example", "https://app.example", 404), ("app.example:443", "https://app.example", 404),
                ("app.example", "https://app.example:443", 404), ("APP.example", "https://app.EXAMPLE", 404),
                ("[2001:db8::1]", "http://[2001:db8::1]", 404), ("app.example:80", "https://app.example", 403),
                ("app.example", "https://app.example:8443", 403), ("app.example", "https://other.example", 403),
            ] {
                let answer = try await service.ask(
                    .post, "/api/v1/jobs/x/cancel",
                    headers: [
                        "X-Gateway-Secret": "s3cret-of-the-gateway", "X-User-ID": "7", "Host": host, "Origin": origin,
                    ])
                #expect(answer.status == status, "\(host) \(origin)")
            }
        }
    }

    @Test func everyAnswerForbidsGuessingItsType() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            let tag = try await service.ask(.get, "/api/v1/jobs/\(id)").header("ETag") ?? ""
            for (line, fields) in [
                ("GET /health", ""), ("GET /openapi.json", ""), ("GET /metrics", ""), ("GET /nowhere", ""),
                ("POST /health", ""), ("GET /api/v1/jobs/\(id)/events", ""), ("HEAD /api/v1/credits", ""),
                ("GET /api/v1/jobs/\(id)", "If-None-Match: \(tag)\r\n"), ("GET /api/v1/jobs/none", ""),
                ("GET /v1/feed?limit=x", ""), ("POST /api/analyze", "Content-Length: 2000000000\r\n"),
                ("GET /%zz", ""), ("GET /health", "Bad Header: 1\r\n"), ("GET /health", "Via: 1.1 x\r\n"),
            ] {
                let text = try await WireExchange.send(
                    "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(fields)\r\n", to: service.port)
                #expect(text.contains("\r\nX-Content-Type-Options: nosniff\r\n"), "\(line) \(fields): \(text)")
            }
        }
    }
}
