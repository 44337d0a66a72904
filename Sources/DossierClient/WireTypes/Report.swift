public import Foundation

/// A report as `/research/reports` shows it; a report is a job of kind `research`.
public struct Report: Codable, Hashable, Sendable, Identifiable {
    /// The job.
    public let id: Job.ID
    /// The company.
    public let ticker: String?
    /// In whose voice it is.
    public let investorPersona: Persona.ID?
    /// `pending`, `processing`, `completed` or `failed`; a cancelled report shows as `failed`.
    public let status: Job.Status
    /// 0 to 100.
    public let progress: Int
    /// A phrase for the person who waits.
    public let currentStep: String?
    /// Why there is no result, for people.
    public let errorMessage: String?
    /// When it was asked for.
    public let createdAt: Date
    /// When it ended.
    public let completedAt: Date?
    /// Present in a completed report, never in lists. The wire has its members beside the others.
    public let result: ResearchReport?
    /// Whether a filing is newer than those of the report; `nil` when that is not known now.
    public let isOutdated: Bool?
    /// The newest filing, where it is newer than those of the report.
    public let newerFiling: Filing?

    /// A filing that a report does not know.
    public struct Filing: Codable, Hashable, Sendable {
        /// The number of the filing.
        public let accessionNumber: String
        /// The form: `10-K`, `10-Q`, …
        public let form: String?
        /// `YYYY-MM-DD`.
        public let filed: String?
    }

    private enum CodingKeys: String, CodingKey {
        case id = "reportID"
        case ticker, investorPersona, status, progress, currentStep, errorMessage, createdAt, completedAt
        case isOutdated, newerFiling
    }

    private enum ResultKeys: String, CodingKey {
        case report
    }

    /// Reads the wire's form.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Job.ID.self, forKey: .id)
        ticker = try values.decodeIfPresent(String.self, forKey: .ticker)
        investorPersona = try values.decodeIfPresent(Persona.ID.self, forKey: .investorPersona)
        status = try values.decode(Job.Status.self, forKey: .status)
        progress = try values.decode(Int.self, forKey: .progress)
        currentStep = try values.decodeIfPresent(String.self, forKey: .currentStep)
        errorMessage = try values.decodeIfPresent(String.self, forKey: .errorMessage)
        createdAt = try values.decode(Date.self, forKey: .createdAt)
        completedAt = try values.decodeIfPresent(Date.self, forKey: .completedAt)
        isOutdated = try values.decodeIfPresent(Bool.self, forKey: .isOutdated)
        newerFiling = try values.decodeIfPresent(Filing.self, forKey: .newerFiling)
        let isThere = try decoder.container(keyedBy: ResultKeys.self).contains(.report)
        result = isThere ? try ResearchReport(from: decoder) : nil
    }

    /// Writes the wire's form.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encodeIfPresent(ticker, forKey: .ticker)
        try values.encodeIfPresent(investorPersona, forKey: .investorPersona)
        try values.encode(status, forKey: .status)
        try values.encode(progress, forKey: .progress)
        try values.encodeIfPresent(currentStep, forKey: .currentStep)
        try values.encodeIfPresent(errorMessage, forKey: .errorMessage)
        try values.encode(createdAt, forKey: .createdAt)
        try values.encodeIfPresent(completedAt, forKey: .completedAt)
        try values.encodeIfPresent(isOutdated, forKey: .isOutdated)
        try values.encodeIfPresent(newerFiling, forKey: .newerFiling)
        try result?.encode(to: encoder)
    }
}

/// The answer to `POST /research/generate`.
public struct ReportTicket: Codable, Hashable, Sendable {
    /// The job.
    public let reportID: Job.ID
    /// How far it is.
    public let status: Job.Status
    /// How long such reports take.
    public let estimatedSeconds: Int
    /// Where its status is.
    public let pollURL: String
}

/// The answer to `GET /research/reports/{id}/status`.
public struct ReportStatus: Codable, Hashable, Sendable {
    /// `pending`, `processing`, `completed` or `failed`.
    public let status: Job.Status
    /// 0 to 100.
    public let progress: Int
    /// A phrase for the person who waits.
    public let currentStep: String?
    /// Why there is no result, for people.
    public let errorMessage: String?
    /// When it ended.
    public let completedAt: Date?
    /// The steps of the work, in its order.
    public let steps: [Step]?

    /// A step of the work.
    public struct Step: Codable, Hashable, Sendable {
        /// How far a step is.
        public struct State: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// It has not begun.
            public static let pending: State = "pending"
            /// It is under way.
            public static let running: State = "running"
            /// It has ended.
            public static let done: State = "done"
            /// It has failed.
            public static let failed: State = "failed"
        }
        /// The progress at its end, 0 to 100.
        public let progress: Int
        /// A phrase for the person who waits.
        public let title: String
        /// How far it is.
        public let state: State
    }
}

/// An investor in whose voice reports are written.
public struct Persona: Codable, Hashable, Sendable, Identifiable {
    /// Names a persona.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    /// Names the persona.
    public let id: ID
    /// For people.
    public let name: String
    /// What the investor looks for.
    public let summary: String
    /// Grows with each change.
    public let version: Int
    /// A sentence as the investor would say it.
    public let voice: String?
    /// The lowest scores of the verdicts.
    public let thresholds: Thresholds?

    /// The lowest scores (0 to 100) of the verdicts "fits" and "mixed".
    public struct Thresholds: Codable, Hashable, Sendable {
        /// From this score on the company fits the investor.
        public let fits: Double
        /// From this score on the picture is mixed.
        public let mixed: Double
    }
}
