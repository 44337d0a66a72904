/// Somebody who wants the states of some jobs until each has ended.
final class JobSubscription: Sendable {
    private struct State {
        var open: Set<Job.ID>
        var shown: [Job.ID: Job.Revision]
    }

    private let state: Locked<State>
    /// A slow reader gets the latest state of each job.
    private let buffer = ElementBuffer<Job>(replaces: { $0.id == $1.id })

    /// Begins with nothing but what was shown: the states up to a revision.
    init(_ ids: Set<Job.ID>, after revision: Job.Revision?) {
        var shown: [Job.ID: Job.Revision] = [:]
        if let revision { for id in ids { shown[id] = revision } }
        state = Locked(State(open: ids, shown: shown))
    }

    /// Takes a state, unless it or a newer one was shown.
    func take(_ job: Job) {
        let (isNews, isEnd) = state.withLock { state in
            guard state.open.contains(job.id) else { return (false, false) }
            var isNews = true
            if let shown = state.shown[job.id] { isNews = job.revision.map { $0 > shown } ?? job.isFinished }
            if isNews, let revision = job.revision { state.shown[job.id] = revision }
            if job.isFinished { state.open.remove(job.id) }
            return (isNews, state.open.isEmpty)
        }
        if isNews { buffer.put(job) }
        if isEnd { buffer.finish() }
    }

    func fail(_ error: any Error) { buffer.finish(error) }

    func next() async throws -> Job? { try await buffer.next() }
}
