import DossierAPI
import BrokerClient
import Foundation
import JSON
import JobQueue
import Simulator
import Testing

extension SystemTests.Surface {
    /// Limits shared by all processes of a fleet.
    @Suite(.serialized) struct FleetLimitTests {
        @Test(.timeLimit(.minutes(4)))
        func noMoreJobsRunThanTheLimitsAllowThoughWorkersAreKilled() async throws {
            let pacing = Pacing(firstByte: .milliseconds(300))
            try await Fleet.with(pacing: pacing) { fleet in
                let home = try fleet.copyContent { $0 + "concurrency: {fleet: 3, per_user: 2}\n" }
                let variables: Fleet.Variables = ["DOSSIER_HOME": home]
                try await fleet.startBroker(variables: variables)
                var jobs: [(id: String, user: Int)] = []
                for user in [1, 1, 1, 1, 2, 2, 2, 3] {
                    jobs.append((try await fleet.submit(user: user).id, user))
                }
                #expect(try await fleet.client(1).job(jobs[3].id).blockedBy?.reason == "limit")
                let shown = try await fleet.run("jobs", "show", jobs[3].id, "--server", fleet.url)
                #expect(shown.output.contains("a free slot of its kind"), "\(shown.output)")
                var workers: [ChildProcess] = []
                for _ in 0..<3 { workers.append(try await fleet.startWorker(variables: variables)) }
                // One of them dies with its jobs.
                try await eventually(within: .seconds(60), "a job runs") {
                    try await fleet.query("SELECT CAST(count(*) AS TEXT) FROM job WHERE status = 'processing'") != ["0"]
                }
                workers[0].signal(SIGKILL)
                let watch = Task {
                    var most = 0
                    var mostOfOne = 0
                    while !Task.isCancelled {
                        let counts = try await fleet.query(
                            "SELECT CAST(count(*) AS TEXT) FROM job WHERE status = 'processing' GROUP BY user")
                        most = max(most, counts.compactMap { Int($0) }.reduce(0, +))
                        mostOfOne = max(mostOfOne, counts.compactMap { Int($0) }.max() ?? 0)
                        try? await Task.sleep(for: .milliseconds(10))
                    }
                    return (most, mostOfOne)
                }
                for (id, user) in jobs { #expect(try await fleet.end(of: id, user: user).status == "completed") }
                watch.cancel()
                let (most, mostOfOne) = try await watch.value
                #expect(most <= 3 && mostOfOne <= 2, "\(most) at once, \(mostOfOne) of one user")
                let doctor = try await fleet.run(["doctor", "--json"], variables: variables)
                #expect(doctor.exit == .code(0), "\(doctor.output)")
                #expect(doctor.output.contains("database slots_wrong") && doctor.output.contains("\"value\":0"))
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func fourProcessesTogetherKeepToOneBudget() async throws {
            try await Fleet.with { fleet in
                let home = try fleet.copyContent { $0.replacing("credits: 1", with: "credits: 0") }
                try Self.setBudget(in: home, requestsPerMinute: 66)
                let variables: Fleet.Variables = ["DOSSIER_HOME": home]
                try await fleet.startBroker(variables: variables)
                for _ in 0..<4 { _ = try await fleet.startWorker(variables: variables) }
                var ids: [String] = []
                for _ in 0..<30 { ids.append(try await fleet.submit().id) }
                for id in ids {
                    let job = try await fleet.end(of: id)
                    #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                }
                let timestamps = fleet.calls().map(\.startedAt).sorted()
                #expect(timestamps.count == 30)
                // Four at once and then one each second, over all processes.
                #expect((timestamps.last ?? 0) - (timestamps.first ?? 0) > 20_000)
                for (place, timestamp) in timestamps.enumerated() {
                    // Ten seconds' worth, the bucket, and loans that were up to five seconds old.
                    let inWindow = timestamps[...place].count { $0 > timestamp - 10_000 }
                    #expect(inWindow <= 20, "\(inWindow) calls in 10 s")
                }
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func aRateLimitStopsAllProcessesAndCostsNoAttempt() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let first = try await fleet.startWorker()
                fleet.fail(.rateLimit(.perMinute, retryAfter: .seconds(15)), user: 1, times: 1)
                let refused = try await fleet.submit(user: 1).id
                try await fleet.state(of: refused, user: 1) { $0.error != nil || $0.isFinished }
                // Another process, which never met the provider.
                first.signal(SIGTERM)
                #expect(try await first.ended() == .code(0))
                _ = try await fleet.startWorker()
                let job = try await fleet.submit(user: 2).id
                let done = try await fleet.end(of: job, user: 2)
                #expect(done.status == "completed" && done.attempt == 1, "\(done)")
                #expect(try await fleet.end(of: refused, user: 1).status == "completed")
                let timestamps = fleet.simulator.calls(to: .claude).map(\.startedAt).sorted()
                #expect(timestamps.count == 3)
                #expect(
                    timestamps[1] - timestamps[0] >= 14_500, "the provider was asked while it wanted to be left alone")
            }
        }

        private static func setBudget(in home: String, requestsPerMinute: Int) throws {
            let file = home + "/models.yaml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let model = "  claude-sonnet-5-5:\n    provider: claude\n"
            try #require(text.contains(model))
            let changed =
                "budgets:\n  sonnet: {provider: claude, requests_per_minute: \(requestsPerMinute)}\n"
                + text.replacing(model, with: model + "    budget: sonnet\n")
            try changed.write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    @Suite(.serialized) struct ScheduledJobTests {
        @Test(.timeLimit(.minutes(4)))
        func schedulesRunOnceInTheFleetAndChangeByReload() async throws {
            try await Fleet.with { fleet in
                let home = try fleet.copyContent {
                    $0 + "schedule: {every: 2 s, input: {ticker: AAPL, persona: buffett}}\n"
                }
                let variables: Fleet.Variables = ["DOSSIER_HOME": home]
                let broker = try await fleet.startBroker(variables: variables)
                var workers: [ChildProcess] = []
                for _ in 0..<3 { workers.append(try await fleet.startWorker(variables: variables)) }
                let ofSystem =
                    "SELECT CAST(count(*) AS TEXT) FROM job_record WHERE user = -1 AND status = 'completed' AND bundle = "
                func completed(_ bundle: String) async throws -> Int {
                    try await fleet.query(ofSystem + "'\(bundle)'").first.flatMap { Int($0) } ?? 0
                }
                let first = try #require(try await fleet.query("SELECT hash FROM current_bundle").first)
                try await eventually(within: .seconds(60), "a scheduled run") { try await completed(first) >= 2 }
                // The process that enqueues the scheduled run is killed: the others go on.
                workers[0].signal(SIGKILL)
                let before = try await completed(first)
                try await eventually(within: .seconds(60), "the others fire") {
                    try await completed(first) >= before + 2
                }
                try fleet.changeKind(in: home) { $0.replacing("persona: buffett", with: "persona: munger") }
                broker.signal(SIGHUP)
                _ = try await broker.errors.record("reloaded the content files")
                let second = try #require(try await fleet.query("SELECT hash FROM current_bundle").first)
                #expect(second != first)
                try await eventually(within: .seconds(60), "a run of the new schedule") {
                    try await completed(second) >= 2
                }
                // No scheduled time has two jobs.
                let submitted = fleet.logs.flatMap { $0.split(separator: "\n") }
                    .filter { $0.contains("a schedule submitted its job") }
                    .compactMap { try? JSON(parsing: String($0)) }
                    .map { "\($0["schedule"]?.string ?? "") \($0["scheduled_at"]?.string ?? "")" }
                #expect(submitted.count >= 6 && Set(submitted).count == submitted.count)
                let listed = try await fleet.run(
                    "jobs", "list", "--user", "system", "--json", "--server", fleet.url)
                #expect(listed.exit == .code(0) && listed.output.contains("\"kind\":\"research\""), "\(listed)")
                try await fleet.expectCleanAudit()
            }
        }
    }
}
