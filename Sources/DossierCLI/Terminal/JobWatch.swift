import DossierClient
import JSON

/// Shows the progress of a job on the terminal.
struct JobWatch {
    let client: Dossier
    let isQuiet: Bool

    /// Returns when the job is completed.
    ///
    /// - Throws: `CommandFailure` when the job failed or was cancelled.
    func follow(_ id: Job.ID) async throws {
        let line = ProgressLine()
        var last: Job?
        for try await job in client.jobs.updates(of: id) {
            if !isQuiet { line.show(job) }
            last = job
        }
        if !isQuiet, !Task.isCancelled { line.finish() }
        switch last?.status {
        case Job.Status.completed: return
        case Job.Status.failed:
            let error = last?.error
            throw CommandFailure.failed(
                "the job failed: \(error?.message ?? "no reason given") (\(error?.code.rawValue ?? "-"))")
        case Job.Status.cancelled: throw CommandFailure.failed("the job was cancelled")
        default: throw CommandFailure.failed("the event stream of the job ended before the job")
        }
    }
}

extension JobWatch {
    /// What is printed when a person ends the watch: the job goes on, and these commands find it again.
    static func resumeHint(_ id: Job.ID, _ invocation: Invocation) -> String {
        let flags = ["--user", "--server"].compactMap { flag in
            invocation.options[flag].map { " \(flag) \(quoted($0))" }
        }.joined()
        return """
            the job goes on. To follow it again, or to end it:
              dossier jobs watch \(id)\(flags)
              dossier jobs cancel \(id)\(flags)
            """
    }

    /// The word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || "-_.:/@%+,=".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// Follows a job until it is completed. Ctrl-C ends the watch and not the job, with a message that says so.
    func follow(_ id: Job.ID, untilInterrupted message: String) async throws {
        let signals = ProcessSignals.stream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals {
                    if !isQuiet, Terminal.isInteractive { Terminal.print() }
                    throw CommandFailure.interrupted(message)
                }
            }
            group.addTask { try await follow(id) }
            // The first to end decides.
            try await group.next()
            group.cancelAll()
        }
    }
}

extension Dossier {
    /// The result of a completed job, its members in the order of the server.
    func rawResult(of id: Job.ID) async throws -> JSON {
        let text: String = try await send(.get, "/api/v1/jobs/\(id)/result")
        return try JSON(parsing: text)["data"] ?? .null
    }

    /// A page of the user's jobs by its number, from 1, with the number of pages.
    func jobs(status: String?, kind: String?, page: Int) async throws -> (jobs: [Job], pages: Int) {
        let size = 20
        var query = ["page": String(page), "per_page": String(size)]
        query["status"] = status
        query["kind"] = kind
        let read = try await self.page(of: Listing<Job>(path: "/api/v1/jobs", query: query, freshness: .never))
        return (read.items, ((read.totalItems ?? 0) + size - 1) / size)
    }
}

extension JSONValue {
    /// The same value of the other type.
    init(_ value: JSON) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .string(let text): .string(text)
            case .number(let number): number.integer.map { .integer(Int64($0)) } ?? .number(number.double)
            case .array(let elements): .array(elements.map(JSONValue.init))
            case .object(let members):
                .object(Dictionary(members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { $1 }))
            }
    }
}
