import Basics
import BrokerClient
import DossierAPI
import HTTP
import JSON
import Prompts
import Testing

@testable import Broker

/// How the console is served, and how its users sign in.
@Suite(.timeLimit(.minutes(5))) struct ConsoleTests {
    private static let page: HTTPHeaders = ["Accept": "text/html"]

    private func script(_ service: TestService) async throws -> String {
        let answer = try await service.sent(.get, "/console/")
        return try #require(answer.text.firstMatch(of: /src="([^"]*main\.js)"/)).output.1.description
    }

    @Test func aBrowserIsLedToTheConsole() async throws {
        try await TestService.with { service in
            for (path, headers) in [("/", Self.page), ("/console", [:])] {
                let answer = try await service.sent(.get, path, headers: headers)
                #expect(answer.status == 302 && answer.headers["Location"] == "/console/")
            }
            #expect(try await service.sent(.get, "/").status == 404)
        }
    }

    @Test(arguments: ["/console/", "/console/jobs", "/console/jobs/x", "/console/nowhere/at/all"])
    func everyScreenIsThePage(path: String) async throws {
        try await TestService.with { service in
            let answer = try await service.sent(.get, path)
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(answer.headers["Cache-Control"] == "no-cache")
            let policy = answer.headers["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
            #expect(policy.contains("require-trusted-types-for 'script'"))
            #expect(answer.headers["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(answer.text.contains("modulepreload") && !answer.text.contains("{{"))
            let tag = try #require(answer.headers["ETag"])
            let again = try await service.sent(.get, path, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
        }
    }

    @Test func filesAreKeptForEverUnderTheirHash() async throws {
        try await TestService.with { service in
            let path = try await script(service)
            let plain = try await service.sent(.get, path, headers: ["Accept-Encoding": "identity"])
            #expect(plain.status == 200 && plain.headers["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(plain.headers["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(plain.headers["Vary"] == "Accept-Encoding" && plain.headers["Content-Encoding"] == nil)
            let hash = try #require(path.split(separator: "/").dropFirst(2).first)
            let other = path.replacing(hash, with: String(repeating: "0", count: hash.utf8.count))
            let folder = "/console/assets/\(hash)"
            for missing in [other, folder + "/nothing.js", "/console/main.js", folder + "/../x.js"] {
                #expect(try await service.sent(.get, missing).status == 404, "\(missing)")
            }
            #expect(try await service.sent(.post, "/console/jobs", [:]).status == 405)
        }
    }

    @Test func anotherSiteMayLinkToAScreenButNotReadIt() async throws {
        try await TestService.with { service in
            let link: HTTPHeaders = [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
            ]
            let linked = try await service.sent(.get, "/console/jobs", headers: link)
            let read = try await service.sent(.get, "/console/jobs", headers: ["Sec-Fetch-Site": "cross-site"])
            let rebound = try await service.sent(.get, "/console/", headers: ["Host": "example.com"])
            #expect([linked.status, read.status, rebound.status] == [200, 403, 403])
        }
    }

    @Test func theConsoleCanBeSwitchedOff() async throws {
        try await TestService.with({ $0.hasConsole = false }) { service in
            for path in ["/", "/console", "/console/", "/console/session"] {
                let answer = try await service.sent(.get, path, headers: Self.page)
                #expect(answer.status == 404, "\(path)")
            }
        }
    }

    @Test func theSessionSaysWhoIsSignedIn() async throws {
        try await TestService.with({ $0.isSimulated = true }) { service in
            let session = try await service.sent(.get, "/console/session", headers: ["X-User-ID": "alice"])
            #expect(session.data?["auth"] == "development" && session.data?["signed_in"] == true)
            #expect(session.data?["user"]?["subject"] == "alice" && session.data?["role"] == "admin")
            #expect(session.data?["admin"] == true && session.data?["simulated"] == true)
            let own = service.broker.bundle.value.kinds.values.filter(\.isForOperators)
            let kinds = try #require(session.data?["kinds"]?.object)
            #expect(!own.isEmpty && kinds.count == own.count)
            for kind in own { #expect(kinds[kind.name]?["title"]?.string == kind.title) }
            let post = try await service.sent(.post, "/console/session", ["token": "x"])
            #expect(post.status == 404)
        }
    }

    // MARK: With tokens

    private static let tokens = SessionTokens(secret: Secret("our secret, which has 32 letters"))
    private static let own: HTTPHeaders = ["Sec-Fetch-Site": "same-origin"]

    private func withTokens(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.authentication = .jwt(Self.tokens) }, body)
    }

    private func cookie(_ answer: HTTPResponse) throws -> String {
        let header = try #require(answer.headers["Set-Cookie"])
        #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict") && header.contains("Path=/"))
        return String(header.prefix { $0 != ";" })
    }

    @Test func aTokenBecomesACookieForThePagesOfTheService() async throws {
        try await withTokens { service in
            let nobody = try await service.sent(.get, "/console/session")
            #expect(nobody.data?["signed_in"] == false && nobody.data?["kinds"] == [:])
            let token = try Self.tokens.issue(to: "alice", profile: SessionTokens.Profile(role: .viewer)).accessToken
            let signedIn = try await service.sent(.post, "/console/session", ["token": JSON(token)], headers: Self.own)
            #expect(signedIn.status == 204)
            let cookie = try cookie(signedIn)
            var headers = Self.own
            headers["Cookie"] = cookie
            let session = try await service.sent(.get, "/console/session", headers: headers)
            #expect(session.data?["user"]?["subject"] == "alice" && session.data?["role"] == "viewer")
            #expect(try await service.sent(.get, "/api/v1/credits", headers: headers).status == 200)
            #expect(try await service.sent(.get, "/api/v1/admin/overview", headers: headers).status == 200)
            #expect(
                try await service.sent(.post, "/api/v1/jobs", ["kind": "brief", "input": [:]], headers: headers).status
                    != 401)
            // Any other page's request is as if the cookie were not there.
            for site in ["cross-site", "same-site", "none"] {
                let other: HTTPHeaders = ["Cookie": cookie, "Sec-Fetch-Site": site]
                #expect(try await service.sent(.get, "/api/v1/credits", headers: other).status == 401, "\(site)")
            }
            #expect(try await service.sent(.get, "/api/v1/credits", headers: ["Cookie": cookie]).status == 401)
            headers["Cookie"] = "\(cookie); \(cookie)"
            #expect(try await service.sent(.get, "/api/v1/credits", headers: headers).status == 401)
        }
    }

    @Test(arguments: ["", "x", "a.b.c", "dk_live_0123456789012345678901234567890123456789012"])
    func anotherTextIsNoToken(token: String) async throws {
        try await withTokens { service in
            let answer = try await service.sent(.post, "/console/session", ["token": JSON(token)], headers: Self.own)
            #expect(answer.status == 401 && answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test func signingOutRemovesTheCookie() async throws {
        try await withTokens { service in
            let token = try Self.tokens.issue(to: "alice").accessToken
            var headers = Self.own
            headers["Cookie"] = "dossier_console=\(token)"
            let answer = try await service.sent(.delete, "/console/session", headers: headers)
            #expect(answer.status == 204)
            #expect(answer.headers["Set-Cookie"]?.hasPrefix("dossier_console=; ") == true)
            #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        }
    }

    @Test func theProgramHoldsTheFilesOfTheFolder() {
        #expect(ConsoleFiles.shared.hash.utf8.count == 32)
        #expect(ConsoleFiles.shared.asset("main.js", hash: ConsoleFiles.shared.hash) != nil)
        #expect(ConsoleFiles.shared.asset("index.html", hash: ConsoleFiles.shared.hash) == nil)
    }
}

extension TestService {
    /// Sends a request and gives the response as it came.
    func sent(
        _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        var headers = headers
        if body != nil { headers["Content-Type"] = "application/json" }
        return try await client.send(HTTPRequest(method, url + path, headers: headers, body: body?.utf8 ?? []))
    }
}

extension HTTPResponse {
    fileprivate var data: JSON? { (try? JSON(parsing: body))?["data"] }
}
