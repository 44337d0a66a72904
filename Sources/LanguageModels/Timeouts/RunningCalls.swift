internal import Basics
internal import Synchronization

/// The calls to one provider that wait for their answers.
final class RunningCalls: Sendable {
    private struct Entry: Sendable {
        var model: String
        var activity: CallActivity
        var watch: StallWatch
    }

    /// A reason to doubt that a call will be answered.
    struct Doubt: Hashable, Sendable {
        var clock: CallClock
        /// The uptime at which the call began.
        var start: Duration
        /// The uptime since which it is silent or comes slowly.
        var since: Duration
    }

    private let state = Mutex<(entries: [Int: Entry], next: Int)>(([:], 0))

    func add(_ model: String, _ activity: CallActivity, _ watch: StallWatch) -> Int {
        state.withLock { state in
            state.next += 1
            state.entries[state.next] = Entry(model: model, activity: activity, watch: watch)
            return state.next
        }
    }

    func remove(_ number: Int) { _ = state.withLock { $0.entries.removeValue(forKey: number) } }

    /// The doubts about the calls of one model.
    func doubts(about model: String, at now: Duration) -> [Doubt] {
        let calls = state.withLock { $0.entries.values.filter { $0.model == model } }
        return calls.compactMap { Self.doubt($0.activity.snapshot, $0.watch, at: now) }
    }

    private static func doubt(_ call: CallActivity.Snapshot, _ watch: StallWatch, at now: Duration) -> Doubt? {
        let (clock, since) = call.clock
        if now - since >= watch.trust(clock) {
            return Doubt(clock: clock, start: call.startedAt, since: since)
        }
        guard let first = call.firstContentAt, watch.usual.isSlow(call) else { return nil }
        return Doubt(clock: .pace, start: call.startedAt, since: first)
    }
}
