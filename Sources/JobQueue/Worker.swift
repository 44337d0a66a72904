/// A worker as it introduces itself.
public struct WorkerRegistration: Sendable, Hashable {
    public var id: WorkerID
    public var host: String
    public var processID: Int32
    /// How many jobs it runs at once.
    public var concurrency: Int

    public init(id: WorkerID, host: String, processID: Int32, concurrency: Int) {
        self.id = id
        self.host = host
        self.processID = processID
        self.concurrency = concurrency
    }
}

/// A sign of life as another worker reads it.
public struct WorkerBeat: Sendable, Hashable {
    public var worker: WorkerID
    /// Grows with every heartbeat.
    public var count: Int64

    public init(worker: WorkerID, count: Int64) {
        self.worker = worker
        self.count = count
    }
}

/// What became of a dead worker's jobs.
public struct Rescue: Sendable, Hashable {
    /// Back to pending, at no cost of an attempt.
    public var requeued: [JobID]
    /// Failed, since workers keep dying of them.
    public var poisoned: [JobID]

    public init(requeued: [JobID], poisoned: [JobID]) {
        self.requeued = requeued
        self.poisoned = poisoned
    }
}
