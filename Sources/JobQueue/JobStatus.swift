/// Where a job stands.
///
///     pending ──claim──▶ processing ──complete──▶ completed
///        ▲ │                 │ │ └─────fail──────▶ failed
///        │ └─cancel─▶ cancelled ◀─cancel──┘
///        └── retry, rescue, hand back ──┘
package enum JobStatus: String, Sendable, CaseIterable {
    case pending, processing, completed, failed, cancelled

    package var isFinished: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// Which slots of the workers a job runs in.
package enum QueueName: String, Sendable, CaseIterable {
    /// Somebody waits for the answer on an open connection: slots and model budget are reserved.
    case interactive
    case background
}
