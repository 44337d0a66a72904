import DossierAPI
import BrokerClient
import Foundation
import JSON
import Simulator
import TestSupport

/// Checks the database and the simulator's record of calls against the promises, after a chaos run.
struct ChaosAudit {
    private let run: ChaosRun

    init(of run: ChaosRun) { self.run = run }

    /// All that is wrong; empty when every promise was kept.
    func problems() async throws -> [String] {
        run.fleet.use(run.broker(0))
        var problems = run.ledger.problems
        problems += try await jobProblems()
        for (question, text) in Self.questions(on: run.fleet.database.engine) {
            let found = try await run.fleet.query(question)
            if found != ["0"] { problems.append("\(text): \(found.joined(separator: ", "))") }
        }
        let audit = try await run.fleet.run("credits", "audit")
        if audit.exit != .code(0) { problems.append("the audit found \(audit.output) \(audit.errors)") }
        return problems
    }

    /// Each is answered with 0.
    private static func questions(on engine: DatabaseEngine) -> [(String, String)] {
        let results =
            switch engine {
            case .sqlite:
                "(SELECT count(*) FROM (SELECT job FROM job_result UNION ALL SELECT job FROM finished_job) AS r "
                    + "WHERE r.job = j.number)"
            case .postgres: "CASE WHEN j.result IS NULL AND j.packed IS NULL THEN 0 ELSE 1 END"
            }
        let result =
            "SELECT count(*) FROM job AS j WHERE \(results) <> CASE j.status WHEN 'completed' THEN 1 ELSE 0 END"
        return commonQuestions(userColumn: user(on: engine)) + [(result, "jobs whose result does not fit their end")]
            + (engine == .postgres ? [("SELECT count(*) FROM serialized_job", "ended jobs in line")] : [])
    }

    private static func commonQuestions(userColumn: String) -> [(String, String)] {
        [
            ("SELECT count(*) FROM job WHERE completed_at IS NULL", "jobs that never ended"),
            (
                "SELECT count(*) FROM job AS j WHERE j.cost > 0 "
                    + "AND (SELECT count(*) FROM ledger AS l WHERE l.job = j.id AND l.kind = 'hold') <> "
                    + "(SELECT count(*) FROM ledger AS l WHERE l.job = j.id AND l.kind IN ('settle', 'release'))",
                "jobs with another number of ends of holds than of holds"
            ),
            (
                "SELECT count(*) FROM job AS j WHERE j.cost > 0 AND (SELECT count(*) FROM ledger AS l "
                    + "WHERE l.job = j.id AND l.kind = 'settle') <> CASE j.status WHEN 'completed' THEN 1 ELSE 0 END",
                "jobs paid for wrongly"
            ),
            (
                "SELECT count(*) FROM balance AS b WHERE b.held <> 0 OR b.granted <> "
                    + "(SELECT sum(l.amount) FROM ledger AS l WHERE l.kind = 'grant' "
                    + "AND l.\(userColumn) = b.\(userColumn)) OR b.used <> (SELECT "
                    + "coalesce(sum(l.amount), 0) FROM ledger AS l WHERE l.kind = 'settle' AND "
                    + "l.\(userColumn) = b.\(userColumn))", "balances that do not add up"
            ),
            ("SELECT count(*) FROM waiting", "ended jobs that wait for a slot"),
            ("SELECT count(*) FROM lease", "leases of ended jobs"),
            ("SELECT count(*) FROM ready", "ended jobs that can be claimed"),
            ("SELECT count(*) FROM scheduled", "ended jobs that wait for their time"),
            (
                "SELECT count(*) FROM (SELECT job, name, occurrence FROM step GROUP BY job, name, occurrence "
                    + "HAVING count(*) > 1) AS twice", "steps that are journalled twice"
            ),
        ]
    }

    // MARK: Job by job

    private func jobProblems() async throws -> [String] {
        let jobs = run.ledger.jobs
        var problems: [String] = []
        if jobs.count != run.plan.requests.count {
            problems.append("\(jobs.count) of \(run.plan.requests.count) answered")
        }
        if Set(jobs.map(\.id)).count != jobs.count { problems.append("two submits were answered with one job") }
        // The system's jobs are the shared ones, and the one that brought the story.
        let user = Self.user(on: run.fleet.database.engine)
        let stored = try await run.fleet.query("SELECT count(*) FROM job WHERE \(user) > 0").first ?? ""
        if stored != "\(jobs.count)" { problems.append("\(stored) jobs are stored for \(jobs.count) submits") }
        problems += try await retryProblems() + turnProblems()
        for (request, id) in jobs {
            let client = BrokerClient(
                baseURL: run.broker(request.user), user: String(request.user), transport: run.fleet.transport)
            let job = try await client.job(id)
            let mayBeCancelled = run.ledger.didCancel(request)
            // The client has looked at the reasons of failures.
            let hasFailed = job.status == "failed"
            if job.status != "completed", !(job.status == "cancelled" && mayBeCancelled), !hasFailed {
                problems.append("user \(request.user): \(job)")
            }
            if job.attempt > 1 + request.repeats {
                problems.append("user \(request.user): a death cost an attempt: \(job)")
            }
            if request.kind == "research" { problems += try await callProblems(request, job) }
        }
        return problems
    }

