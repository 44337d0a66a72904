/// A job as clients see it.
public struct JobResource: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var kind: String
    /// `pending`, `processing`, `completed`, `failed` or `cancelled`.
    public var status: String
    /// 0 to 100.
    public var progress: Int
    public var currentStep: String?
    public var attempt: Int
    public var error: ErrorResource?
    /// What a pending job waits for, in words that do not change: `run_at`, `job`, `limit` or
    /// `shared`.
    public var blockedBy: Block?
    /// ISO 8601, UTC, like the other moments.
    public var createdAt: String
    public var startedAt: String?
    public var completedAt: String?

    public struct Block: Codable, Sendable, Hashable {
        /// `run_at` (its time has not come, or the pause before a retry), `job` (another one goes first), `limit` (as
        /// many jobs of its kind run as may) or `shared` (work that others want too has not begun).
        public var reason: String
        public var until: String?
        public var jobID: String?

        enum CodingKeys: String, CodingKey {
            case reason, until
            case jobID = "job_id"
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, kind, status, progress, attempt, error
        case currentStep = "current_step"
        case blockedBy = "blocked_by"
        case createdAt = "created_at"
        case startedAt = "started_at"
        case completedAt = "completed_at"
    }

    public var isFinished: Bool { ["completed", "failed", "cancelled"].contains(status) }
}
