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

    static let submit = Command(
        path: ["submit"], summary: "Submit a job of any kind and print its result",
        arguments: [Argument(name: "KIND", help: "A kind of job, from jobs/*.yaml")],
        options: [
            Option("--input", "JSON", "The input of the job, as a JSON object"),
            Option("--within", "TIME", "The time within which the result is needed, 1h to 24h: at half the price"),
            Option("--no-wait", nil, "Print the job without waiting for its end"), .server, .user, .json,
        ]
    ) { invocation in
        let text = invocation.options["--input"] ?? "{}"
        let input: JSON
        do {
            input = try JSON(parsing: text)
        } catch {
            throw CommandFailure.usage("--input is not JSON: \(error)")
        }
        guard input.object != nil else { throw CommandFailure.usage("--input must be a JSON object") }
        try await submitAndWatch(
            invocation, kind: try invocation.argument("KIND"), input: input,
            within: try invocation.options["--within"].map(seconds))
    }

    /// Reads `6h`, `90min` or `5400s`.
    private static func seconds(_ text: String) throws -> Int {
        let units = [("min", 60), ("h", 3600), ("m", 60), ("s", 1)]
        guard let (unit, length) = units.first(where: { text.hasSuffix($0.0) }),
            let count = Int(text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)),
            (1...100_000).contains(count)
        else { throw CommandFailure.usage("--within is a number and a unit, such as 6h or 90min") }
        return count * length
    }

    private static func submitAndWatch(
        _ invocation: Invocation, kind: String, input: JSON, within: Int? = nil
    ) async throws {
        try await BrokerConnection.with(invocation) { client in
            let job = try await client.jobs.submit(kind: kind, input: input, within: within)
            if invocation.has("--no-wait") {
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : job.id.rawValue)
                return
            }
            if !invocation.has("--json") { Terminal.print("Job \(job.id)") }
            try await JobWatch(client: client, isQuiet: invocation.has("--json")).follow(job.id)
            let result = try await client.rawResult(of: job.id)
            Terminal.print(
                invocation.has("--json") || kind != "research" ? result.pretty : ReportPrinter(result).text)
        }
    }
}

extension Command {
    private static let id = Argument(name: "ID", help: "The id of the job")
    private static let common: [Option] = [.server, .user, .json]

    static let jobs: [Command] = [
        Command(
            path: ["jobs", "list"], summary: "List jobs, newest first",
            options: [
                Option("--status", "STATUS", "Only pending, processing, completed, failed or cancelled"),
                Option("--kind", "KIND", "Only jobs of this kind"), Option("--page", "N", "The page, from 1"),
            ] + common
        ) { invocation in
            let page = try invocation.integer("--page", in: 1...1_000_000, default: 1)
            if let status = invocation.options["--status"], JobStatus(rawValue: status) == nil {
                let known = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.usage("--status must be one of \(known), not '\(status)'")
            }
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
        Command(path: ["jobs", "show"], summary: "Show a job", arguments: [id], options: common) { invocation in
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
                try await JobWatch(client: client, isQuiet: invocation.has("--json")).follow(.init(rawValue: id))
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
