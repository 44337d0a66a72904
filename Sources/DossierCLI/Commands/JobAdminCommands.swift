import Broker
import JobQueue
import JSON
import Observability

extension Command {
    private static let id = Argument(name: "ID", help: "The id of the job")
    private static let note = Option("--note", "TEXT", "The reason, for the audit")
    private static let filters: [Option] = [
        Option(
            "--status", "STATUSES", "Only pending, processing, completed, failed or cancelled, or several",
            choices: JobStatus.allCases.map(\.rawValue)),
        Option("--kind", "KIND", "Only jobs of this kind"),
        Option("--q", "WORDS", "Only jobs whose subject has words that begin so"),
        Option("--lane", "LANE", "Only interactive or background", choices: ["interactive", "background"]),
        Option("--subject", "SUBJECT", "Only jobs of this user"),
        Option("--code", "CODE", "Only jobs with this error"),
        Option("--why", "CODE", "Only jobs that do not move for this reason: queue, no_worker, provider_blocked …"),
        Option("--bundle", "HASH", "Only jobs of this bundle"),
        Option("--worker", "ID", "Only jobs that this worker runs"),
        Option("--created-from", "TIME", "Only jobs submitted at or after this time, such as 2026-12-31T00:00:00Z"),
        Option("--created-to", "TIME", "Only jobs submitted before this time"),
    ]

    /// Prints the newest jobs of all users that a filter lets through, and why each does not move.
    static func printJobs(_ invocation: Invocation, _ filter: JobFilter, limit: Int) async throws {
        var filter = filter
        try await withStore(invocation) { store, _ in
            if let subject = invocation.options["--subject"] {
                guard let account = try await store.knownAccount(of: subject) else {
                    throw CommandFailure.failed("there is no user \(subject)")
                }
                filter.user = account.id
            }
            let view = OperatorView(store, store)
            var (left, place): (Int, Int64?) = (limit, .max)
            while left > 0, let below = place {
                let page = try await view.jobs(filter, below: below, limit: min(left, 200))
                for row in page.rows {
                    Terminal.print(invocation.has("--json") ? row.compact : OperatorPrinter.line(row))
                }
                (left, place) = (left - page.rows.count, page.next)
            }
        }
    }

    static let why = Command(
        path: ["jobs", "why"], summary: "Say why a job of any user does not move, or what moves it",
        arguments: [id], options: [.database, .json],
        notes: "It reads the database. 'dossier admin job ID' shows the whole job."
    ) { invocation in
        let id = try jobID(invocation)
        try await withStore(invocation) { store, _ in
            guard let job = try await OperatorView(store, store).job(id, withContent: false) else {
                throw CommandFailure.failed("there is no job \(id)")
            }
            let sentence = job["why"]?["sentence"]?.string ?? "It has completed."
            Terminal.print(invocation.has("--json") ? (job["why"] ?? .null).compact : sentence)
        }
    }

