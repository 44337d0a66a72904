internal import Basics
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/jobs/{id}/events`, `/events?jobs=…` and `/admin/events?jobs=…`: the states of jobs as they change, until all have ended.
///
/// An event's type names the change (`progress`, `completed`, `failed`, `cancelled`), its data is the job as `GET`
/// shows it, and its id lists the states that the client has seen: a client that reconnects with it gets the changes
/// since then.
///
/// A stream ends after its lifetime, and at once when none of its jobs can change soon: a job whose `run_at` is to come
/// keeps no connection. Both times the client may reconnect, after the pause of the last `retry`.
struct JobEventRoutes: Sendable {
    /// Browsers allow six connections to a host, so one stream serves many jobs. A client that reconnects lists them
    /// all twice, in the query and in `Last-Event-ID`, and both have to fit into the head of a request.
    private static let mostJobs = 50
    private static let pauseAfterFailure: Duration = .milliseconds(250)

    /// The pause before a client reconnects to a stream that broke or reached its lifetime.
    private static let pauseAfterStream: Duration = .seconds(1)
    /// The longest pause before a client asks again for a job that is not due.
    private static let longestPause: Duration = .seconds(60)

    let jobs: JobService
    let held: HeldRequests
    /// The time after which a stream ends.
    let lifetime: Duration
    let now: @Sendable () -> Timestamp

    /// The reader of a stream.
    private struct Audience: Sendable {
        /// The owner of the jobs; `nil` for an operator, who reads the jobs of all users.
        let owner: UserID?
        /// The user whose streams the stream counts among.
        let user: UserID
    }

    func one(_ context: RequestContext) async throws(APIError) -> APIResponse {
        try await stream([try context.jobID()], context, to: Audience(owner: context.user, user: context.user))
    }

    func many(_ context: RequestContext) async throws(APIError) -> APIResponse {
        try await stream(try ids(of: context), context, to: Audience(owner: context.user, user: context.user))
    }

    /// Of anybody's jobs, for operators. The streams of those who are no users count together.
    func ofAnybody(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let number = context.actor.kind == .user ? Int64(context.actor.id) : nil
        let user = number.map { UserID(rawValue: $0) } ?? .system
        return try await stream(try ids(of: context), context, to: Audience(owner: nil, user: user))
    }

    private func ids(of context: some RequestReading) throws(APIError) -> [JobID] {
        let texts = (context.query("jobs") ?? "").split(separator: ",")
        guard !texts.isEmpty, texts.count <= Self.mostJobs else {
            throw .invalid("jobs", "must list 1 to \(Self.mostJobs) ids of jobs, separated by commas")
        }
        var ids: [JobID] = []
        for text in texts {
            guard let id = JobID(String(text)) else {
                throw .invalid("jobs", "'\(text.prefix(scalars: 40))' is not the id of a job")
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    private func stream(
        _ ids: [JobID], _ context: some RequestReading, to audience: Audience
    ) async throws(APIError) -> APIResponse {
        var found: [Job] = []
        for id in ids { found.append(try await jobs.job(id, of: audience.owner)) }
        let seen = EventID(context.header("Last-Event-ID") ?? "")
        let unfinished = found.filter { !$0.status.isFinished }
        let pauses = unfinished.compactMap { $0.pauseUntilDue(at: now()) }
        guard pauses.count < unfinished.count, context.request.method != .head else {
            return .events(Self.present(found, seen, retry: pauses.min().map { min($0, Self.longestPause) }))
        }
        let place = try held.take(.streams, for: audience.user, lasting: lifetime)
        return .events(states(of: ids, owner: audience.owner, seen: seen, place: place))
    }

    /// The states that the client has not seen, and the end.
    private static func present(_ jobs: [Job], _ seen: EventID, retry: Duration?) -> AsyncStream<ServerEvent> {
        var seen = seen
        return AsyncStream { continuation in
            if let retry { continuation.yield(ServerEvent(retry: retry)) }
            for job in jobs.sorted(by: { $0.id < $1.id }) {
                if let event = seen.event(for: job) { continuation.yield(event) }
            }
            continuation.finish()
        }
    }

    private func states(
        of ids: [JobID], owner: UserID?, seen: EventID, place: HeldRequests.Place
    ) -> AsyncStream<ServerEvent> {
        let changes = jobs.changes(of: ids)
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        // A client that asked about a job that was not due may have a longer pause from then.
        continuation.yield(ServerEvent(retry: Self.pauseAfterStream))
        let end = Task {
            if (try? await Task.sleep(for: lifetime)) != nil { continuation.finish() }
        }
        let task = Task {
            defer {
                end.cancel()
                place.release()
            }
            var seen = seen
            var open = Set(ids)
            // Send once before the first signal: changes before the subscription are not signalled.
            await send(&open, &seen, owner, to: continuation)
            if !open.isEmpty {
                for await _ in changes {
                    await send(&open, &seen, owner, to: continuation)
                    if open.isEmpty { break }
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in
            task.cancel()
            place.release()
        }
        return events
    }

    /// Sends the jobs whose state the client has not seen, and drops from `open` those that have ended.
    private func send(
        _ open: inout Set<JobID>, _ seen: inout EventID, _ owner: UserID?,
        to continuation: AsyncStream<ServerEvent>.Continuation
    ) async {
        for id in open.sorted() {
            guard let job = await state(of: id, owner) else {
                open.remove(id)
                continue
            }
            if let event = seen.event(for: job) { continuation.yield(event) }
            if job.status.isFinished { open.remove(id) }
        }
    }

    /// The job as it is now, read until the store answers: the change that led here may be the last one. `nil` when
    /// the job has been deleted or the client has left.
    private func state(of id: JobID, _ owner: UserID?) async -> Job? {
        while !Task.isCancelled {
            do {
                return try await jobs.job(id, of: owner)
            } catch {
                if error.status == 404 { return nil }
                try? await Task.sleep(for: Self.pauseAfterFailure)
            }
        }
        return nil
    }
}

/// The states that a client has seen: `JOB:TAG`, several separated by commas.
struct EventID {
    private var tags: [JobID: String] = [:]

    /// Reads the id that a client sends back; a malformed part counts as not seen.
    init(_ text: String) {
        for pair in text.prefix(8000).split(separator: ",") {
            let parts = pair.split(separator: ":")
            if parts.count == 2, let job = JobID(String(parts[0])), parts[1].utf8.count <= 20 {
                tags[job] = String(parts[1])
            }
        }
    }

    /// The event of a job's state; `nil` when the client has seen it.
    fileprivate mutating func event(for job: Job) -> ServerEvent? {
        guard tags[job.id]?.hasSameBytes(as: job.tag) != true else { return nil }
        tags[job.id] = job.tag
        return ServerEvent(id: text, event: job.eventName, data: job.json.compact)
    }

    var text: String {
        tags.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }
}

extension Job {
    fileprivate var eventName: String { status.isFinished ? status.rawValue : "progress" }

    /// The time until the `run_at` of the request; `nil` for a job that is due. The pause before another attempt is no
    /// such time: it is short.
    func pauseUntilDue(at time: Timestamp) -> Duration? {
        guard status == .pending, attempt == 0, case .notBefore(let due)? = blockedBy, due > time else { return nil }
        return due - time
    }
}
