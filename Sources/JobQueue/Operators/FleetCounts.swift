/// The unfinished jobs and the money of the whole fleet.
package struct FleetCounts: Sendable {
    /// The unfinished jobs of one queue by their places.
    package struct QueueCounts: Hashable, Sendable {
        package var ready: Int64
        package var scheduled: Int64
        /// For a permit of their kind.
        package var waiting: Int64
        /// By another job of their concurrency key.
        package var blocked: Int64
        package var running: Int64
        /// The submit of the ready job whose turn is next.
        package var oldestReadyAt: Timestamp?

        package init(
            ready: Int64 = 0, scheduled: Int64 = 0, waiting: Int64 = 0, blocked: Int64 = 0, running: Int64 = 0,
            oldestReadyAt: Timestamp? = nil
        ) {
            (self.ready, self.scheduled, self.waiting) = (ready, scheduled, waiting)
            (self.blocked, self.running, self.oldestReadyAt) = (blocked, running, oldestReadyAt)
        }
    }

    package var queues: [QueueName: QueueCounts]
    package var heldCredits: Int64
    /// What the service has spent today, in millionths of a dollar.
    package var spentToday: Int64

    package init(queues: [QueueName: QueueCounts], heldCredits: Int64, spentToday: Int64) {
        (self.queues, self.heldCredits, self.spentToday) = (queues, heldCredits, spentToday)
    }

    /// Adds the pending jobs.
    package mutating func add(_ pending: [QueueName: QueueCounts]) {
        for (queue, more) in pending {
            queues[queue, default: QueueCounts()].ready += more.ready
            queues[queue, default: QueueCounts()].scheduled += more.scheduled
            queues[queue, default: QueueCounts()].waiting += more.waiting
            queues[queue, default: QueueCounts()].blocked += more.blocked
        }
    }
}