    /// What operators see of jobs: the same as `/api/v1/admin` shows.
    static let jobAdmin: [Command] = [
        Command(
            path: ["admin", "overview"], summary: "Show queues, workers, ended jobs, money and alerts",
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, settings in
                let cap = try Composition(settings: settings, logger: .silent).loadPlans().service.spendPerDay
                let overview = try await OperatorView(store, store).overview(cap: cap == .max ? nil : cap)
                Terminal.print(invocation.has("--json") ? overview.compact : OperatorPrinter.overview(overview))
            }
        },
        Command(
            path: ["admin", "jobs"], summary: "List the jobs of all users, newest first, and why each does not move",
            options: filters + [
                Option("--limit", "N", "The number of jobs, up to 1000 (default 50)"), .database, .json,
            ]
        ) { invocation in
            let limit = try invocation.integer("--limit", in: 1...1000, default: 50)
            let filter: JobFilter
            do throws(JobFilterError) {
                filter = try JobFilter { invocation.options["--" + $0.replacing("_", with: "-")] }
            } catch {
                let option = "--" + error.field.replacing("_", with: "-")
                throw CommandFailure.usage("\(option) \(error.problem)")
            }
            try await printJobs(invocation, filter, limit: limit)
        },
        Command(
            path: ["admin", "job"], summary: "Show one job whole, and why it does not move", arguments: [id],
            options: [
                Option("--content", nil, "Show input, result and outputs of steps too; the audit records it"),
                .database, .json,
            ]
        ) { invocation in
            let id = try jobID(invocation)
            try await withStore(invocation) { store, _ in
                let withContent = invocation.has("--content")
                if withContent {
                    try await store.writeAudit(
                        .commandLine("jobs.read_content", at: try await store.now(), target: id.description))
                }
                guard let job = try await OperatorView(store, store).job(id, withContent: withContent) else {
                    throw CommandFailure.failed("there is no job \(id)")
                }
                Terminal.print(invocation.has("--json") ? job.compact : OperatorPrinter.job(job))
            }
        },
        Command(
            path: ["admin", "cancel"], summary: "Cancel a job of any user", arguments: [id],
            options: [note, .database, .json]
        ) { invocation in
            try await change(invocation, "jobs.cancel") { store, id, audit in
                _ = try await store.cancel(id, of: nil, by: .operator, audit: audit)
            }
        },
        Command(
            path: ["admin", "retry"], summary: "Retry a failed or cancelled job of any user", arguments: [id],
            options: [note, .database, .json]
        ) { invocation in
            try await change(invocation, "jobs.retry") { store, id, audit in
                let submission = try await store.retry(id, of: nil, audit: audit)
                if case .insufficientCredits(let balance, let required) = submission {
                    throw CommandFailure.failed(
                        "the user has \(balance.remaining) credits, and the job needs \(required)")
                }
            }
        },
        Command(
            path: ["admin", "providers"], summary: "Show the providers of models: limits, breakers, calls and costs",
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, settings in
                let (budgets, clocks) = Composition(settings: settings, logger: .silent).monitoredModels()
                let view = ProviderView(store, store, budgets: budgets, clocks: clocks)
                for provider in try await view.providers() {
                    Terminal.print(
                        invocation.has("--json") ? provider.compact : OperatorPrinter.provider(provider))
                }
            }
        },
        Command(
            path: ["admin", "audit"], summary: "List what operators, keys and commands have changed, newest first",
            options: [
                Option("--actor", "NAME", "Only what this operator, key or user of the command line did"),
                Option("--action", "ACTION", "Only this action, such as jobs.cancel"),
                Option("--target", "ID", "Only what was done to this"),
                Option("--limit", "N", "The number of entries, up to 1000 (default 100)"), .database, .json,
            ]
        ) { invocation in
            let limit = try invocation.integer("--limit", in: 1...1000, default: 100)
            let filter = AuditFilter(
                actor: invocation.options["--actor"], action: invocation.options["--action"],
                target: invocation.options["--target"])
            try await withStore(invocation) { store, _ in
                for entry in try await store.auditEntries(filter, after: nil, limit: limit) {
                    Terminal.print(invocation.has("--json") ? entry.json.compact : OperatorPrinter.audit(entry.json))
                }
            }
        },
    ]

    private static func jobID(_ invocation: Invocation) throws -> JobID {
        let text = try invocation.argument("ID")
        guard let id = JobID(text) else { throw CommandFailure.usage("'\(text)' is not the id of a job") }
        return id
    }

    /// Makes the change, which stores its entry of the audit.
    private static func change(
        _ invocation: Invocation, _ action: String, _ body: (any Store, JobID, AuditEntry) async throws -> Void
    ) async throws {
        let id = try jobID(invocation)
        try await withStore(invocation) { store, _ in
            let view = OperatorView(store, store)
            guard try await view.row(id) != nil else { throw CommandFailure.failed("there is no job \(id)") }
            let details: JSON = invocation.options["--note"].map { ["note": JSON($0)] } ?? [:]
            let entry = AuditEntry.commandLine(
                action, at: try await store.now(), target: id.description, details: details)
            try await body(store, id, entry)
            guard let row = try await view.row(id) else { throw CommandFailure.failed("there is no job \(id)") }
            Terminal.print(invocation.has("--json") ? row.compact : OperatorPrinter.line(row))
        }
    }
}
