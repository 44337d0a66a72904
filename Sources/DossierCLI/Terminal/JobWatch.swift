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
        if !isQuiet { line.finish() }
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

extension Dossier.Jobs {
    /// Submits a job of any kind.
    func submit(kind: String, input: JSON, within: Int?) async throws -> Job {
        try await submit(
            Submission(
                UntypedInput(kind: Job.Kind(rawValue: kind), input: JSONValue(input)),
                within: within.map { .seconds($0) }))
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
