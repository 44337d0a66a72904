import DossierAPI
import DossierClient
import Foundation
import JSON
import JobQueue

extension Command {
    private static let id = Argument(name: "ID", help: "A job's id")
    private static let common: [Option] = [.server, .user, .json]

    static let jobs: [Command] = [
        Command(
            path: ["jobs", "list"], summary: "List jobs, newest first",
            options: [
                Option("--status", "STATUS", "pending, processing, completed, failed or cancelled"),
                Option("--kind", "KIND", "Only jobs of a kind"), Option("--page", "N", "From 1"),
            ] + common
        ) { invocation in
            let page = try invocation.integer("--page", in: 1...1_000_000, default: 1)
            if let status = invocation.options["--status"], JobStatus(rawValue: status) == nil {
                let known = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.usage("--status must be one of \(known), not '\(status)'")
            }
            try await BrokerConnection.with(invocation) { client in
                let (jobs, pagination) = try await client.jobs(
                    status: invocation.options["--status"], kind: invocation.options["--kind"], page: page)
                if invocation.has("--json") {
                    for job in jobs { Terminal.print(try JobPrinter.json(job)) }
                } else {
                    Terminal.print(JobPrinter.table(jobs))
                    if let pagination, pagination.totalPages > 1 {
                        Terminal.print("page \(pagination.page) of \(pagination.totalPages)")
                    }
                }
            }
        },
        Command(path: ["jobs", "show"], summary: "Show a job", arguments: [id], options: common) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.job(id)
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(
            path: ["jobs", "watch"], summary: "Follow a job to its end", arguments: [id], options: common
        ) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                try await JobWatch(client: client, isQuiet: invocation.has("--json")).follow(id)
                let job = try await client.job(id)
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(path: ["jobs", "cancel"], summary: "Cancel a job", arguments: [id], options: common) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.cancel(id)
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
        Command(
            path: ["jobs", "retry"], summary: "Start a failed or cancelled job again", arguments: [id], options: common
        ) { invocation in
            let id = try invocation.argument("ID")
            try await BrokerConnection.with(invocation) { client in
                let job = try await client.retry(id)
                Terminal.print(invocation.has("--json") ? try JobPrinter.json(job) : JobPrinter.text(job))
            }
        },
    ]
}

/// Follows a job on the terminal.
struct JobWatch {
    let client: DossierClient
    let isQuiet: Bool

    /// Returns when the job is completed.
    ///
    /// - Throws: `CommandFailure` when it failed or was cancelled.
    func follow(_ id: String) async throws {
        let line = ProgressLine()
        var last: JobResource?
        for try await job in client.updates(of: id) {
            if !isQuiet { line.show(job) }
            last = job
        }
        if !isQuiet { line.finish() }
        switch last?.status {
        case "completed": return
        case "failed":
            let error = last?.error
            throw CommandFailure.failed(
                "the job failed: \(error?.message ?? "no reason given") (\(error?.code.rawValue ?? "-"))")
        case "cancelled": throw CommandFailure.failed("the job was cancelled")
        default: throw CommandFailure.failed("the job's events ended early")
        }
    }
}
