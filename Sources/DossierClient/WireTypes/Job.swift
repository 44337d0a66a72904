public import Foundation

/// A piece of work that the server does in the background.
public struct Job: Codable, Hashable, Sendable, Identifiable {
    /// Names a job.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What is to be done. A kind added on the server as a file is used by its name: `Job.Kind("quiz")`.
    public struct Kind: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A report in an investor's voice; ``ResearchInput``.
        public static let research: Kind = "research"
        /// Companies side by side; ``ComparisonInput``.
        public static let comparison: Kind = "comparison"
        /// An explanation of a story; ``ExplanationInput``.
        public static let explanation: Kind = "explanation"
        /// What an article or a video teaches; ``AnalysisInput``.
        public static let analyze: Kind = "analyze"
        /// Whether a text matters to an investor; ``InterpretationInput``.
        public static let interpret: Kind = "interpret"
        /// A summary of an article; ``SummaryInput``.
        public static let summary: Kind = "summary"
        /// An answer about an article; ``ArticleQuestionInput``.
        public static let chat: Kind = "chat"
        /// An answer about investing; ``EducationInput``.
        public static let education: Kind = "education"
        /// The brief of the day.
        public static let brief: Kind = "brief"
        /// A trained model; ``TrainingInput``.
        public static let training: Kind = "training"
        /// The quality of a forecast; ``ForecastInput``.
        public static let forecast: Kind = "forecast"
    }

    /// How far a job is.
    public struct Status: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// It waits; ``Job/blockedBy`` may say for what.
        public static let pending: Status = "pending"
        /// A worker has it.
        public static let processing: Status = "processing"
        /// Its result can be read.
        public static let completed: Status = "completed"
        /// It has ended without a result; ``Job/error`` says why.
        public static let failed: Status = "failed"
        /// It was ended on request.
        public static let cancelled: Status = "cancelled"
    }

    /// A number that grows with every visible change; from `ETag` and event ids. A client never shows a lower one
    /// after a higher one.
    public typealias Revision = Int64

    /// Why the job failed or, while it waits for another attempt, why the last one did.
    public struct Failure: Codable, Hashable, Sendable {
        /// Tells failures apart.
        public let code: DossierError.Code
        /// For developers.
        public let message: String
        /// For the person who uses the app.
        public let userMessage: String
    }

    /// What a pending job waits for.
    public struct Block: Codable, Hashable, Sendable {
        /// What sort of thing a job waits for.
        public struct Reason: OpenEnum {
            /// As it is on the wire.
            public let rawValue: String
            /// Takes any text.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Its time has not come, or it pauses before a retry.
            public static let runAt: Reason = "run_at"
            /// An earlier job of the same conversation.
            public static let job: Reason = "job"
            /// As many jobs of its kind run as may.
            public static let limit: Reason = "limit"
            /// Work shared with other users has not begun.
            public static let shared: Reason = "shared"
            /// It pauses before another attempt.
            public static let retry: Reason = "retry"
            /// No provider of models can be asked.
            public static let provider: Reason = "provider"
            /// Its model call is in a batch.
            public static let batch: Reason = "batch"
            /// An operator has paused its kind; its time stands still.
            public static let paused: Reason = "paused"
            /// No worker is alive that can run it.
            public static let noWorker: Reason = "no_worker"
        }
        /// What sort of thing it is.
        public let reason: Reason
        /// When the wait ends, where that is known.
        public let until: Date?
        /// The job that it waits for.
        public let jobID: Job.ID?
    }

    /// Names the job.
    public let id: ID
    /// What is to be done.
    public let kind: Kind
    /// What it is about, in a line for lists: `AAPL as Warren Buffett`.
    public let subject: String?
    /// How far it is.
    public let status: Status
    /// 0 to 100; never goes backwards within an attempt.
    public let progress: Int
    /// A phrase for the person who waits.
    public let currentStep: String?
    /// The number of the attempt, from 1; 0 before the first.
    public let attempt: Int
    /// Why it failed, or why the last attempt did.
    public let error: Failure?
    /// What it waits for while it is pending.
    public let blockedBy: Block?
    /// When it was submitted.
    public let createdAt: Date
    /// When the first attempt began.
    public let startedAt: Date?
    /// When it ended.
    public let completedAt: Date?
    /// When the result is to be expected, in the answer to a submission with ``Submission/within``.
    public let estimatedAt: Date?
    /// Not part of the body; `nil` in lists.
    public internal(set) var revision: Revision?

    /// True when the job is completed, failed or cancelled.
    public var isFinished: Bool { [.completed, .failed, .cancelled].contains(status) }

    private enum CodingKeys: String, CodingKey {
        case id, kind, subject, status, progress, currentStep, attempt, error, blockedBy, createdAt, startedAt
        case completedAt, estimatedAt
    }
}
