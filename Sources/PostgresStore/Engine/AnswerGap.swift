internal import Synchronization

/// Finds out that a server that can be reached answers no request: its sessions are stopped, or a lock holds up all
/// tables.
///
/// One request without an answer says nothing, as long as others are answered meanwhile.
final class AnswerGap: Sendable {
    private struct State {
        var lastAnswer: ContinuousClock.Instant?
        /// The beginning of the gap, and the last request that found no answer in it.
        var start: ContinuousClock.Instant?
        var lastFailure: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// The time without an answer from which on the database counts as away, while requests fail.
    private static let limit: Duration = .seconds(2)
    /// The same where requests only wait, since their callers have time: more than two heartbeats.
    private static let patientLimit: Duration = .seconds(4)
    /// Two failures with a longer time between them, in which nothing was asked, belong to two gaps.
    private static let memory: Duration = .seconds(5)

    /// Notes the answer to a request that needs a table.
    func noteAnswer(at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.lastAnswer = now
            state.start = nil
        }
    }

    /// Notes a request whose caller was answered without the server.
    ///
    /// - Returns: The beginning of the gap, when it is long enough for an outage.
    func noteFailure(of arrival: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        note(arrival, at: now, limit: Self.limit)
    }

    /// Notes a request that still waits for the server.
    ///
    /// - Returns: As `noteFailure` does.
    func noteWait(since arrival: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard now - arrival >= Self.patientLimit else { return nil }
        return note(arrival, at: now, limit: Self.patientLimit)
    }

    private func note(
        _ arrival: ContinuousClock.Instant, at now: ContinuousClock.Instant, limit: Duration
    ) -> ContinuousClock.Instant? {
        state.withLock { state in
            if let last = state.lastFailure, now - last > Self.memory { state.start = nil }
            state.lastFailure = now
            let start = min(state.start ?? now, max(arrival, state.lastAnswer ?? arrival))
            state.start = start
            return now - start >= limit ? start : nil
        }
    }
}
