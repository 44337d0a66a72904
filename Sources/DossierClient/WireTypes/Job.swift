// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// A piece of work that the server does in the background.
public struct Job: Codable, Hashable, Sendable, Identifiable {
    public struct ID: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What is to be done. A kind added on the server as a file is used by its name: `Job.Kind("quiz")`.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let research: Kind = "research"
        public static let explanation: Kind = "explanation"
        public static let analyze: Kind = "analyze"
        public static let interpret: Kind = "interpret"
        public static let summary: Kind = "summary"
        public static let chat: Kind = "chat"
        public static let education: Kind = "education"
        public static let brief: Kind = "brief"
        public static let training: Kind = "training"
        public static let forecast: Kind = "forecast"
    }

    public struct Status: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let pending: Status = "pending"
        public static let processing: Status = "processing"
        public static let completed: Status = "completed"
        public static let failed: Status = "failed"
        public static let cancelled: Status = "cancelled"
    }

    /// A number that grows with every visible change; from `ETag` and event ids. A client never shows a lower one
    /// after a higher one.
    public typealias Revision = Int64

    /// Why the job failed or, while it waits for another attempt, why the last one did.
    public struct Failure: Codable, Hashable, Sendable {
        public let code: DossierError.Code
        /// For developers.
        public let message: String
        /// For the person who uses the app.
        public let userMessage: String
    }

    /// What a pending job waits for.
    public struct Block: Codable, Hashable, Sendable {
        public struct Reason: OpenEnum {
            public let rawValue: String
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
            /// No worker is alive that can run it.
            public static let noWorker: Reason = "no_worker"
        }
        public let reason: Reason
        public let until: Date?
        public let jobID: Job.ID?
    }

    public let id: ID
    public let kind: Kind
    public let status: Status
    /// 0 to 100; never goes backwards within an attempt.
    public let progress: Int
    /// A phrase for the person who waits.
    public let currentStep: String?
    public let attempt: Int
    public let error: Failure?
    public let blockedBy: Block?
    public let createdAt: Date
    public let startedAt: Date?
    public let completedAt: Date?
    /// Not part of the body; `nil` in lists.
    public internal(set) var revision: Revision?

    /// True when the job is completed, failed or cancelled.
    public var isFinished: Bool { [.completed, .failed, .cancelled].contains(status) }

    private enum CodingKeys: String, CodingKey {
        case id, kind, status, progress, currentStep, attempt, error, blockedBy, createdAt, startedAt, completedAt
    }
}
