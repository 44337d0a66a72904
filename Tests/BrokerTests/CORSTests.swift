import HTTP
import JSON
import Testing

@testable import Broker

/// Web pages of the origins that the operator names.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CORSTests {
    private static let app = "https://app.example.com"

    private static func with(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.cors = CORSPolicy(origins: [app, "http://localhost:3000"]) }, body)
    }

    private func preflight(_ origin: String, _ path: String = "/api/v1/jobs", on service: TestService) async throws
        -> String
    {
        try await WireExchange.send(
            """
            OPTIONS \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: \(origin)\r\nAccess-Control-Request-Method: POST\r
            Access-Control-Request-Headers: authorization,content-type\r\nConnection: close\r\n\r\n
            """, to: service.port)
    }

    @Test func aPreflightOfAnAllowedOriginNamesWhatItMaySend() async throws {
        try await Self.with { service in
            for path in ["/api/v1/jobs", "/v1/interpret", "/nowhere"] {
                let text = try await preflight(Self.app, path, on: service)
                #expect(text.hasPrefix("HTTP/1.1 204 "), "\(text)")
                #expect(text.contains("Access-Control-Allow-Origin: \(Self.app)\r\n"))
                #expect(text.contains("Access-Control-Max-Age: 600\r\n") && text.contains("Vary: Origin\r\n"))
                for name in ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"] {
                    #expect(text.contains(name), "\(name): \(text)")
                }
                #expect(!text.contains("Allow-Credentials"))
            }
        }
    }

    @Test(arguments: [
        "https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null",
        "https://app.example.com/", "HTTPS://APP.EXAMPLE.COM", "https://app.example.com:443", "*",
    ])
    func otherOriginsMayNothing(origin: String) async throws {
        try await Self.with { service in
            let text = try await preflight(origin, on: service)
            #expect(!text.hasPrefix("HTTP/1.1 2") && !text.contains("Access-Control-"), "\(text)")
            let read = try await service.ask(.get, "/api/v1/credits", headers: ["Origin": origin])
            #expect(read.header("Access-Control-Allow-Origin") == nil && read.header("Vary") == "Origin")
            let write = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:]], headers: ["Origin": origin])
            #expect(write.status == 403 && write.code == "AUTH_1003")
        }
    }

    @Test func aPageReadsAnswersAndErrorsAndTheirHeaders() async throws {
        try await Self.with { service in
            let made = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:]],
                headers: ["Origin": Self.app, "Sec-Fetch-Site": "cross-site"])
            #expect(made.status == 202 && made.header("Access-Control-Allow-Origin") == Self.app)
            #expect(made.header("Access-Control-Expose-Headers")?.contains("Location") == true)
            let missing = try await service.ask(.get, "/api/v1/nowhere", headers: ["Origin": Self.app])
            #expect(missing.status == 404 && missing.header("Access-Control-Allow-Origin") == Self.app)
            let refused = try await service.ask(
                .post, "/api/v1/nowhere", ["a": 1], headers: ["Origin": Self.app])
            #expect(refused.status == 404 && refused.header("Access-Control-Allow-Origin") == Self.app)
        }
    }

    @Test func withoutOriginsNothingIsShared() async throws {
        try await TestService.with { service in
            let text = try await preflight(Self.app, on: service)
            #expect(text.hasPrefix("HTTP/1.1 4") && !text.contains("Access-Control-"), "\(text)")
            let read = try await service.ask(.get, "/api/v1/credits", headers: ["Origin": Self.app])
            #expect(read.header("Vary") == nil && read.header("Access-Control-Allow-Origin") == nil)
        }
    }
}
