internal import JobQueue
internal import Synchronization

/// How long a job of a kind usually takes: the median of the ones that ended last, kept in memory and read again from
/// the store once a minute at most, so that a submit asks nothing.
final class UsualTimes: Sendable {
    private struct State {
        var readAt: Timestamp?
        /// A kind of which no job ended lately keeps its last one.
        var byKind: [String: Duration] = [:]
    }

    private static let interval: Duration = .seconds(60)
    /// Ended jobs of all kinds that are looked at.
    private static let limit = 1000
    /// Fewer jobs of a kind say nothing about the next one.
    private static let fewest = 3

    private let store: any JobCounting
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(store: any JobCounting, now: @escaping @Sendable () -> Timestamp) { (self.store, self.now) = (store, now) }

    /// The usual time of a kind; `nil` as long as too few of its jobs have ended. A database that is away is no reason
    /// to fail a request that has been accepted.
    func time(of kind: String) async -> Duration? {
        let time = now()
        let isDue = state.withLock { state in
            if let last = state.readAt, last + Self.interval > time { return false }
            state.readAt = time
            return true
        }
        if isDue, let times = try? await store.jobTimes(limit: Self.limit) {
            let medians = Self.medians(of: times)
            state.withLock { $0.byKind.merge(medians) { $1 } }
        }
        return state.withLock { $0.byKind[kind] }
    }

    static func medians(of times: [JobTime]) -> [String: Duration] {
        Dictionary(grouping: times, by: \.kind).filter { $0.value.count >= fewest }.mapValues { times in
            times.map(\.duration).sorted()[times.count / 2]
        }
    }
}
