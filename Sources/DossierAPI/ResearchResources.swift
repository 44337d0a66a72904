/// The answer to `POST /research/generate`.
public struct ReportSubmitted: Codable, Sendable, Hashable {
    public var reportID: String
    public var status: String
    public var estimatedSeconds: Int
    public var pollURL: String

    enum CodingKeys: String, CodingKey {
        case reportID = "report_id"
        case status
        case estimatedSeconds = "estimated_seconds"
        case pollURL = "poll_url"
    }
}

/// The answer to `GET /research/reports/{id}/status`.
public struct ReportStatus: Codable, Sendable, Hashable {
    /// `pending`, `processing`, `completed` or `failed`; a cancelled report shows as `failed`.
    public var status: String
    public var progress: Int
    public var currentStep: String?
    public var errorMessage: String?
    public var completedAt: String?

    enum CodingKeys: String, CodingKey {
        case status, progress
        case currentStep = "current_step"
        case errorMessage = "error_message"
        case completedAt = "completed_at"
    }
}

/// An investor in whose voice reports are written.
public struct PersonaResource: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var name: String
    public var summary: String
    public var version: Int
}
