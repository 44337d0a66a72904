/// A worker as it introduces itself.
package struct WorkerRegistration: Sendable, Hashable {
    package var id: WorkerID
    package var host: String
    package var processID: Int32
    /// How many jobs it runs at once.
    package var concurrency: Int

    package init(id: WorkerID, host: String, processID: Int32, concurrency: Int) {
        self.id = id
        self.host = host
        self.processID = processID
        self.concurrency = concurrency
    }
}

/// A sign of life as another worker reads it.
package struct WorkerBeat: Sendable, Hashable {
    package var worker: WorkerID
    /// Grows with every heartbeat.
    package var count: Int64

    package init(worker: WorkerID, count: Int64) {
        self.worker = worker
        self.count = count
    }
}

/// What became of a dead worker's jobs.
package struct Rescue: Sendable, Hashable {
    /// Back to pending, at no cost of an attempt.
    package var requeued: [JobID]
    /// Failed, since workers keep dying of them.
    package var poisoned: [JobID]

    package init(requeued: [JobID], poisoned: [JobID]) {
        self.requeued = requeued
        self.poisoned = poisoned
    }
}
