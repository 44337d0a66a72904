import DossierAPI
import BrokerClient
import Foundation
import Glibc
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct OperatorCommandTests {
        @Test(.timeLimit(.minutes(10)))
        func jobsAreListedShownCancelledAndRetried() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let at = ["--server", fleet.url, "--user", "7"]
                func run(_ words: String...) async throws -> Fleet.CommandResult { try await fleet.run(words + at) }
                #expect(try await run("jobs", "list").output == "no jobs")
                let input = #"{"ticker":"AAPL","persona":"graham"}"#
                let submitted = try await run("submit", "research", "--input", input, "--no-wait")
                let id = submitted.output
                #expect(submitted.exit == .code(0))
                let list = try await run("jobs", "list", "--json")
                #expect(try list.records().map { $0["id"]?.string } == [id])
                #expect(try await run("jobs", "list", "--status", "completed").output == "no jobs")
                #expect(try await run("jobs", "show", id).output.contains("pending"))
                let cancelled = try await run("jobs", "cancel", id, "--json")
                #expect(try cancelled.records().first?["status"] == "cancelled")
                let retried = try await run("jobs", "retry", id, "--json")
                #expect(try retried.records().first?["status"] == "pending")
                _ = try await fleet.startWorker()
                let watched = try await run("jobs", "watch", id)
                #expect(watched.exit == .code(0) && watched.output.contains("Done"), "\(watched)")
                let shown = try await run("jobs", "show", id, "--json")
                #expect(try shown.records().first?["status"] == "completed")
                // Another user's job and an unknown one are a failure in one line.
                for words in [["jobs", "show", id, "--server", fleet.url, "--user", "8"], ["jobs", "show", "x"] + at] {
                    let missing = try await fleet.run(words)
                    #expect(missing.exit == .code(1) && !missing.errors.contains("\n"), "\(missing)")
                }
                let report = try await run("research", "AAPL")
                #expect(report.exit == .code(0) && report.output.contains("416,161"), "\(report)")
                let json = try await run("research", "AAPL", "--persona", "munger", "--json")
                #expect(try JSON(parsing: json.output)["report"]?["persona"]?["id"] == "munger")
                let failed = try await run("research", "ZZZZ")
                #expect(failed.exit == .code(1) && failed.errors.contains("BIZ_2004"), "\(failed)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aClientCommandWithoutABrokerSaysSo() async throws {
            try await Fleet.with { fleet in
                for words in [["jobs", "list"], ["research", "AAPL"], ["submit", "research"]] {
                    let result = try await fleet.run(words + ["--server", "http://127.0.0.1:1"])
                    #expect(result.exit == .code(1) && result.errors.contains("broker"), "\(result)")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func creditsAreShownGrantedTakenAndAudited() async throws {
            try await Fleet.with { fleet in
                func balance(_ words: String...) async throws -> JSON? {
                    try await fleet.run(["credits"] + words + ["--json"]).records().first
                }
                // A command that reads or changes rows makes no tables.
                let early = try await fleet.run("credits", "show", "5")
                #expect(early.exit == .code(1) && early.errors.contains("run 'dossier migrate'"), "\(early)")
                _ = try await fleet.run("migrate")
                #expect(
                    try await balance("show", "5") == ["granted": 10, "remaining": 10, "held": 0, "used": 0])
                #expect(try await balance("grant", "5", "7", "--note", "for a test")?["remaining"] == 17)
                #expect(try await balance("grant", "5", "-16")?["remaining"] == 1)
                let tooMuch = try await fleet.run("credits", "grant", "5", "-2")
                #expect(tooMuch.exit == .code(1))
                #expect(try await balance("show", "5")?["remaining"] == 1)
                try await fleet.startBroker()
                _ = try await fleet.submit(user: 5)
                #expect(try await fleet.send(.post, "/api/v1/jobs", user: 5, body: Self.request).code == "BIZ_2001")
                #expect(try await balance("show", "5") == ["granted": 1, "remaining": 0, "held": 1, "used": 0])
                try await fleet.expectCleanAudit()
                // The audit can fail: a balance changed by hand.
                try await fleet.change("UPDATE balance SET granted = granted + 3 WHERE user = 5")
                let audit = try await fleet.run("credits", "audit")
                #expect(audit.exit == .code(1) && audit.output.contains("user 5"), "\(audit)")
                let json = try await fleet.run("credits", "audit", "--json")
                #expect(json.exit == .code(1))
                #expect(try JSON(parsing: json.output)[0]?["user"] == 5)
                #expect(try await fleet.run("doctor").exit == .code(1))
            }
        }

        private static let request: JSON = ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]]

        @Test(.timeLimit(.minutes(10)))
        func costsFollowTheProvidersUsageAndItsPrices() async throws {
            try await Fleet.with { fleet in
                fleet.fail(.inventedFigure, user: 2, times: 1)
                fleet.fail(.refusal, user: 3)
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for user in 1...3 { _ = try await fleet.end(of: try await fleet.submit(user: user).id, user: user) }
                let asked = fleet.calls(of: 1) + fleet.calls(of: 2) + fleet.calls(of: 3)
                #expect(asked.count == 4)
                // The simulator answers equal requests equally, so a repetition returns the same usage.
                fleet.simulator.clear()
                fleet.simulator.faults.clear()
                fleet.fail(.inventedFigure, user: 2, times: 1)
                fleet.fail(.refusal, user: 3)
                var counted = Usage()
                for call in asked { counted.add(try await fleet.usage(of: call)) }
                for grouping in ["day", "kind", "model", "user", "prompt"] {
                    let lines = try await fleet.run("costs", "--by", grouping, "--json").records()
                    #expect(Set(lines.map { $0["group"]?.string }).count == lines.count)
                    func sum(_ name: String) -> Int64 { lines.reduce(0) { $0 + ($1[name]?.integer ?? 0) } }
                    #expect(sum("calls") == 4, "by \(grouping)")
                    #expect(sum("input_tokens") == counted.input, "by \(grouping)")
                    #expect(sum("output_tokens") == counted.output, "by \(grouping)")
                    #expect(sum("micro_dollars") == counted.microDollars, "by \(grouping)")
                    #expect(sum("cost_micro_dollars") == counted.microDollars, "by \(grouping)")
                    #expect(lines.allSatisfy { $0["saved_micro_dollars"] == nil })
                }
                let saved = try await fleet.run("costs", "--saved", "--by", "prompt", "--json").records()
                for line in saved {
                    #expect(line["saved_micro_dollars"] == line["saved_by_cache"] && line["saved_by_batch"] == 0)
                    #expect(
                        line["of_unread_marks"]?.integer != nil && line["group"]?.string?.isEmpty == false, "\(line)")
                }
                let list = counted.input * 2 + counted.output * 10
                let difference = saved.reduce(0) { $0 + ($1["saved_micro_dollars"]?.integer ?? 0) }
                #expect(abs(list - counted.microDollars - difference) <= 8, "against the list price")
                let doctor = try await fleet.run("doctor", "--json").records()
                let subjects = doctor.compactMap { $0["subject"]?.string }
                #expect(subjects.contains { $0.hasPrefix("budget claude/") })
                let model = doctor.first { $0["subject"] == "model claude-sonnet-5-5" }?["detail"]?.string ?? ""
                #expect(model.hasPrefix("answers; the first byte: ") && model.contains("median"), "\(model)")
                #expect(subjects.contains("batches") && subjects.contains { $0.hasPrefix("cache of ") })
                let models = try await fleet.run("costs", "--by", "model", "--json").records()
                #expect(models.map { $0["group"]?.string } == ["claude/claude-sonnet-5-5"])
                let users = try await fleet.run("costs", "--by", "user", "--json").records()
                #expect(Set(users.map { $0["group"]?.string }) == ["1", "2", "3"], "a refusal was billed, too")
                let named = BrokerClient(baseURL: fleet.url, user: "8f0c2b6e", transport: fleet.transport)
                var job = try await named.submit(kind: "research", input: Fleet.input)
                while !job.isFinished { job = try await named.job(job.id, wait: 60) }
                let names = try await fleet.run("costs", "--saved", "--by", "user", "--json").records()
                #expect(Set(names.map { $0["group"]?.string }) == ["1", "2", "3", "8f0c2b6e"], "as apps name them")
                #expect(try await fleet.run("costs").output.contains("total"))
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func contentIsListedCheckedAndRendered() async throws {
            try await Fleet.with { fleet in
                let list = try await fleet.run("prompts", "list", "--json").records().first
                #expect(list?["kinds"]?.array?.contains("research") == true)
                #expect(list?["personas"]?.array?.contains("buffett") == true)
                #expect(try await fleet.run("prompts", "list").exit == .code(0))
                #expect(try await fleet.run("prompts", "lint").exit == .code(0))
                let missing = try await fleet.run("prompts", "render", "nothing")
                #expect(missing.exit == .code(1) && missing.errors.contains("research-repair"))
                // Rendering needs the inputs of the prompt's schema, and says so.
                let empty = try await fleet.run("prompts", "render", "research")
                #expect(empty.exit == .code(1) && !empty.errors.isEmpty, "\(empty)")
                let broken = try fleet.copyContent { _ in "kind: research\nagent: [" }
                let lint = try await fleet.run("prompts", "lint", variables: ["DOSSIER_HOME": broken])
                #expect(lint.exit == .code(1) && lint.output.contains("jobs/research.yaml:"), "\(lint)")
                let serve = try await fleet.run(
                    "serve", "--listen", "127.0.0.1:0", variables: ["DOSSIER_HOME": broken])
                #expect(serve.exit == .code(1) && serve.errors.contains("jobs/research.yaml"), "\(serve)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aDatabaseIsMadeOnceAndTheDoctorChecksEverything() async throws {
            try await Fleet.with { fleet in
                let first = try await fleet.run("migrate", "--json").records()
                #expect(!first.isEmpty && first.allSatisfy { $0["version"]?.integer != nil })
                #expect(try await fleet.run("migrate", "--json").records() == first, "a migration ran twice")
                #expect(try await fleet.run("migrate").output.contains("up to date"))
                let doctor = try await fleet.run("doctor", "--json")
                let findings = try doctor.records()
                #expect(doctor.exit == .code(0) && findings.allSatisfy { $0["ok"] == true }, "\(doctor)")
                let ill = try await fleet.run(
                    "doctor", variables: ["ANTHROPIC_API_KEY": nil, "ANTHROPIC_BASE_URL": nil, "SEC_USER_AGENT": nil])
                #expect(ill.exit == .code(1) && ill.output.contains("FAIL model providers"), "\(ill)")
                #expect(ill.output.contains("FAIL SEC EDGAR"))
                try "no database".write(toFile: fleet.folder + "/text.db", atomically: true, encoding: .utf8)
                let wrong = try await fleet.run("migrate", "--database", "sqlite:\(fleet.folder)/text.db")
                #expect(wrong.exit == .code(1) && wrong.errors.contains("text.db"), "\(wrong)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anAddressInUseIsAFailureThatNamesIt() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let address = String(fleet.url.dropFirst("http://".count))
                let second = try await fleet.run("serve", "--listen", address)
                #expect(second.exit == .code(1) && second.errors.contains(address), "\(second)")
                #expect(try await fleet.send(.get, "/health").status == 200)
            }
        }
    }
}

