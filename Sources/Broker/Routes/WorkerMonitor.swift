internal import JobQueue
internal import Synchronization

/// Finds the live workers by the heartbeats in the store, which it reads at most once a second for all callers.
final class WorkerMonitor: Sendable {
    private static let interval: Duration = .seconds(1)
    /// The time for which an older reading is answered at once.
    private static let grace: Duration = .seconds(5)

    /// The workers with a recent heartbeat.
    struct Fleet: Hashable {
        var alive = 0
        /// The kinds of jobs that none of them can run, with the reason of one.
        var missing: [String: String] = [:]

        /// Whether a worker is alive that can run a kind of jobs.
        func canRun(_ kind: String) -> Bool { alive > 0 && missing[kind] == nil }

        /// Whether it differs from another fleet in the kinds that it can run.
        func runsOtherKinds(than other: Fleet) -> Bool {
            (alive > 0) != (other.alive > 0) || Set(missing.keys) != Set(other.missing.keys)
        }
    }

    private let reading: CachedReading<Fleet>

    init(store: any JobStore) {
        let known = KnownHeartbeats()
        reading = CachedReading(lifetime: Self.interval, grace: Self.grace) {
            known.fleet(in: try await store.heartbeats())
        }
    }

    /// The number of workers with a recent heartbeat. A counter that is read for the first time counts as recent.
    func alive() async throws(APIError) -> Int {
        guard let fleet = await fleet(within: .seconds(2)) else { throw .databaseUnavailable }
        return fleet.alive
    }

    /// The workers with a recent heartbeat; `nil` when the store gives no answer in time.
    func fleet(within limit: Duration) async -> Fleet? {
        let (value, isCurrent) = await reading.value(within: limit)
        return isCurrent ? value : nil
    }

    /// Reads the heartbeats again soon, without waiting for them.
    func refresh() { reading.refresh() }

    func keepCurrent() { reading.keepCurrent() }
}

/// The heartbeats that were read last, with the times at which they changed.
private final class KnownHeartbeats: Sendable {
    private struct Heartbeat {
        var count: Int64
        var lastChange: ContinuousClock.Instant
    }

    /// A worker without a heartbeat for this long counts as dead; workers beat every 1.5 s.
    private static let timeout: Duration = .seconds(15)

    private let heartbeats = Mutex<[WorkerID: Heartbeat]>([:])

    /// The workers that are alive after a reading.
    func fleet(in beats: [WorkerHeartbeat]) -> WorkerMonitor.Fleet {
        let now = ContinuousClock.now
        return heartbeats.withLock { heartbeats in
            var current: [WorkerID: Heartbeat] = [:]
            for beat in beats {
                let known = heartbeats[beat.worker]
                let lastChange = known.flatMap { $0.count == beat.count ? $0.lastChange : nil } ?? now
                current[beat.worker] = Heartbeat(count: beat.count, lastChange: lastChange)
            }
            heartbeats = current
            let alive = beats.filter { beat in
                current[beat.worker].map { now - $0.lastChange < Self.timeout } ?? false
            }
            var fleet = WorkerMonitor.Fleet(alive: alive.count, missing: alive.first?.missing ?? [:])
            for beat in alive { fleet.missing = fleet.missing.filter { beat.missing[$0.key] != nil } }
            return fleet
        }
    }
}
