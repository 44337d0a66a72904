import DossierAPI
import DossierClient
import JSON
import Simulator

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
            case .sqlite: "(SELECT count(*) FROM job_result AS r WHERE r.job = j.number)"
            case .postgres: "CASE WHEN j.result IS NULL THEN 0 ELSE 1 END"
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
                    + "AND (SELECT count(*) FROM ledger AS l WHERE l.job = j.id AND l.kind = 'hold') <> 1",
                "jobs with another number of holds than one"
            ),
            (
                "SELECT count(*) FROM job AS j WHERE j.cost > 0 AND (SELECT count(*) FROM ledger AS l "
                    + "WHERE l.job = j.id AND l.kind = 'settle') <> CASE j.status WHEN 'completed' THEN 1 ELSE 0 END",
                "jobs paid for wrongly"
            ),
            (
                "SELECT count(*) FROM job AS j WHERE j.cost > 0 AND (SELECT count(*) FROM ledger AS l "
                    + "WHERE l.job = j.id AND l.kind = 'release') <> CASE j.status WHEN 'completed' THEN 0 ELSE 1 END",
                "jobs whose credits came back wrongly"
            ),
            (
                "SELECT count(*) FROM balance AS b WHERE b.held <> 0 OR b.granted <> (SELECT sum(l.amount) FROM ledger AS l "
                    + "WHERE l.kind = 'grant' AND l.\(userColumn) = b.\(userColumn)) OR b.used <> (SELECT "
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
        let stored = try await run.fleet.query("SELECT count(*) FROM job").first ?? ""
        if stored != "\(jobs.count)" { problems.append("\(stored) jobs are stored for \(jobs.count) submits") }
        for (request, id) in jobs {
            let client = DossierClient(
                baseURL: run.broker(request.user), user: String(request.user), transport: run.fleet.transport)
            let job = try await client.job(id)
            let mayBeCancelled = run.ledger.didCancel(request)
            if job.status != "completed", !(job.status == "cancelled" && mayBeCancelled) {
                problems.append("user \(request.user): \(job)")
            }
            if job.attempt > 1 + request.repeats {
                problems.append("user \(request.user): a death cost an attempt: \(job)")
            }
            problems += try await callProblems(request, job)
        }
        return problems
    }

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
                "SELECT count(*) FROM model_call WHERE \(Self.user(on: run.fleet.database.engine)) = \(request.user)"
            ).first ?? ""
        if paid != "\(named.count)" {
            problems.append("user \(request.user): \(paid) calls were booked, \(named.count) stand in the result")
        }
        return problems
    }

    // MARK: Statements

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
