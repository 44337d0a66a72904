internal import JSON

/// A registered worker, as operators see it.
package struct WorkerRecord: Hashable, Sendable {
    /// The silence after which a worker counts as dead.
    package static let longestSilence: Duration = .seconds(6)
    /// The last workers whose ids are kept after them, for the attempts of jobs.
    package static let keptNames = 100_000

    package var id: WorkerID
    package var host: String
    package var processID: Int32
    /// The version of the program; empty for a worker of a version that does not tell it.
    package var version: String
    package var startedAt: Timestamp
    package var lastBeatAt: Timestamp
    package var isAlive: Bool
    /// Whether an operator has asked it to claim nothing.
    package var isDraining: Bool
    /// The jobs that it runs at once.
    package var places: Int
    /// The kinds that it can run.
    package var kinds: [String]
    /// The kinds that it cannot run, each with the reason.
    package var missing: [String: String]
    /// The hashes of bundles that it cannot read.
    package var unreadableBundles: Set<String>
    /// The kinds whose background jobs it leaves in the queue for now.
    package var held: [String: HeldKind]
    /// The background jobs that it runs at once.
    package var backgroundPlaces: Int
    package var providers: [String]
    /// The jobs that it holds, the first thousand.
    package var jobs: [JobID]
    /// The number of all jobs that it holds.
    package var busy: Int

    /// Makes a record; `abilities` has the form of `WorkerAbilities.text`.
    package init(
        id: WorkerID, host: String, processID: Int32, startedAt: Timestamp, lastBeatAt: Timestamp, isAlive: Bool,
        isDraining: Bool, places: Int, abilities: String, jobs: [JobID], busy: Int, version: String = ""
    ) {
        (self.id, self.host, self.processID, self.startedAt) = (id, host, processID, startedAt)
        (self.lastBeatAt, self.isAlive, self.isDraining, self.places) = (lastBeatAt, isAlive, isDraining, places)
        (self.jobs, self.busy, self.version) = (jobs, busy, version)
        let members = (try? JSON(parsing: abilities)) ?? .null
        kinds = members["kinds"]?.array?.compactMap(\.string) ?? []
        missing = WorkerAbilities.missing(in: abilities)
        unreadableBundles = Set(members["unreadable_bundles"]?.array?.compactMap(\.string) ?? [])
        let held = members["held"]?.object ?? [:]
        self.held = Dictionary(held.compactMap { kind, held in HeldKind(held).map { (kind, $0) } }) { first, _ in first
        }
        backgroundPlaces = members["background_places"]?.integer.flatMap(Int.init(exactly:)) ?? places
        providers = members["providers"]?.array?.compactMap(\.string) ?? []
    }
}

/// What operators see of workers and ask of them.
package protocol WorkerAdministration: Sendable {
    /// The registered workers with numbers below a place, newest first, each with its place; or one of them.
    func workers(
        below place: Int64, limit: Int, id: WorkerID?, at now: Timestamp
    ) async throws(StoreError) -> [(place: Int64, worker: WorkerRecord)]

    /// Asks a worker to claim nothing, or to claim again. A worker that is gone is not changed.
    func setDraining(_ isDraining: Bool, of worker: WorkerID, audit: AuditEntry?) async throws(StoreError)

    /// Whether an operator has asked a worker to claim nothing.
    func isDraining(_ worker: WorkerID) async throws(StoreError) -> Bool
}
