import BrokerClient
import HTTP
import JSON
import JobQueue
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Broker

/// The operators' reading of jobs, the audit, costs and users.
@Suite(.timeLimit(.minutes(10))) struct OperatorTests {
    private static let path = "/api/v1/admin"

    private func worker(_ service: TestService) async throws {
        try await service.store.register(
            WorkerRegistration(
                id: WorkerID(rawValue: "w1"), host: "machine", processID: 7, concurrency: 2,
                abilities: WorkerAbilities(kinds: ["research"], providers: ["claude"])))
        _ = try await service.store.observe(as: FleetObserver(worker: nil))
    }

    /// Registers a worker and lets it claim a job.
    private func claim(_ service: TestService) async throws -> Lease {
        try await worker(service)
        let claim = try await service.store.claim(for: WorkerID(rawValue: "w1"), upTo: [.background: 1])
        return try #require(claim.jobs.first).lease
    }

    @Test func jobsOfAllUsersAreListedWithTheReasonWhyEachDoesNotMove() async throws {
        try await TestService.with { service in
            let first = try await service.submit()
            let stuck = try await service.ask(.get, Self.path + "/jobs?why=no_worker")
            #expect(stuck["data"]?.array?.map { $0["id"]?.string } == [first.description])
            #expect(stuck["data"]?[0]?["why"]?["sentence"]?.string == "No worker is alive.")
            try await worker(service)
            let claim = try await service.store.claim(for: WorkerID(rawValue: "w1"), upTo: [.background: 1])
            #expect(claim.jobs.count == 1)
            let second = try await service.submit()
            let list = try await service.ask(.get, Self.path + "/jobs")
            let rows = list["data"]?.array ?? []
            #expect(rows.map { $0["id"]?.string } == [second.description, first.description])
            #expect(rows.map { $0["why"]?["code"]?.string } == ["queue", "running"])
            #expect(rows[1]["worker"] == "w1" && rows[0]["worker"] == .null)
            #expect(rows[0]["lane"] == "background" && rows[0]["user"]?["subject"] == "1")
            let running = try await service.ask(.get, Self.path + "/jobs?why=running&kind=research&lane=background")
            #expect(running["data"]?.array?.map { $0["id"]?.string } == [first.description])
            #expect(try await service.ask(.get, Self.path + "/jobs?user=nobody")["data"] == [])
            let page = try await service.ask(.get, Self.path + "/jobs?per_page=1")
            let cursor = try #require(page["pagination"]?["next_cursor"]?.string)
            let next = try await service.ask(.get, Self.path + "/jobs?per_page=1&cursor=\(cursor)")
            #expect(next["data"]?.array?.map { $0["id"]?.string } == [first.description])
            for (query, field) in [
                ("why=boredom", "why"), ("status=done", "status"), ("lane=fast", "lane"), ("cursor=x", "cursor"),
                ("created_from=yesterday", "created_from"), ("colour=red", "colour"),
            ] {
                let wrong = try await service.ask(.get, Self.path + "/jobs?" + query)
                #expect(wrong.status == 422 && wrong.field == field, "\(query)")
            }
        }
    }

    @Test func jobsOfSeveralStatusesAndWordsOfSubjectsAreFound() async throws {
        try await TestService.with { service in
            _ = try await service.submit()
            let lease = try await claim(service)
            let cancelled = try await service.submit()
            _ = try await service.store.cancel(cancelled, of: nil)
            let waiting = try await service.submit()
            let both = try await service.ask(.get, Self.path + "/jobs?status=processing,cancelled")
            #expect(both["data"]?.array?.map { $0["id"]?.string } == [cancelled.description, lease.job.description])
            #expect(both["pagination"]?["searched_to"] == nil)
            let own = try await service.ask(.get, "/api/v1/jobs?status=pending,cancelled")
            #expect(own["data"]?.array?.map { $0["id"]?.string } == [waiting.description, cancelled.description])
            let subject = try #require(own["data"]?[0]?["subject"]?.string)
            let word = try #require(subject.split(separator: " ").last).prefix(3).lowercased()
            let found = try await service.ask(.get, Self.path + "/jobs?q=\(word)&status=pending")
            #expect(found["data"]?.array?.map { $0["id"]?.string } == [waiting.description])
            #expect(try await service.ask(.get, Self.path + "/jobs?q=x\(word)")["data"] == [])
            for (query, field) in [
                ("status=pending,", "status"), ("status=pending,done", "status"), ("q=%20.%20", "q"),
                ("q=" + String(repeating: "a", count: 101), "q"),
            ] {
                let wrong = try await service.ask(.get, Self.path + "/jobs?" + query)
                #expect(wrong.status == 422 && wrong.field == field, "\(query)")
            }
            #expect(try await service.ask(.get, "/api/v1/jobs?status=done").field == "status")
        }
    }

    @Test func aJobIsReadWholeAndItsContentIsAudited() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let lease = try await claim(service)
            let step = Step(name: "facts", occurrence: 0, inputHash: "h", output: ["secret": "words"])
            _ = try await service.store.append(step, replacingFrom: nil, effects: [], under: lease)
            let path = Self.path + "/jobs/\(id)"
            let job = try await service.ask(.get, path)
            #expect(job["data"]?["steps"]?[0]?["name"] == "facts" && job["data"]?["steps"]?[0]?["output"] == nil)
            #expect(job["data"]?["input"] == nil && job["data"]?["worker_detail"]?["host"] == "machine")
            #expect(job["data"]?["epoch"]?.integer == lease.epoch && job["data"]?["request_id"]?.string != nil)
            #expect(job["data"]?["ledger"]?.array?.map { $0["type"]?.string } == ["hold"])
            let attempt = job["data"]?["attempts"]?[0]
            #expect(job["data"]?["attempts"]?.array?.count == 1 && attempt?["outcome"] == "running")
            #expect(attempt?["worker"] == "w1" && attempt?["ended_at"] == .null && attempt?["number"] == 1)
            #expect(job["data"]?["steps"]?[0]?["attempt"] == 1 && job["data"]?["steps"]?[0]?["at"]?.string != nil)
            #expect(job["data"]?["waits"]?.array?.allSatisfy { $0["until"]?.string != nil } == true)
            #expect(try await service.store.auditEntries(AuditFilter(), after: nil, limit: 10) == [])
            let whole = try await service.ask(.get, path + "?content=true")
            #expect(whole["data"]?["steps"]?[0]?["output"] == ["secret": "words"])
            #expect(whole["data"]?["input"]?["ticker"] != nil)
            let audit = try await service.ask(.get, Self.path + "/audit?action=jobs.read_content")
            #expect(audit["data"]?.array?.map { $0["target"]?.string } == [id.description])
            #expect(try await service.ask(.get, path + "?content=yes").field == "content")
            #expect(try await service.ask(.get, Self.path + "/jobs/\(JobID(high: 1, low: 1))").status == 404)
        }
    }

    @Test func anOperatorCancelsAndRetriesAnybodysJob() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let path = Self.path + "/jobs/\(id)"
            let cancelled = try await service.ask(.post, path + "/cancel", ["note": "by request"])
            #expect(cancelled["data"]?["status"] == "cancelled" && cancelled["data"]?["why"]?["code"] == "cancelled")
            #expect(cancelled["data"]?["why"]?["details"]?["by"] == "operator")
            #expect(cancelled["data"]?["why"]?["sentence"] == "An operator cancelled it.")
            #expect(try await service.ask(.post, path + "/cancel").status == 200)
            let retried = try await service.ask(.post, path + "/retry")
            #expect(retried["data"]?["status"] == "pending")
            #expect(try await service.ask(.post, path + "/retry")["data"]?["status"] == "pending")
            #expect(try await service.ask(.post, path + "/cancel", ["why": "x"]).field == "why")
            let audit = try await service.ask(.get, Self.path + "/audit?target=\(id)")
            let actions = audit["data"]?.array?.compactMap { $0["action"]?.string } ?? []
            #expect(actions.sorted() == ["jobs.cancel", "jobs.retry"], "a request that changes nothing has no entry")
            #expect(audit["data"]?.array?.contains { $0["details"] == ["note": "by request"] } == true)
            let gone = JobID(high: 1, low: 1)
            #expect(try await service.ask(.post, Self.path + "/jobs/\(gone)/cancel").status == 404)
            #expect(try await service.ask(.get, Self.path + "/audit?target=\(gone)")["data"] == [])
        }
    }

    @Test func theOverviewTellsWhatNeedsAnOperator() async throws {
        try await TestService.with { service in
            _ = try await service.submit()
            let overview = try await service.ask(.get, Self.path + "/overview")
            #expect(overview["data"]?["queues"]?["background"]?["ready"] == 1)
            #expect(overview["data"]?["workers"]?["alive"] == 0)
            #expect(overview["data"]?["held_credits"] == 1)
            #expect(overview["data"]?["alerts"]?.array?.map { $0["code"]?.string } == ["no_worker"])
            try await worker(service)
            let later = try await service.ask(.get, Self.path + "/overview")
            #expect(later["data"]?["workers"] == ["alive": 1, "draining": 0, "places": 2, "busy": 0])
            #expect(later["data"]?["alerts"] == [])
        }
    }

    @Test(arguments: [(22, 0, true), (5, 5, true), (5, 6, false), (4, 0, false)])
    func manyFailuresAreAnAlert(failed: Int64, completed: Int64, isAlert: Bool) {
        var ended = EndedJobs.Sums()
        ended.add(EndedJobs(interval: 1, status: .failed, code: "EXT_4005", count: failed))
        ended.add(EndedJobs(interval: 1, status: .completed, code: "", count: completed))
        let sentence =
            "\(failed) of \(failed + completed) jobs failed in the last ten minutes, \(failed) with EXT_4005."
        #expect(FleetAlert.ofFailures(ended)?.sentence == (isAlert ? sentence : nil))
    }

    @Test func theOverviewTellsWhyTheLatestReloadWasRefused() async throws {
        try await TestService.with { service in
            let path = Self.path + "/overview"
            #expect(try await service.ask(.get, path)["data"]?["refused_reload"] == .null)
            let problems = ["jobs/research.yaml:3: unknown key 'titel'", "jobs/research.yaml: 'title' is missing"]
            service.broker.bundle.refuse(RefusedReload(at: Timestamp(milliseconds: 0), problems: problems))
            let refused = try await service.ask(.get, path)["data"]
            #expect(refused?["refused_reload"]?["at"] == "1970-01-01T00:00:00.000Z")
            #expect(refused?["refused_reload"]?["problems"]?.array?.map(\.string) == problems)
            let alert = refused?["alerts"]?.array?.first { $0["code"] == "reload_refused" }
            #expect(alert?["sentence"]?.string?.contains(problems[0]) == true)
            try await service.broker.bundle.replace(with: SampleBundle.bundle())
            let taken = try await service.ask(.get, path)["data"]
            #expect(taken?["refused_reload"] == .null && taken?["alerts"] == [])
        }
    }

    @Test func usersAreFoundReadAndSignedOut() async throws {
        try await TestService.with { service in
            _ = try await service.submit()
            let users = try await service.ask(.get, Self.path + "/users?q=1")
            #expect(users["data"]?.array?.map { $0["subject"]?.string } == ["1"])
            let user = try await service.ask(.get, Self.path + "/users/1")
            #expect(user["data"]?["unfinished_jobs"] == 1 && user["data"]?["credits"]?["held"] == 1)
            #expect(user["data"]?["plan"]?["id"]?.string != nil && user["data"]?["stored_bytes"]?.integer != nil)
            let ledger = try await service.ask(.get, Self.path + "/users/1/ledger")
            #expect(ledger["data"]?.array?.map { $0["type"]?.string } == ["hold", "grant"])
            let out = try await service.ask(.post, Self.path + "/users/1/sign-out", ["note": "stolen phone"])
            #expect(out["data"] == ["sessions_ended": 0])
            let audit = try await service.ask(.get, Self.path + "/audit?action=users.sign_out")
            #expect(audit["data"]?[0]?["details"] == ["note": "stolen phone"])
            for path in ["/users/2", "/users/x", "/users/2/ledger"] {
                #expect(try await service.ask(.get, Self.path + path).status == 404, "\(path)")
            }
        }
    }

    @Test func costsAreSummedByGroupAndTime() async throws {
        try await TestService.with { service in
            _ = try await service.submit()
            let lease = try await claim(service)
            let call = ModelCall(
                id: "\(lease.job)/1/draft/0", provider: "claude", model: "sonnet", inputTokens: 10, outputTokens: 5,
                cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: 70)
            try await service.store.settle([call], of: lease)
            let costs = try await service.ask(.get, Self.path + "/costs?by=user")
            #expect(costs["data"]?.array?.map { $0["group"]?.string } == ["1"])
            #expect(costs["data"]?[0]?["cost_micro_dollars"] == 70)
            for (by, group) in [
                ("plan", "standard"), ("bundle", try #require(try await service.bundle())), ("kind", "research"),
            ] {
                let costs = try await service.ask(.get, Self.path + "/costs?by=\(by)")
                #expect(costs["data"]?.array?.map { $0["group"]?.string } == [group], "\(by)")
                #expect(costs["data"]?[0]?["cost_micro_dollars"] == 70 && costs["data"]?[0]?["simulated"] == 0)
            }
            #expect(try await service.ask(.get, Self.path + "/costs?to=2020-01-01T00:00:00Z")["data"] == [])
            #expect(try await service.ask(.get, Self.path + "/costs?by=moon").field == "by")
        }
    }

    @Test func aBarredUserIsRefusedUntilTheBarEnds() async throws {
        try await TestService.with { service in
            let user: HTTPHeaders = ["X-User-ID": "mallory"]
            let job = try await service.submit(user: "mallory")
            let account = try #require(try await service.store.knownAccount(of: "mallory"))
            let path = Self.path + "/users/\(account.id.rawValue)"
            for _ in 0..<2 {
                let barred = try await service.ask(.put, path + "/bar", ["barred": true, "note": "spam"])
                #expect(barred.status == 200 && barred["data"]?["barred"] == true)
            }
            let refused = try await service.ask(.get, "/api/v1/jobs", headers: user)
            #expect(refused.status == 403 && refused.code == "AUTH_1006")
            #expect(refused["error"]?["details"]?["reason"] == "barred")
            #expect(try await service.ask(.get, path)["data"]?["barred"] == true)
            #expect(try await service.ask(.get, "/api/v1/jobs").status == 200, "another user")
            #expect(try await service.store.job(job, of: nil)?.status == .pending, "the jobs go on")
            #expect(try await service.ask(.put, path + "/bar", ["barred": "yes"]).field == "barred")
            #expect(try await service.ask(.put, Self.path + "/users/99/bar", ["barred": true]).status == 404)
            _ = try await service.ask(.put, path + "/bar", ["barred": false])
            #expect(try await service.ask(.get, "/api/v1/jobs", headers: user).status == 200)
            let audit = try await service.ask(.get, Self.path + "/audit?action=users.bar")["data"]?.array ?? []
            #expect(audit.map { $0["details"] } == [["barred": false], ["barred": true, "note": "spam"]])
        }
    }

    @Test func aBarOfAnotherProcessHoldsHereWithinTwoSeconds() async throws {
        try await TestService.with { service in
            let user: HTTPHeaders = ["X-User-ID": "mallory"]
            _ = try await service.submit(user: "mallory")
            let account = try #require(try await service.store.knownAccount(of: "mallory"))
            let entry = AuditEntry(
                id: JobID(high: 7, low: 7), at: Timestamp(milliseconds: 0),
                actor: AuditActor(.cli, id: "root", name: "root"), action: "users.bar", target: "mallory")
            try await service.store.setBar(true, of: account.id, audit: entry)
            let isRefused = try await eventually {
                try await service.ask(.get, "/api/v1/jobs", headers: user).code == "AUTH_1006"
            }
            #expect(isRefused)
        }
    }

    @Test func bundlesAreListedReadAndCompared() async throws {
        try await TestService.with { service in
            let list = try await service.ask(.get, Self.path + "/bundles")
            let hash = try #require(list["data"]?[0]?["hash"]?.string)
            #expect(list["data"]?.array?.count == 1 && list["data"]?[0]?["current"] == true)
            _ = try await service.submit()
            #expect(try await service.ask(.get, Self.path + "/bundles")["data"]?[0]?["jobs"] == 1)
            let files = try await service.ask(.get, Self.path + "/bundles/\(hash)")["data"]?["files"]?.array ?? []
            let path = try #require(files.compactMap { $0["path"]?.string }.first { $0.hasPrefix("prompts/") })
            let archive = try #require(try await service.store.archive(ofBundle: hash))
            var members = try #require(try JSON(parsing: archive).object)
            let text = try #require(members[path]?.string)
            for path in [path, path.split(separator: "/").joined(separator: "%2F")] {
                let shown = try await service.client.send(
                    HTTPRequest(.get, service.url + Self.path + "/bundles/\(hash)/files/\(path)"))
                #expect(shown.status == 200 && shown.text == text)
            }
            members[path] = JSON("a first line\n" + text)
            members["prompts/new.prompt"] = "new"
            try await service.store.store(bundle: "other", archive: JSON.object(members).canonical)
            let diff = try await service.ask(.get, Self.path + "/bundles/other/diff?with=\(hash)")
            let changes = diff["data"]?.array ?? []
            #expect(Set(changes.compactMap { $0["change"]?.string }) == ["added", "changed"] && changes.count == 2)
            let changed = try #require(changes.first { $0["path"]?.string == path }?["diff"]?.string)
            #expect(changed.contains("\n+a first line\n") && !changed.contains("\n-"))
            #expect(try await service.ask(.get, Self.path + "/bundles/\(hash)/diff").field == "with")
            for missing in ["/bundles/none", "/bundles/\(hash)/files/none", "/bundles/\(hash)/diff?with=none"] {
                #expect(try await service.ask(.get, Self.path + missing).status == 404, "\(missing)")
            }
        }
    }

    @Test func theOverviewNamesProvidersThatTakeNoCalls() async throws {
        let limits = BudgetLimits(requestsPerMinute: 60)
        try await TestService.with {
            $0.budgets = [
                MonitoredBudget(name: "claude/sonnet", provider: "claude", models: ["sonnet"], limits: limits),
                MonitoredBudget(name: "gemini/flash", provider: "gemini", models: ["flash"], limits: limits),
                MonitoredBudget(name: "openai/m", provider: "openai", models: ["m"], limits: limits),
            ]
        } _: { service in
            var (opened, refused) = (
                BudgetRequest(budget: "claude/sonnet", limits: limits),
                BudgetRequest(budget: "gemini/flash", limits: limits)
            )
            opened.breakers = [BreakerReport(.provider, .opened)]
            refused.reports = [.refused(after: .seconds(40), LimitReading())]
            _ = try await service.store.exchange([opened, refused])
            let alerts = try await service.ask(.get, Self.path + "/overview")["data"]?["alerts"]?.array ?? []
            let codes = alerts.compactMap { $0["code"]?.string }
            #expect(codes.contains("breaker_open") && codes.contains("provider_blocked"), "\(alerts)")
            let sentences = alerts.compactMap { $0["sentence"]?.string }.joined(separator: " ")
            #expect(sentences.contains("claude") && sentences.contains("No calls are taken by gemini until"))
            #expect(!sentences.contains("openai"))
        }
    }

    @Test func providersAreShownWithTheirCallsAndCosts() async throws {
        try await TestService.with { service in
            _ = try await service.submit()
            let lease = try await claim(service)
            let call = { (state: ModelCall.State) in
                ModelCall(
                    id: "\(lease.job)/1/draft/\(state.rawValue)", provider: "claude", model: "sonnet", state: state,
                    inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: 70)
            }
            try await service.store.settle([call(.ok), call(.failed), call(.cancelled)], of: lease)
            _ = try await service.store.begin(call(.running), under: lease, limits: SpendLimits())
            let answer = try await service.ask(.get, Self.path + "/providers")
            let claude = try #require(answer["data"]?.array?.first { $0["name"] == "claude" })
            #expect(claude["configured"] == true && claude["in_flight"] == 1)
            #expect(claude["hour"]?["ok"] == 1 && claude["hour"]?["failed"] == 1)
            #expect(claude["today_micro_dollars"] == 210 && claude["breaker"]?["state"] == "closed")
        }
    }
}

extension TestService {
    /// The hash of its bundle.
    fileprivate func bundle() async throws -> String? {
        try await ask(.get, "/api/v1/admin/bundles")["data"]?[0]?["hash"]?.string
    }
}
