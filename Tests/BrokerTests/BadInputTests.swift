import SQLiteStore
import JobQueue
import Foundation
import HTTP
import JSON
import Testing

/// Bad input gets a clear error with the right code, never a 500; nothing is stored or charged.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BadInputTests {
    /// A body and the expected error.
    private struct Bad: Sendable {
        var body: String
        var code: String
        var field: String?

        init(_ body: String, _ code: String, _ field: String? = nil) {
            self.body = body
            self.code = code
            self.field = field
        }
    }

    private static func expectNothingHappened(
        to service: TestService, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used", sourceLocation: sourceLocation)
        let list = try await service.ask(.get, "/api/v1/jobs")
        #expect(list["pagination"]?["total_items"] == 0, sourceLocation: sourceLocation)
    }

    private func expectRefusals(_ bodies: [Bad], of path: String) async throws {
        try await TestService.with { service in
            for bad in bodies {
                let answer = try await service.ask(.post, path, bytes: Array(bad.body.utf8))
                let name = bad.body.prefix(100)
                #expect(answer.status == 422, "\(name): \(answer.text.prefix(300))")
                #expect(answer.code == bad.code, "\(name): \(answer.text.prefix(300))")
                #expect(answer.field == bad.field, "\(name): \(answer.text.prefix(300))")
                #expect(answer.text.utf8.count < 2000, "\(name): the answer repeats the request")
                if let field = bad.field {
                    let message = answer["error"]?["message"]?.string ?? ""
                    #expect(message.contains("'\(field)'"), "\(name): '\(message)' does not name the field")
                }
            }
            try await Self.expectNothingHappened(to: service)
        }
    }

    @Test func charactersThatAreTakenOutCountInTheLengthsOfTexts() async throws {
        try await TestService.with { service in
            let long = JSON(String(repeating: "\u{13}", count: 1000) + "x")
            let refusals: [(path: String, body: JSON, field: String)] = [
                ("/api/v1/webhooks/endpoints", ["url": "https://e.example/x", "description": long], "description"),
                ("/api/v1/admin/pauses", ["kind": "research", "note": long], "note"),
                (
                    "/api/v1/jobs", ["kind": "research", "input": ["ticker": "AAPL\u{13}", "persona": "ann"]],
                    "input.ticker"
                ),
            ]
            for refusal in refusals {
                let answer = try await service.ask(.post, refusal.path, refusal.body)
                #expect(answer.status == 422 && answer.field == refusal.field, "\(answer.text.prefix(300))")
            }
            try await Self.expectNothingHappened(to: service)
        }
    }

    @Test("A query that cannot be read is refused in the form of its address")
    func aBadQueryIsRefusedInTheFormOfItsAddress() async throws {
        try await TestService.with { service in
            let paths = ["/v1/feed?cursor=%ff", "/v1/feed/story-groups?a=%00", "/api/analyze?x=%00"]
            for path in paths {
                let method: HTTPMethod = path.hasPrefix("/api") ? .post : .get
                let response = try await service.client.send(HTTPRequest(method, service.url + path))
                let body = try JSON(parsing: response.body)
                #expect(response.status == 400 && body["error"] == "Invalid request", "\(response.text)")
                #expect(body["details"] != nil && body["code"] == "VAL_3004" && body["success"] == nil)
            }
            let native = try await service.ask(.get, "/api/v1/jobs?x=%ff")
            #expect(native.status == 400 && native.code == "VAL_3004")
        }
    }

    // MARK: Bodies

    @Test func aBodyThatIsNotAJSONObjectIsRefused() async throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let bodies = [
            " ", "{", "}", "[]", "null", "12", "\"text\"", "{} {}", "{\"kind\":}", "{'kind':'note'}",
            "{\"kind\" \"note\"}",
            "{\"kind\":\"no\nte\",\"input\":{}}", "{\"kind\":\"note\",\"input\":{},}", "{\"kind\":nul}",
            "{\"kind\":\"note\",\"input\":NaN}", "{\"kind\":\"note\",\"priority\":01,\"input\":{}}",
            "{\"kind\":\"note\",\"input\":{\"a\":\(deep)}}", "{\"kind\":\"\\u12\"}", "{\"kind\":\"\\x\"}", "\u{FEFF}",
            "{\"\(String(repeating: "k", count: 100_000))\" 1}",
        ]
        try await expectRefusals(bodies.map { Bad($0, "VAL_3004") }, of: "/api/v1/jobs")
    }

    @Test func aMissingBodyAndInvalidUTF8AreRefused() async throws {
        try await TestService.with { service in
            for path in ["/api/v1/jobs", "/api/v1/research/generate"] {
                let missing = try await service.ask(.post, path)
                #expect(missing.status == 422 && missing.code == "VAL_3004")
                for bytes: [UInt8] in [
                    [0xFF, 0xFE], [0], Array("{\"kind\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
                ] {
                    let answer = try await service.ask(.post, path, bytes: bytes)
                    #expect(answer.status == 422 && answer.code == "VAL_3004", "\(bytes)")
                }
            }
            try await Self.expectNothingHappened(to: service)
        }
    }

    @Test func aSubmitNamesTheInvalidField() async throws {
        try await expectRefusals(
            [
                Bad(#"{}"#, "VAL_3001", "kind"), Bad(#"{"kind":1,"input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":null,"input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"","input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"nothing","input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"Note","input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"../research","input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"no\u0000te","input":{}}"#, "VAL_3001", "kind"),
                Bad(#"{"kind":"note"}"#, "VAL_3001", "input"),
                Bad(#"{"kind":"note","input":null}"#, "VAL_3001", "input"),
                Bad(#"{"kind":"note","input":[]}"#, "VAL_3001", "input"),
                Bad(#"{"kind":"note","input":"{}"}"#, "VAL_3001", "input"),
                Bad(#"{"kind":"note","input":{},"user_id":2}"#, "VAL_3001", "user_id"),
                Bad(#"{"kind":"note","input":{},"Priority":2}"#, "VAL_3001", "Priority"),
                Bad(#"{"kind":"note","input":{"text":"a\u0000b"}}"#, "VAL_3001", "input.text"),
                Bad(#"{"kind":"note","input":{"a":[1,{"b":["x","\u0000"]}]}}"#, "VAL_3001", "input.a[1].b[1]"),
                Bad(#"{"kind":"note","input":{"a":{"\u0000":1}}}"#, "VAL_3001", "input.a.(a key)"),
            ], of: "/api/v1/jobs")
    }

    @Test func anInputNestedTooDeepIsRefusedWithAShortPath() async throws {
        let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let field = ("input.a" + String(repeating: "[0]", count: 128)).prefix(150) + "…"
        try await expectRefusals(
            [Bad(#"{"kind":"note","input":{"a":\#(nested)}}"#, "VAL_3001", String(field))], of: "/api/v1/jobs")
    }

    @Test func optionsOutsideTheirBoundsAreRefused() async throws {
        var bodies: [Bad] = []
        let priorities = [
            "\"5\"", "1.5", "101", "-101", "true", "[]", "{}", "1e400", "-1e400", "99999999999999999999",
            "1e9223372036854775807", "1e99999999999999999999", "0.001e-9223372036854775808",
            "-1e-99999999999999999999",
        ]
        for priority in priorities {
            bodies.append(Bad(#"{"kind":"note","input":{},"priority":\#(priority)}"#, "VAL_3001", "priority"))
        }
        let timestamps = [
            "5", "\"\"", "\"tomorrow\"", "\"9999-01-01T00:00:00Z\"", "\"2026-13-01T00:00:00Z\"",
            "\"2026-11-21\"", "\"1969-12-31T23:59:59Z\"", "true", "[\"2026-11-21T00:00:00Z\"]",
            "\"999999999999-01-01T00:00:00Z\"",
        ]
        for timestamp in timestamps {
            bodies.append(Bad(#"{"kind":"note","input":{},"run_at":\#(timestamp)}"#, "VAL_3001", "run_at"))
        }
        for within in ["3599", "86401", "0", "-3600", "7200.5", "\"6h\"", "true", "[]", "1e400"] {
            bodies.append(Bad(#"{"kind":"note","input":{},"within":\#(within)}"#, "VAL_3001", "within"))
        }
        try await expectRefusals(bodies, of: "/api/v1/jobs")
    }

    @Test func aReportRequestNamesInvalidFieldsAsItCallsThem() async throws {
        var jobs = [
            Bad(#"{"kind":"research","input":{"persona":"ann"}}"#, "VAL_3002", "input.ticker"),
            Bad(#"{"kind":"research","input":{"ticker":"AAPL"}}"#, "VAL_3001", "input.persona"),
            Bad(#"{"kind":"research","input":{"ticker":"AAPL","persona":"ann","x":1}}"#, "VAL_3001", "input.x"),
        ]
        var reports = [
            Bad(#"{}"#, "VAL_3001", "ticker"), Bad(#"{"investor_persona":"ann"}"#, "VAL_3001", "ticker"),
            Bad(#"{"ticker":"AAPL"}"#, "VAL_3001", "investor_persona"),
            Bad(#"{"ticker":"AAPL","persona":"ann"}"#, "VAL_3001", "persona"),
            Bad(#"{"ticker":5,"investor_persona":"ann"}"#, "VAL_3001", "ticker"),
            Bad(#"{"stock_id":5,"investor_persona":"ann"}"#, "VAL_3001", "stock_id"),
            Bad(#"{"stock_id":"A B","investor_persona":"ann"}"#, "VAL_3002", "stock_id"),
            Bad(#"{"ticker":"AAPL","investor_persona":7}"#, "VAL_3001", "investor_persona"),
        ]
        let tickers = [
            "", " ", "AA PL", "TOOLONGTICKER", "../..", "AAPL;", "AAPL\\n", "\\nAAPL", "AAPL\\u2028", "BRK.", ".B",
            "BRK.B.C",
            "\\u00c4PPL", "\\ud800", "\\ud83c\\udf4e", "$AAPL", "{{role}}", "<b>", "\u{FF21}APL",
        ]
        for ticker in tickers {
            jobs.append(
                Bad(#"{"kind":"research","input":{"ticker":"\#(ticker)","persona":"ann"}}"#, "VAL_3002", "input.ticker")
            )
            reports.append(Bad(#"{"ticker":"\#(ticker)","investor_persona":"ann"}"#, "VAL_3002", "ticker"))
        }
        for ticker in ["5", "null", "true", "[\"AAPL\"]", "{}"] {
            jobs.append(
                Bad(#"{"kind":"research","input":{"ticker":\#(ticker),"persona":"ann"}}"#, "VAL_3002", "input.ticker"))
        }
        for persona in ["nobody", "Ann", " ann", "ann\\n", "__proto__"] {
            jobs.append(
                Bad(
                    #"{"kind":"research","input":{"ticker":"AAPL","persona":"\#(persona)"}}"#, "VAL_3003",
                    "input.persona"
                ))
            reports.append(
                Bad(#"{"ticker":"AAPL","investor_persona":"\#(persona)"}"#, "VAL_3003", "investor_persona"))
        }
        for persona in ["5", "\"\"", "null", "[]"] {
            jobs.append(
                Bad(
                    #"{"kind":"research","input":{"ticker":"AAPL","persona":\#(persona)}}"#, "VAL_3001", "input.persona"
                ))
        }
        try await expectRefusals(jobs, of: "/api/v1/jobs")
        try await expectRefusals(reports, of: "/api/v1/research/generate")
    }

    /// Each of these bodies tries to take long, to fill the memory or to crash the process.
    @Test func bodiesBuiltToBeExpensiveAreAnsweredQuickly() async throws {
        let key = String(repeating: "k", count: 400_000)
        let manyLists = "[" + String(repeating: "[],", count: 150_000) + "0]"
        let zeros = String(repeating: "0", count: 800_000)
        try await TestService.with { service in
            for body in [
                #"{"kind":"note","input":{"\#(key)":\#(manyLists)}}"#,
                #"{"kind":"note","input":{"a":0.\#(zeros)1}}"#,
                #"{"kind":"note","input":{"a":1e-9223372036854775808}}"#,
                #"{"kind":"note","priority":0.\#(zeros)1,"input":{}}"#, #"{"\#(key)":1}"#,
                #"{"kind":"research","input":{"\#(key)":1}}"#,
            ] {
                let start = ContinuousClock.now
                let answer = try await service.ask(
                    .post, "/api/v1/jobs", bytes: Array(body.utf8), headers: ["Idempotency-Key": "\(body.utf8.count)"])
                #expect([202, 422].contains(answer.status), "\(body.prefix(60)): \(answer.text.prefix(300))")
                #expect(answer.text.utf8.count < 2000)
                #expect(ContinuousClock.now - start < .seconds(60), "\(body.prefix(60))")
            }
        }
    }

    @Test func aQueryParameterIsGivenOnce() async throws {
        try await TestService.with { service in
            let repeated = try await service.ask(.get, "/api/v1/jobs?per_page=5&status=failed&per_page=6")
            #expect(repeated.status == 422 && repeated.field == "per_page", "\(repeated.text)")
            let feed = try await service.client.send(HTTPRequest(.get, service.url + "/v1/feed?limit=5&limit=5"))
            #expect(feed.status == 400, "\(feed.text)")
        }
    }

    @Test func aBodyNeedsTheJSONContentType() async throws {
        try await TestService.with { service in
            let paths = ["/api/v1/jobs", "/api/v1/research/generate", "/api/v1/jobs/x/cancel", "/api/v1/jobs/x/retry"]
            let types = [
                "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                "application/jsonx", "text/json", "application/json, text/plain", ";application/json",
            ]
            for path in paths {
                for type in types {
                    let answer = try await service.ask(.post, path, [:], headers: ["Content-Type": type])
                    #expect(answer.status == 415 && answer.code == "VAL_3004", "\(path) \(type): \(answer.text)")
                }
            }
            try await Self.expectNothingHappened(to: service)
            for type in ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"] {
                let answer = try await service.ask(
                    .post, "/api/v1/jobs", ["kind": "note", "input": [:]], headers: ["Content-Type": type])
                #expect(answer.status == 202, "\(type): \(answer.text)")
            }
        }
    }

    // MARK: Ids and queries

    private static let jobPaths: [(method: HTTPMethod, prefix: String, suffix: String)] = [
        (.get, "/api/v1/jobs/", ""), (.get, "/api/v1/jobs/", "/result"), (.get, "/api/v1/jobs/", "/input"),
        (.get, "/api/v1/jobs/", "/events"),
        (.post, "/api/v1/jobs/", "/cancel"), (.post, "/api/v1/jobs/", "/retry"),
        (.get, "/api/v1/research/reports/", ""), (.get, "/api/v1/research/reports/", "/status"),
    ]

    @Test func anInvalidOrUnknownIDIs404() async throws {
        try await TestService.with { service in
            let unknown = "01a1fdbc-a70f-7b97-b80d-3ae07a36bd68"
            let ids = [
                unknown, unknown.uppercased(), "x", "1", "-1", unknown + "0", String(unknown.dropLast()),
                unknown.replacing("-", with: ""), "{\(unknown)}", "%2e%2e", "a%2Fb", "%27%20OR%201=1", "%F0%9F%8D%8E",
                String(repeating: "9", count: 1000),
            ]
            for (method, prefix, suffix) in Self.jobPaths {
                for id in ids {
                    let answer = try await service.ask(method, prefix + id + suffix)
                    #expect(
                        answer.status == 404 && answer.code == "BIZ_2005", "\(prefix)\(id)\(suffix): \(answer.text)")
                    if id == unknown { #expect(answer["error"]?["details"]?["job_id"]?.string == unknown) }
                }
            }
        }
    }

    @Test func anotherUsersJobIs404LikeAnUnknownJob() async throws {
        try await TestService.with { service in
            let id = try await service.submit(user: "1")
            for (method, prefix, suffix) in Self.jobPaths {
                let answer = try await service.ask(method, prefix + "\(id)" + suffix, headers: ["X-User-ID": "2"])
                #expect(answer.status == 404 && answer.code == "BIZ_2005", "\(prefix)…\(suffix): \(answer.text)")
            }
            let stream = try await service.ask(.get, "/api/v1/events?jobs=\(id)", headers: ["X-User-ID": "2"])
            #expect(stream.status == 404)
            let list = try await service.ask(.get, "/api/v1/jobs", headers: ["X-User-ID": "2"])
            #expect(list["data"] == [])
            let job = try await service.store.job(id, of: nil)
            #expect(job?.status == .pending)
        }
    }

    @Test func anInvalidQueryParameterIsRefusedByName() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let queries: [(path: String, field: String)] = [
                ("/api/v1/jobs?status=nope", "status"), ("/api/v1/jobs?status=", "status"),
                ("/api/v1/jobs?status=Completed", "status"), ("/api/v1/jobs?page=0", "page"),
                ("/api/v1/jobs?page=-1", "page"), ("/api/v1/jobs?page=", "page"), ("/api/v1/jobs?page=1.5", "page"),
                ("/api/v1/jobs?page=1e2", "page"), ("/api/v1/jobs?page=99999999999999999999", "page"),
                ("/api/v1/jobs?page=1000001", "page"), ("/api/v1/jobs?per_page=0", "per_page"),
                ("/api/v1/jobs?per_page=101", "per_page"), ("/api/v1/jobs?per_page=x", "per_page"),
                ("/api/v1/jobs?cursor=x", "cursor"), ("/api/v1/jobs?cursor=", "cursor"),
                ("/api/v1/research/reports?page=0", "page"), ("/api/v1/research/reports?per_page=1000", "per_page"),
                ("/api/v1/jobs/\(id)?wait=61", "wait"), ("/api/v1/jobs/\(id)?wait=-1", "wait"),
                ("/api/v1/jobs/\(id)?wait=", "wait"), ("/api/v1/jobs/\(id)?wait=soon", "wait"),
                ("/api/v1/events", "jobs"), ("/api/v1/events?jobs=", "jobs"), ("/api/v1/events?jobs=,,", "jobs"),
                ("/api/v1/events?jobs=x", "jobs"), ("/api/v1/events?jobs=\(id),x", "jobs"),
                ("/api/v1/events?jobs=" + Array(repeating: "\(id)", count: 51).joined(separator: ","), "jobs"),
            ]
            for (path, field) in queries {
                let answer = try await service.ask(.get, path)
                #expect(answer.status == 422 && answer.code == "VAL_3001", "\(path.prefix(80)): \(answer.text)")
                #expect(answer.field == field, "\(path.prefix(80)): \(answer.text)")
            }
            for path in ["/api/v1/jobs?kind=%00", "/api/v1/jobs?kind=%FF", "/api/v1/jobs?kind=%4"] {
                #expect(try await service.ask(.get, path).status == 400, "\(path)")
            }
            for path in ["/api/v1/jobs?kind=nothing", "/api/v1/jobs?page=1000000", "/api/v1/jobs?kind=%27%20OR%201=1"] {
                #expect(try await service.ask(.get, path)["data"] == [], "\(path)")
            }
        }
    }
}
