internal import JSON

/// A worker's registration.
package struct WorkerRegistration: Sendable, Hashable {
    package var id: WorkerID
    package var host: String
    package var processID: Int32
    /// The number of jobs that it runs at once.
    package var concurrency: Int
    /// The machine and the start of its process, as `ProcessIdentity` tells them. With them, a process on the same
    /// machine sees at once that this one has ended.
    package var machine: String
    package var processStart: Int64
    /// The version of the program.
    package var version: String
    package var abilities: WorkerAbilities

    package init(
        id: WorkerID, host: String, processID: Int32, concurrency: Int, machine: String = "", processStart: Int64 = 0,
        version: String = "", abilities: WorkerAbilities = WorkerAbilities()
    ) {
        self.id = id
        self.host = host
        self.processID = processID
        self.concurrency = concurrency
        self.machine = machine
        self.processStart = processStart
        self.version = version
        self.abilities = abilities
    }
}

/// The work that a worker can do, by the kinds of the current bundle.
package struct WorkerAbilities: Sendable, Hashable {
    /// The kinds of jobs that it can run.
    package var kinds: [String]
    /// The kinds that it cannot run, each with the reason.
    package var missing: [String: String]
    /// The hashes of bundles that its version of Dossier cannot read.
    package var unreadableBundles: [String]
    /// The providers of models that it can reach.
    package var providers: [String]

    /// The kinds whose background jobs it leaves in the queue for now, since their first calls could not begin.
    package var held: [String: HeldKind] = [:]
    /// The background jobs that it runs at once; the other places are for interactive ones. `nil` for all.
    package var backgroundPlaces: Int?

    package init(
        kinds: [String] = [], missing: [String: String] = [:], unreadableBundles: [String] = [],
        providers: [String] = []
    ) {
        self.kinds = kinds
        self.missing = missing
        self.unreadableBundles = unreadableBundles
        self.providers = providers
    }

    /// Whether it leaves some jobs to others.
    package var isPartial: Bool { !missing.isEmpty || !unreadableBundles.isEmpty }

    /// The kinds that a worker cannot run, with the reasons, by the text in its record.
    package static func missing(in text: String) -> [String: String] {
        guard text.utf8.count > 2, let members = (try? JSON(parsing: text))?["missing"]?.object else { return [:] }
        return Dictionary(members.map { ($0.key, $0.value.string ?? "") }) { first, _ in first }
    }

    /// The form in which a worker's record keeps it.
    package var text: String { json.compact }

    private var json: JSON {
        [
            "kinds": JSON(kinds.sorted()),
            "missing": .object(JSONObject(missing.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            "unreadable_bundles": JSON(unreadableBundles.sorted()),
            "providers": JSON(providers.sorted()),
            "held": .object(JSONObject(held.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })),
            "background_places": JSON(backgroundPlaces.map(Int64.init)),
        ]
    }
}

/// Why a worker leaves the background jobs of a kind in the queue.
package struct HeldKind: Hashable, Sendable {
    package var cause: WaitCause
    /// The store's time at which a call can begin at the earliest.
    package var until: Timestamp

    package init(_ cause: WaitCause, until: Timestamp) { (self.cause, self.until) = (cause, until) }

    fileprivate var json: JSON { ["cause": JSON(cause.stored), "until": JSON(until.milliseconds)] }

    init?(_ json: JSON) {
        guard let cause = json["cause"]?.string.flatMap(WaitCause.init(stored:)), let until = json["until"]?.integer
        else { return nil }
        self.init(cause, until: Timestamp(milliseconds: until))
    }
}

/// A worker's heartbeat counter at the time of a reading.
package struct WorkerHeartbeat: Sendable, Hashable {
    package var worker: WorkerID
    /// Grows with every heartbeat.
    package var count: Int64
    /// The kinds of jobs that the worker leaves to others, with the reasons.
    package var missing: [String: String]

    package init(worker: WorkerID, count: Int64, missing: [String: String] = [:]) {
        self.worker = worker
        self.count = count
        self.missing = missing
    }
}