    /// Only a retry by a person gives a job a second hold.
    private func retryProblems() async throws -> [String] {
        let twice = Set(
            try await run.fleet.query(
                "SELECT \(Self.jobID(on: run.fleet.database.engine)) FROM ledger AS l JOIN job AS j ON j.id = l.job "
                    + "WHERE l.kind = 'hold' GROUP BY j.id HAVING count(*) > 1"))
        let retried = Set(
            run.ledger.jobs.filter { run.ledger.didRetry($0.request) }.map { $0.id.replacing("-", with: "") })
        return twice.subtracting(retried).map { "job \($0) was charged twice" }
    }

    /// A user with one job does not wait for all the jobs of a user who came with many.
    private func turnProblems() async throws -> [String] {
        // The server's clock tells the times of the starts.
        let isRight = !run.plan.events.contains { if case .setServerClock = $0.action { true } else { false } }
        guard isRight else { return [] }
        var starts: [String: Int64] = [:]
        let id = Self.jobID(on: run.fleet.database.engine)
        for line in try await run.fleet.query(
            "SELECT \(id) || '|' || started_at FROM job AS j WHERE started_at IS NOT NULL")
        {
            let words = line.split(separator: "|").map(String.init)
            starts[words[0]] = Int64(words[1])
        }
        let jobs = run.ledger.jobs.compactMap { request, id -> (request: ChaosRequest, start: Int64)? in
            starts[id.replacing("-", with: "")].map { (request, $0) }
        }
        let batch = jobs.filter { $0.request.user == ChaosRequest.batchUser }.map(\.start)
        return jobs.compactMap { request, start in
            guard request.user != ChaosRequest.batchUser, request.waitsItsTurn,
                let accepted = run.ledger.acceptance(of: request)
            else { return nil }
            // A claim that began before may still have taken a batch.
            let from = Int64(accepted.timeIntervalSince1970 * 1000) + 1000
            let overtaken = batch.count { $0 > from && $0 < start }
            return overtaken > Self.mayOvertake
                ? "user \(request.user) waited while \(overtaken) jobs of one other user were started" : nil
        }
    }

    /// Two by the contract, and the rest of a claim of each process that was in flight.
    private static let mayOvertake = 10

    /// No journalled result was requested again.
    private func callProblems(_ request: ChaosRequest, _ job: JobResource) async throws -> [String] {
        let calls = run.fleet.calls(of: request.user)
        guard let first = calls.first?.bodyHash else { return [] }
        var problems: [String] = []
        let drafts = calls.count { $0.bodyHash == first }
        let allowed = 1 + request.repeats + run.ledger.losses(of: "draft", ofJob: job.id)
        if drafts > allowed { problems.append("user \(request.user): \(drafts) drafts were asked for, not \(allowed)") }
        let repairs = calls.count - drafts
        let mayRepair = 1 + request.repeats + run.ledger.losses(of: "repair", ofJob: job.id)
        if repairs > mayRepair {
            problems.append("user \(request.user): \(repairs) repairs were asked for, not \(mayRepair)")
        }
        if Set(calls.map(\.bodyHash)).count > 2 {
            problems.append("user \(request.user): a job asked for different drafts")
        }
        guard job.status == "completed" else { return problems }
        let named =
            try await run.fleet.result(of: job.id, user: request.user)["provenance"]?["model_calls"]?.array ?? []
        let paid =
            try await run.fleet.query(
                "SELECT count(*) FROM model_call WHERE \(Self.user(on: run.fleet.database.engine)) = \(request.user) "
                    + "AND state = 'ok'"
            ).first.flatMap { Int($0) } ?? 0
        // Processes that were taken for dead book their answers, too.
        if paid < named.count {
            problems.append("user \(request.user): \(paid) calls were booked, \(named.count) are in the result")
        }
        return problems
    }

    // MARK: Statements

    /// A job's id without hyphens.
    static func jobID(on engine: DatabaseEngine) -> String {
        engine == .sqlite ? "lower(hex(j.id))" : "replace(j.id::text, '-', '')"
    }

    /// The name of a user's column.
    static func user(on engine: DatabaseEngine) -> String { engine == .sqlite ? "\"user\"" : "user_id" }

    static func unfinished(on engine: DatabaseEngine) -> String {
        "SELECT \(user(on: engine)) || ' ' || status || ' attempt ' || attempt FROM job WHERE completed_at IS NULL"
    }

    /// `id|draft,repair` for each job that a worker holds.
    static func journals(ofWorker id: String, on engine: DatabaseEngine) -> String {
        switch engine {
        case .sqlite: journalsOnSQLite(ofWorker: id)
        case .postgres:
            """
            SELECT
                j.id || '|'
                || coalesce((SELECT string_agg(s.name, ',') FROM step AS s WHERE s.job = j.number), '')
            FROM lease AS l
            JOIN worker AS w ON w.number = l.worker
            JOIN job AS j ON j.number = l.job
            WHERE w.id = '\(id)'
            """
        }
    }

    private static func journalsOnSQLite(ofWorker id: String) -> String {
        """
        SELECT
            lower(substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-' || substr(h, 13, 4) || '-' || substr(h, 17, 4) || '-'
                || substr(h, 21))
            || '|' || steps
        FROM (
            SELECT
                hex(j.id) AS h,
                coalesce((SELECT group_concat(s.name) FROM step AS s WHERE s.job = j.number), '') AS steps
            FROM lease AS l
            JOIN worker AS w ON w.number = l.worker
            JOIN job AS j ON j.number = l.job
            WHERE w.id = '\(id)'
        )
        """
    }
}
