internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/jobs/{id}/events` and `/events?jobs=…`: the states of jobs as they change, until all have ended.
///
/// An event's type names the change (`progress`, `completed`, `failed`, `cancelled`), its data is the job as `GET`
/// shows it, and its id lists the revisions that the client has seen: a client that reconnects with it gets the changes
/// since then.
struct JobEventRoutes: Sendable {
    /// Browsers allow six connections to a host, so one stream serves many jobs. A client that reconnects lists them
    /// all twice, in the query and in `Last-Event-ID`, and both have to fit into the head of a request.
    private static let mostJobs = 50
    private static let pauseAfterFailure: Duration = .milliseconds(250)

    let jobs: JobService

    func one(_ context: RequestContext) async throws(APIError) -> APIResponse {
        try await stream([try context.jobID()], context)
    }

    func many(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let texts = (context.query("jobs") ?? "").split(separator: ",")
        guard !texts.isEmpty, texts.count <= Self.mostJobs else {
            throw .invalid("jobs", "must list 1 to \(Self.mostJobs) ids of jobs, separated by commas")
        }
        var ids: [JobID] = []
        for text in texts {
            guard let id = JobID(String(text)) else {
                throw .invalid("jobs", "'\(text.prefix(40))' is not the id of a job")
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return try await stream(ids, context)
    }

    private func stream(_ ids: [JobID], _ context: RequestContext) async throws(APIError) -> APIResponse {
        for id in ids { _ = try await jobs.job(id, of: context.user) }
        let seen = EventID(context.header("Last-Event-ID") ?? "")
        return .events(states(of: ids, context: context, seen: seen))
    }

    private func states(of ids: [JobID], context: RequestContext, seen: EventID) -> AsyncStream<ServerEvent> {
        let changes = jobs.changes(of: ids)
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        let task = Task {
            var seen = seen
            var open = Set(ids)
            // Send once before the first signal: changes before the subscription are not signalled.
            await send(&open, &seen, context, to: continuation)
            if !open.isEmpty {
                for await _ in changes {
                    await send(&open, &seen, context, to: continuation)
                    if open.isEmpty { break }
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }

    /// Sends the jobs whose revision the client has not seen, and drops from `open` those that have ended.
    private func send(
        _ open: inout Set<JobID>, _ seen: inout EventID, _ context: RequestContext,
        to continuation: AsyncStream<ServerEvent>.Continuation
    ) async {
        for id in open.sorted() {
            guard let job = await state(of: id, context) else {
                open.remove(id)
                continue
            }
            if seen.revisions[id] != job.revision {
                seen.revisions[id] = job.revision
                continuation.yield(
                    ServerEvent(id: seen.text, event: job.eventName, data: job.json.compact))
            }
            if job.status.isFinished { open.remove(id) }
        }
    }

    /// The job as it is now, read until the store answers: the change that led here may be the last one. `nil` when
    /// the job has been deleted or the client has left.
    private func state(of id: JobID, _ context: RequestContext) async -> Job? {
        while !Task.isCancelled {
            do {
                return try await jobs.job(id, of: context.user)
            } catch {
                if error.status == 404 { return nil }
                try? await Task.sleep(for: Self.pauseAfterFailure)
            }
        }
        return nil
    }
}

/// The revisions that a client has seen: `JOB:REVISION`, several separated by commas.
struct EventID {
    var revisions: [JobID: Int64] = [:]

    /// Reads the id that a client sends back; a malformed part counts as not seen.
    init(_ text: String) {
        for pair in text.prefix(8000).split(separator: ",") {
            let parts = pair.split(separator: ":")
            if parts.count == 2, let job = JobID(String(parts[0])), let revision = Int64(parts[1]) {
                revisions[job] = revision
            }
        }
    }

    var text: String {
        revisions.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }
}

extension Job {
    fileprivate var eventName: String { status.isFinished ? status.rawValue : "progress" }
}
