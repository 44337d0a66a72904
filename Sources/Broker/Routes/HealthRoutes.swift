internal import JSON
internal import JobQueue
internal import Synchronization

/// `/health` and `/ready`, which need no user.
///
/// `/health` says that the process answers; `/ready` that it can be of use: the database is reachable and a worker
/// has given a sign of life within the last seconds.
final class HealthRoutes: Sendable {
    private struct Sighting {
        var counts: [WorkerID: Int64] = [:]
        var lastMove: ContinuousClock.Instant?
    }

    /// Without a heartbeat for so long, workers count as gone; they beat every 3 s.
    private static let patience: Duration = .seconds(15)

    private let store: any JobStore
    private let sighting = Mutex(Sighting())

    init(store: any JobStore) { self.store = store }

    var health: Reply { Reply(["status": "ok"]) }

    func ready() async throws(APIError) -> Reply {
        let beats: [WorkerBeat]
        do {
            beats = try await store.beats()
        } catch {
            throw APIError(error)
        }
        guard note(beats) else { throw .noWorker }
        return Reply(["status": "ready", "database": "ok", "worker": "ok"])
    }

    /// Takes in a reading of the heartbeats; whether a worker is alive. A counter seen for the first time counts.
    private func note(_ beats: [WorkerBeat]) -> Bool {
        sighting.withLock { sighting in
            if beats.contains(where: { sighting.counts[$0.worker] != $0.count }) { sighting.lastMove = .now }
            sighting.counts = Dictionary(beats.map { ($0.worker, $0.count) }) { $1 }
            guard !beats.isEmpty, let lastMove = sighting.lastMove else { return false }
            return .now - lastMove < Self.patience
        }
    }
}
