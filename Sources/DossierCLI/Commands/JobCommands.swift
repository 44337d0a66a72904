import Broker
import DossierClient
import Foundation
import JobQueue
import JSON

extension Command {
    static let research = Command(
        path: ["research"], summary: "Request a report on a company and print it",
        arguments: [Argument(name: "TICKER", help: "The company's ticker: AAPL, BRK-B")],
        options: [Option("--persona", "ID", "The persona of the report (default buffett)"), .server, .user, .json]
    ) { invocation in
        let ticker = try invocation.argument("TICKER")
        let persona = invocation.options["--persona"] ?? "buffett"
        try await submitAndWatch(
            invocation, kind: "research", input: ["ticker": JSON(ticker), "persona": JSON(persona)])
    }

    static let compare = Command(
        path: ["compare"], summary: "Compare companies as an investor reads them, or one as several investors do",
        arguments: [Argument(name: "TICKERS", help: "Two to four tickers, AAPL,MSFT, or one with several personas")],
        options: [
            Option("--persona", "IDS", "The persona, or two to six for one ticker: buffett,graham (default buffett)"),
            .server, .user, .json,
        ]
    ) { invocation in
        func list(_ text: String) -> JSON { JSON(text.split(separator: ",").map(String.init)) }
        let tickers = list(try invocation.argument("TICKERS"))
        let personas = list(invocation.options["--persona"] ?? "buffett")
        try await submitAndWatch(invocation, kind: "comparison", input: ["tickers": tickers, "personas": personas])
    }

    static let submit = Command(
        path: ["submit"], summary: "Submit a job of any kind and print its result",
        arguments: [Argument(name: "KIND", help: "A kind of job, from jobs/*.yaml")],
        options: [Option("--input", "JSON", "The input: a JSON object, @FILE, or - for standard input")]
            + SubmitOptions.flags
            + [Option("--no-wait", nil, "Print the job without waiting for its end"), .server, .user, .json]
    ) { invocation in
        try await submitAndWatch(
            invocation, kind: try invocation.argument("KIND"), input: try invocation.inputObject(),
            options: try SubmitOptions(invocation))
    }

    private static func submitAndWatch(
        _ invocation: Invocation, kind: String, input: JSON, options: SubmitOptions = SubmitOptions()
    ) async throws {
        try await BrokerConnection.with(invocation) { client in
            let job = try await client.jobs.submit(options.submission(kind: kind, input: input))
            if invocation.has("--no-wait") {
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : job.id.rawValue)
                return
            }
            if !invocation.has("--json") { Terminal.print("Job \(job.id)") }
            try await watch(job.id, with: client, for: invocation)
            let result = try await client.rawResult(of: job.id)
            switch kind {
            case _ where invocation.has("--json"): Terminal.print(result.pretty)
            case "research": Terminal.print(ReportPrinter(result).text)
            case "comparison": Terminal.print(ComparisonPrinter(result).text)
            default: Terminal.print(result.pretty)
            }
        }
    }

    /// Follows a job until it is completed, or until Ctrl-C, after which it goes on.
    fileprivate static func watch(
        _ id: DossierClient.Job.ID, with client: Dossier, for invocation: Invocation
    ) async throws {
        let watch = JobWatch(client: client, isQuiet: invocation.has("--json"))
        try await watch.follow(id, untilInterrupted: JobWatch.resumeHint(id, invocation))
    }
}

extension Command {
    private static let id = Argument(name: "ID", help: "The id of the job")
    private static let common: [Option] = [.server, .user, .json]

    static let jobs: [Command] = [
        Command(
            path: ["jobs", "list"], summary: "List jobs, newest first",
            options: [
                Option(
                    "--status", "STATUS", "Only pending, processing, completed, failed or cancelled",
                    choices: JobStatus.allCases.map(\.rawValue)),
                Option("--kind", "KIND", "Only jobs of this kind"), Option("--page", "N", "The page, from 1"),
                Option("--all", nil, "The newest jobs of all users, from the database, and why each does not move"),
                .database,
            ] + common
        ) { invocation in
            let page = try invocation.integer("--page", in: 1...1_000_000, default: 1)
            if let status = invocation.options["--status"], JobStatus(rawValue: status) == nil {
                let known = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.usage("--status must be one of \(known), not '\(status)'")
            }
            if invocation.has("--all") {
                for option in ["--page", "--user", "--server"] where invocation.has(option) {
                    throw CommandFailure.usage("--all takes no \(option); see 'admin jobs'")
                }
                let filter = try JobFilter { ["status", "kind"].contains($0) ? invocation.options["--" + $0] : nil }
                return try await printJobs(invocation, filter, limit: 50)
            }
            if invocation.has("--database") { throw CommandFailure.usage("--database goes with --all") }
            try await BrokerConnection.with(invocation) { client in
                let (jobs, pages) = try await client.jobs(
                    status: invocation.options["--status"], kind: invocation.options["--kind"], page: page)
                if invocation.has("--json") {
                    for job in jobs { Terminal.print(try JobPrinter.json(job)) }
                } else {
                    Terminal.print(JobPrinter.table(jobs))
                    if pages > 1 { Terminal.print("page \(page) of \(pages)") }
                }
            }
        },
        Command(
            path: ["jobs", "show"], summary: "Show a job", arguments: [id], options: common,
            notes:
                "'dossier admin job ID' shows everything that is known of it, 'dossier jobs why ID' what it waits for."
        ) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.jobs.job(.init(rawValue: id))
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(
            path: ["jobs", "watch"], summary: "Follow a job to its end", arguments: [id], options: common
        ) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                try await watch(.init(rawValue: id), with: client, for: invocation)
                let job = try await client.jobs.job(.init(rawValue: id))
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(path: ["jobs", "cancel"], summary: "Cancel a job", arguments: [id], options: common) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.jobs.cancel(.init(rawValue: id))
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(
            path: ["jobs", "retry"], summary: "Start a failed or cancelled job again", arguments: [id], options: common
        ) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.jobs.retry(.init(rawValue: id))
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
    ]
}
