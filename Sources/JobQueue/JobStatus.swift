/// Where a job stands.
///
///     pending ──claim──▶ processing ──complete──▶ completed
///        ▲ │                 │ │ └─────fail──────▶ failed
///        │ └─cancel─▶ cancelled ◀─cancel──┘
///        └── retry, rescue, hand back ──┘
public enum JobStatus: String, Sendable, CaseIterable {
    case pending, processing, completed, failed, cancelled

    public var isFinished: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// Which slots of the workers a job runs in.
public enum Lane: String, Sendable, CaseIterable {
    /// Somebody waits for the answer on an open connection: slots and model budget are reserved.
    case interactive
    case background
}
