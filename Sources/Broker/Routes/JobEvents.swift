internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/jobs/{id}/events` and `/events?jobs=…`: the states of jobs as they change, until all have ended.
///
/// An event's type says what happened (`progress`, `completed`, `failed`, `cancelled`), its data is the job as `GET`
/// shows it, its id names what the client has seen: a client that connects again with it gets what changed since.
struct JobEvents: Sendable {
    /// Browsers allow six connections to a host, so one stream serves many jobs; but a client that comes again names
    /// them all twice, in the query and in `Last-Event-ID`, and both have to fit into the head of a request.
    private static let mostJobs = 50
    private static let pauseAfterFailure: Duration = .milliseconds(250)

    let jobs: JobRoutes
    let envelopes: Envelopes

    func one(_ call: Call) async throws(APIError) -> ServerResponse { try await stream([try call.jobID()], call) }

    func many(_ call: Call) async throws(APIError) -> ServerResponse {
        let texts = (call.request.query("jobs") ?? "").split(separator: ",")
        guard !texts.isEmpty, texts.count <= Self.mostJobs else {
            throw .invalid("jobs", "must list 1 to \(Self.mostJobs) ids of jobs, separated by commas")
        }
        var ids: [JobID] = []
        for text in texts {
            guard let id = JobID(String(text)) else { throw .invalid("jobs", "'\(text.prefix(40))' is no id of a job") }
            if !ids.contains(id) { ids.append(id) }
        }
        return try await stream(ids, call)
    }

    private func stream(_ ids: [JobID], _ call: Call) async throws(APIError) -> ServerResponse {
        for id in ids { _ = try await jobs.find(id, call) }
        let seen = EventID(call.header("Last-Event-ID") ?? "")
        let states = states(of: ids, call: call, seen: seen)
        return .events(states, headers: envelopes.eventHeaders(call.requestID))
    }

    private func states(of ids: [JobID], call: Call, seen: EventID) -> AsyncStream<ServerEvent> {
        let changes = jobs.watcher.changes(of: ids)
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        let task = Task {
            var seen = seen
            var open = Set(ids)
            // Once before the first signal: what happened before the subscription is not signalled.
            await send(&open, &seen, call, to: continuation)
            if !open.isEmpty {
                for await _ in changes {
                    await send(&open, &seen, call, to: continuation)
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
        _ open: inout Set<JobID>, _ seen: inout EventID, _ call: Call,
        to continuation: AsyncStream<ServerEvent>.Continuation
    ) async {
        for id in open.sorted() {
            guard let job = await state(of: id, call) else {
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

    /// The job as it is now, asked for until the store answers: the change that led here may be the last one. `nil` when
    /// it has been deleted or nobody listens any more.
    private func state(of id: JobID, _ call: Call) async -> Job? {
        while !Task.isCancelled {
            do {
                return try await jobs.find(id, call)
            } catch {
                if error.status == 404 { return nil }
                try? await Task.sleep(for: Self.pauseAfterFailure)
            }
        }
        return nil
    }
}

/// Which revisions a client has seen: `JOB:REVISION`, several separated by commas.
struct EventID {
    var revisions: [JobID: Int64] = [:]

    /// Reads what a client sends back; what cannot be read counts as not seen.
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