extension SystemTests.Surface {
    @Suite(.serialized) struct MigrateTests {
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func tenProcessesThatMigrateAtOnceMakeOneSchema(on engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                let migrating = try (0..<10).map { _ in try fleet.start(["migrate"]) }
                for process in migrating {
                    #expect(try await process.ended() == .code(0), "\(process.errors.text)")
                }
                let twice = "SELECT count(*) - count(DISTINCT version) FROM migration"
                #expect(try await fleet.query(twice) == ["0"])
                #expect(try await fleet.query("SELECT min(version) FROM migration") == ["1"])
                // The schema is complete: a command that needs most of it works. The tests' server saves the time of
                // writing to the disk, which the doctor reports.
                let ill = try await fleet.run("doctor", "--json").records().filter { $0["ok"] != true }
                let expected = engine == .sqlite ? [] : ["database fsync", "database full_page_writes"]
                #expect(ill.compactMap { $0["subject"]?.string }.sorted() == expected)
                try await fleet.expectCleanAudit()
            }
        }
    }
}

extension SystemTests.Surface {
    @Suite(.serialized) struct ReloadTests {
        @Test(.timeLimit(.minutes(10)))
        func changedContentAppliesToLaterJobsAndBrokenContentToNone() async throws {
            try await Fleet.with { fleet in
                let home = try fleet.copyContent { $0.replacing("estimate: 30 s", with: "estimate: 31 s") }
                let broker = try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                let old = try await fleet.submit().id
                try fleet.changeKind(in: home) { $0.replacing("credits: 1", with: "credits: 2") }
                broker.signal(SIGHUP)
                _ = try await broker.errors.record("reloaded the content files")
                let new = try await fleet.submit().id
                try await fleet.expectBalance(used: 0, held: 3)
                try fleet.changeKind(in: home) { $0 + "nonsense: [" }
                broker.signal(SIGHUP)
                let refusal = try await broker.errors.record("cannot reload the content files; keeping the old ones")
                #expect(refusal["reason"]?.string?.contains("jobs/research.yaml") == true)
                let overview = try await fleet.send(.get, "/api/v1/admin/overview").data
                let problem = overview["refused_reload"]?["problems"]?.array?.first?.string
                #expect(problem?.hasPrefix("jobs/research.yaml:") == true, "\(problem ?? "none")")
                let later = try await fleet.submit().id
                // The worker sees the broken files, too; each job runs with the content of its submit.
                _ = try await fleet.startWorker(variables: ["DOSSIER_HOME": home])
                var bundles: [String?] = []
                for id in [old, new, later] {
                    #expect(try await fleet.end(of: id).status == "completed")
                    bundles.append(try await fleet.result(of: id)["provenance"]?["bundle"]?.string)
                }
                #expect(bundles[0] != bundles[1] && bundles[1] == bundles[2])
                try await fleet.expectBalance(used: 5)
                try await fleet.expectCleanAudit()
            }
        }
    }
}
