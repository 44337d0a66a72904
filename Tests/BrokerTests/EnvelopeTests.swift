import SQLiteStore
import JobQueue
import DossierAPI
import HTTP
import JSON
import Testing

/// The parts that all responses share. `TestService.ask` checks the envelope and the headers of each response.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EnvelopeTests {
    @Test func aValidRequestIDIsKeptAndAnyOtherReplaced() async throws {
        try await TestService.with { service in
            for path in ["/api/v1/personas", "/health", "/nowhere", "/api/v1/jobs/x"] {
                let answer = try await service.ask(.get, path, headers: ["X-Request-ID": "mine-17"])
                #expect(answer.header("X-Request-ID") == "mine-17", "\(path)")
            }
            for id in ["two words", String(repeating: "x", count: 65), "caf\u{E9}"] {
                let answer = try await service.ask(.get, "/api/v1/personas", headers: ["X-Request-ID": id])
                #expect(answer.header("X-Request-ID") != id)
            }
            let first = try await service.ask(.get, "/health").header("X-Request-ID")
            let second = try await service.ask(.get, "/health").header("X-Request-ID")
            #expect(first != second)
        }
    }

    @Test func theJobKeepsItsRequestID() async throws {
        try await TestService.with { service in
            _ = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "research", "input": TestService.order],
                headers: ["X-Request-ID": "from-the-app"])
            let worker = try await FakeWorker(service)
            let claim = try await worker.store.claim(for: worker.id, upTo: [.background: 1])
            #expect(claim.jobs.first?.requestID == "from-the-app")
        }
    }

    @Test func onlyTheSupportedVersionIsAccepted() async throws {
        try await TestService.with { service in
            for version in ["1", "1.0"] {
                let answer = try await service.ask(.get, "/api/v1/credits", headers: ["Accept-Version": version])
                #expect(answer.status == 200)
            }
            for version in ["2", "1.1", "v1", "latest", String(repeating: "9", count: 500)] {
                let answer = try await service.ask(.get, "/api/v1/credits", headers: ["Accept-Version": version])
                #expect(answer.status == 400 && answer.code == "VAL_3004", "\(version): \(answer.text)")
                let open = try await service.ask(.get, "/api/v1/kinds", headers: ["Accept-Version": version])
                #expect(open.status == 400 && open.code == "VAL_3004", "\(version): \(open.text)")
            }
        }
    }

    @Test func anAddressThatIsNotThereIs404() async throws {
        try await TestService.with { service in
            for path in [
                "/", "/api", "/api/v1", "/api/v1/", "/api/v1/jobs/", "/api/v2/jobs", "/API/v1/jobs", "/metric",
            ] {
                let answer = try await service.ask(.get, path)
                #expect(answer.status == 404 && answer.code == "BIZ_2005", "\(path): \(answer.text)")
            }
            let answer = try await service.ask(.post, "/nowhere", ["kind": "research"])
            #expect(answer.status == 404)
        }
    }

    @Test func aMethodThatARouteDoesNotKnowIs405AndNamesThoseItKnows() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let routes: [(HTTPMethod, String, allowed: String)] = [
                (.put, "/api/v1/jobs", "POST, GET, HEAD"), (.delete, "/api/v1/jobs", "POST, GET, HEAD"),
                (.post, "/api/v1/jobs/\(id)", "GET, DELETE, HEAD"), (.post, "/api/v1/jobs/\(id)/result", "GET, HEAD"),
                (.put, "/api/v1/jobs/\(id)/input", "GET, HEAD"),
                (.post, "/api/v1/jobs/\(id)/events", "GET, HEAD"), (.get, "/api/v1/jobs/\(id)/cancel", "POST"),
                (.get, "/api/v1/jobs/\(id)/retry", "POST"), (.delete, "/api/v1/events", "GET, HEAD"),
                (.get, "/api/v1/research/compare", "POST"),
                (.get, "/api/v1/research/generate", "POST"), (.post, "/api/v1/research/reports", "GET, HEAD"),
                (.put, "/api/v1/research/reports/\(id)", "GET, DELETE, HEAD"),
                (.delete, "/api/v1/research/reports/\(id)/status", "GET, HEAD"),
                (.post, "/api/v1/personas", "GET, HEAD"), (.put, "/api/v1/credits", "GET, HEAD"),
                (.post, "/api/v1/users/me", "GET, DELETE, HEAD"), (.post, "/health", "GET, HEAD"),
                (.delete, "/api/v1/deletions/\(id)", "GET, HEAD"),
                (HTTPMethod(rawValue: "PATCH"), "/ready", "GET, HEAD"),
                (HTTPMethod(rawValue: "OPTIONS"), "/api/v1/jobs", "POST, GET, HEAD"),
                (HTTPMethod(rawValue: "BREW"), "/api/v1/credits", "GET, HEAD"),
            ]
            for (method, path, allowed) in routes {
                let answer = try await service.ask(method, path)
                #expect(answer.status == 405 && answer.code == "VAL_3004", "\(method.rawValue) \(path): \(answer.text)")
                #expect(answer.header("Allow") == allowed, "\(method.rawValue) \(path)")
            }
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
        }
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            for path in ["/health", "/api/v1/personas", "/api/v1/jobs", "/api/v1/jobs/\(id)"] {
                let answer = try await service.ask(.head, path)
                #expect(answer.status == 200, "\(path)")
            }
        }
    }

    @Test func refusalsOfTheServerHaveTheEnvelope() async throws {
        try await TestService.with { service in
            let smuggled = try await WireExchange.send(
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", to: service.port)
            expect(smuggled, status: 400, code: "VAL_3004")
            let escaped = try await WireExchange.send(
                "GET /api/v1/jobs/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", to: service.port)
            expect(escaped, status: 400, code: "VAL_3004")
            let headers = String(repeating: "X-Long: \(String(repeating: "x", count: 500))\r\n", count: 13)
            let long = try await WireExchange.send(
                "GET /health HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n", to: service.port)
            expect(long, status: 431, code: "VAL_3004")
        }
    }

    @Test func aBodyOfOneMebibyteIsTakenAndALongerOneIs413() async throws {
        try await TestService.with { service in
            let frame = #"{"kind":"note","input":{"text":""}}"#
            let padding = String(repeating: "x", count: 1 << 20)
            func body(_ size: Int) -> [UInt8] {
                Array(frame.replacing(#""""#, with: "\"\(padding.prefix(size - frame.utf8.count))\"").utf8)
            }
            #expect(body(1 << 20).count == 1 << 20)
            let taken = try await service.ask(.post, "/api/v1/jobs", bytes: body(1 << 20))
            #expect(taken.status == 202, "\(taken.text.prefix(300))")
            let announced = try await service.ask(.post, "/api/v1/jobs", bytes: body(1 << 20 + 1))
            #expect(announced.status == 413 && announced.code == "VAL_3005", "\(announced.text.prefix(300))")

            var chunked =
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            for _ in 0...16 { chunked += "10000\r\n\(padding.prefix(1 << 16))\r\n" }
            expect(try await WireExchange.send(chunked + "0\r\n\r\n", to: service.port), status: 413, code: "VAL_3005")
            let list = try await service.ask(.get, "/api/v1/jobs")
            #expect(list["pagination"]?["total_items"] == 1)
        }
    }

    private func expect(
        _ answer: String, status: Int, code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(400))", sourceLocation: sourceLocation)
        #expect(answer.contains("X-API-Version: 1.0"), "\(answer.prefix(400))", sourceLocation: sourceLocation)
        let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last.map { String($0) } ?? ""
        let json = try? JSON(parsing: body)
        #expect(
            json?["success"] == false && json?["error"]?["code"] == JSON(code), "\(answer.prefix(400))",
            sourceLocation: sourceLocation)
    }
}
