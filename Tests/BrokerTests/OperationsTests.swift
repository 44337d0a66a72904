import DossierAPI
import HTTP
import HTTPServer
import JobQueue
import JSON
import SQLiteStore
import Testing

@testable import Broker

/// Accounts, readiness and unknown addresses.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServiceTests {
    @Test func thePersonasOfTheBundleAreListed() async throws {
        try await TestService.with { service in
            let personas = try await service.ask(.get, "/api/v1/personas").decoded(as: [PersonaResource].self)
            #expect(personas.map(\.id) == ["ann", "bob"])
            #expect(personas.map(\.voice) == ["Ann reads first.", "Bob reads first."])
            #expect(personas[0].thresholds.fits == 70 && personas[0].thresholds.mixed == 45)
            #expect(personas.first?.name == "Ann" && personas.first?.version == 3)
        }
    }

    @Test func creditsFollowTheJobs() async throws {
        try await TestService.with {
            $0.startingCredits = 3
        } _: { service in
            #expect(try await service.credits(user: "9") == "3 granted, 3 left, 0 held, 0 used")
            let id = try await service.submit(user: "9")
            #expect(try await service.credits(user: "9") == "3 granted, 2 left, 1 held, 0 used")
            try await FakeWorker(service).finish(id)
            #expect(try await service.credits(user: "9") == "3 granted, 2 left, 0 held, 1 used")
            #expect(try await service.credits(user: "10") == "3 granted, 3 left, 0 held, 0 used")
            #expect(try await service.store.auditCredits().isEmpty)
        }
    }

    @Test func aBrokerIsReadyOnlyWithALiveWorker() async throws {
        try await TestService.with { service in
            #expect(try await service.ask(.get, "/health")["data"] == ["status": "ok"])
            let alone = try await service.ask(.get, "/ready")
            #expect(alone.status == 503 && alone.code == "SYS_5002", "\(alone.text)")
            let worker = try await FakeWorker(service)
            // The store is asked once a second at most.
            var ready = alone
            while ready.status == 503 { ready = try await service.ask(.get, "/ready") }
            #expect(ready.status == 200 && ready["data"]?["status"] == "ready")
            try await worker.store.deregister(worker.id)
            while ready.status == 200 { ready = try await service.ask(.get, "/ready") }
            #expect(ready.status == 503)
        }
    }

    @Test func withoutADatabaseAnswersAre503AndHealthStays() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            _ = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            await service.store.close()
            // The last reading of the workers is shown for a second.
            while try await service.ask(.get, "/ready").code != "EXT_4003" {}
            let requests: [(HTTPMethod, String, JSON?)] = [
                (.get, "/ready", nil), (.get, "/api/v1/credits", nil), (.get, "/api/v1/users/me", nil),
                (.get, "/api/v1/jobs", nil), (.get, "/api/v1/jobs/\(id)", nil),
                (.get, "/api/v1/jobs/\(id)?wait=1", nil),
                (.get, "/api/v1/jobs/\(id)/result", nil), (.get, "/api/v1/jobs/\(id)/events", nil),
                (.post, "/api/v1/jobs/\(id)/cancel", nil), (.post, "/api/v1/jobs/\(id)/retry", nil),
                (.post, "/api/v1/jobs", ["kind": "research", "input": TestService.order]),
                (.post, "/api/v1/research/generate", ["ticker": "AAPL", "investor_persona": "ann"]),
                (.get, "/api/v1/research/reports", nil), (.get, "/api/v1/research/reports/\(id)", nil),
            ]
            for (method, path, body) in requests {
                let answer = try await service.ask(method, path, body)
                #expect(answer.status == 503 && answer.code == "EXT_4003", "\(path): \(answer.text)")
                #expect(answer.header("Retry-After") == "2", "\(path)")
            }
            let stranger = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "never-seen"])
            #expect(stranger.status == 503)
            #expect(try await service.ask(.get, "/health").status == 200)
            // The store is gone; what was read before stays, with its age.
            var metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            while !metrics.text.contains("\ndossier_store_up 0\n") {
                metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            }
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("\ndossier_store_reading_age_seconds "))
            #expect(metrics.text.contains("\ndossier_jobs_unfinished"))
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct OperationsTests {
    @Test func metricsCoverRequestsJobsWorkersAndCache() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            try await worker.finish(try await service.submit())
            _ = try await service.submit("note", input: [:])
            for _ in 0..<3 { _ = try await service.ask(.get, "/api/v1/credits") }
            _ = try await service.ask(.get, "/api/v1/jobs/none")
            _ = try await service.ask(.get, "/nothing")
            let response = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(response.text.split(separator: "\n").map(String.init))
            for line in [
                #"dossier_http_requests_total{method="GET",route="/api/v1/credits",status="200"} 3"#,
                #"dossier_http_requests_total{method="GET",route="/api/v1/jobs/{id}",status="404"} 1"#,
                #"dossier_http_requests_total{method="any",route="none",status="404"} 1"#,
                #"dossier_http_request_duration_seconds_count{method="GET",route="/api/v1/credits"} 3"#,
                #"dossier_jobs_last_hour{kind="research",status="completed"} 1"#,
                #"dossier_jobs_unfinished{kind="note",place="ready"} 1"#,
                "dossier_queue_depth 1", "dossier_workers_alive 1", "dossier_store_up 1",
                #"dossier_jobs_running{queue="background"} 0.0"#, #"dossier_held_requests{sort="streams"} 0"#,
                "dossier_held_credits 0.0", "dossier_spend_today_dollars 0.0",
            ] { #expect(lines.contains(line), "\(line)\n\(response.text)") }
            // Every sample follows the header of its family.
            var family = ""
            for line in response.text.split(separator: "\n") {
                if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
                #expect(line.hasPrefix("#") || line.hasPrefix(family), "\(line)")
            }
        }
    }

    @Test func metricsTellWhatBlockedJobsWaitFor() async throws {
        try await TestService.with { service in
            _ = try await service.submit("note", input: [:])
            let names = ["dossier_jobs_blocked", "dossier_jobs_unfinished"]
            #expect(
                try await Self.metrics(names, of: service) == [
                    #"dossier_jobs_unfinished{kind="note",place="ready"} 1"#,
                    #"dossier_jobs_blocked{kind="note",reason="no_worker"} 1"#,
                ])
        }
    }

    /// The metrics of the given names, without headers.
    private static func metrics(_ names: [String], of service: TestService) async throws -> [String] {
        let response = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
        return response.text.split(separator: "\n").map(String.init).filter { line in
            names.contains { line.hasPrefix($0) }
        }
    }

    @Test func metricsTellWhatTheFleetsModelCallsShow() async throws {
        try await TestService.with {
            $0.budgets = [
                MonitoredBudget(
                    name: "claude/b", provider: "claude", models: ["m", "n"],
                    limits: BudgetLimits(requestsPerMinute: 60))
            ]
        } _: { service in
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(try await service.submit())
            var call = ModelCall(
                id: "a", provider: "claude", model: "m", inputTokens: 1, outputTokens: 2, cacheReadTokens: 30,
                cacheWriteTokens: 9, costMicroDollars: 500_000)
            call.cacheWrite1hTokens = 4
            call.details.listMicroDollars = 750_000
            call.details.firstByte = .milliseconds(400)
            call.details.firstContent = .milliseconds(1500)
            call.details.waited = .zero
            var stalled = call
            (stalled.id, stalled.state, stalled.details) = ("b", .stalled, ModelCall.Details())
            try await service.store.settle([call, stalled], of: lease)
            var used = BudgetRequest(budget: "claude/b", limits: BudgetLimits(requestsPerMinute: 60))
            used.holder = BudgetHolder(id: "w", retries: 12)
            used.calls = [CallNeed(input: 1, output: 1)]
            used.reports = [.refused(after: .seconds(1), LimitReading())]
            used.breakers = [BreakerReport(.model("n"), .opened)]
            _ = try await service.store.exchange([used])
            let lines = try await Self.metrics(
                [
                    "dossier_model_", "dossier_cache_tokens", "dossier_provider", "dossier_breaker", "dossier_retry",
                    "dossier_batches", "dossier_spend", "dossier_cost_saved",
                ], of: service)
            let model = #"provider="claude",model="m""#
            for line in [
                "dossier_model_calls_total{\(model),outcome=\"ok\"} 1",
                "dossier_model_calls_total{\(model),outcome=\"stalled\"} 1",
                "dossier_model_tokens_total{\(model),direction=\"input\"} 80",
                "dossier_model_cost_dollars_total{\(model)} 1.0",
                "dossier_cache_tokens_total{\(model),class=\"read\"} 60",
                "dossier_cache_tokens_total{\(model),class=\"write_5m\"} 10",
                "dossier_cache_tokens_total{\(model),class=\"write_1h\"} 8",
                "dossier_cache_tokens_total{\(model),class=\"uncached\"} 2",
                #"dossier_cost_saved_dollars_total{by="cache"} 0.25"#,
                #"dossier_cost_saved_dollars_total{by="batch"} 0.0"#,
                "dossier_model_first_byte_seconds_bucket{\(model),le=\"0.25\"} 0",
                "dossier_model_first_byte_seconds_bucket{\(model),le=\"0.5\"} 1",
                "dossier_model_first_byte_seconds_sum{\(model)} 0.4",
                "dossier_model_first_content_seconds_bucket{\(model),le=\"2.5\"} 1",
                "dossier_provider_wait_seconds_count{\(model),lane=\"background\"} 1",
                #"dossier_provider_limit{budget="claude/b",kind="requests"} 60"#,
                #"dossier_provider_refusals{budget="claude/b"} 1"#,
                #"dossier_breaker_open{provider="claude",model="m"} 0"#,
                #"dossier_breaker_open{provider="claude",model="n"} 1"#,
                #"dossier_retry_budget{provider="claude"} 12"#,
                #"dossier_batches{state="gathering"} 0"#, #"dossier_batches{state="unclear"} 0"#,
                #"dossier_spend_ratio{of="service"} 0.002"#,
            ] { #expect(lines.contains(line), "\(line)\n\(lines.joined(separator: "\n"))") }
            #expect(
                lines.contains { $0.hasPrefix(#"dossier_provider_level_ratio{budget="claude/b",kind="requests"} "#) })
        }
    }
}
