internal import JSON
internal import JobQueue
internal import Synchronization

/// `/health` and `/ready`, which need no user.
///
/// `/health` says that the process answers; `/ready` that it can be of use: the database is reachable and a worker
/// has given a sign of life within the last seconds.
final class HealthRoutes: Sendable {
    private struct Sighting {
        var count: Int64
        var lastMove: ContinuousClock.Instant
    }

    /// Without a heartbeat for so long, workers count as gone; they beat every 3 s.
    private static let timeout: Duration = .seconds(15)

    private let store: any JobStore
    private let sightings = Mutex<[WorkerID: Sighting]>([:])

    init(store: any JobStore) { self.store = store }

    var health: Reply { Reply(["status": "ok"]) }

    func ready() async throws(APIError) -> Reply {
        guard try await workersAlive() > 0 else { throw .noWorker }
        return Reply(["status": "ready", "database": "ok", "worker": "ok"])
    }

    /// How many workers have given a sign of life lately. A counter that is seen for the first time counts as one.
    func workersAlive() async throws(APIError) -> Int {
        let beats: [WorkerBeat]
        do {
            beats = try await store.beats()
        } catch {
            throw APIError(error)
        }
        let now = ContinuousClock.now
        return sightings.withLock { sightings in
            var seen: [WorkerID: Sighting] = [:]
            for beat in beats {
                let known = sightings[beat.worker]
                let lastMove = known.flatMap { $0.count == beat.count ? $0.lastMove : nil } ?? now
                seen[beat.worker] = Sighting(count: beat.count, lastMove: lastMove)
            }
            sightings = seen
            return seen.values.count { now - $0.lastMove < Self.timeout }
        }
    }
}
