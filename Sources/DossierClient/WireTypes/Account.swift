public import Foundation

/// `granted == remaining + held + used`.
public struct Credits: Codable, Hashable, Sendable {
    /// All that were ever given.
    public let granted: Int
    /// What can be spent now.
    public let remaining: Int
    /// For jobs that are under way.
    public let held: Int
    /// For work that is done.
    public let used: Int
}

/// Who the server takes the user for.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// The number of the user in Dossier.
    public let id: Int64
    /// The user's name outside of Dossier.
    public let subject: String
    /// When the user was first seen.
    public let createdAt: Date
    /// What the user can spend.
    public let credits: Credits
    /// The plan, whose limits hold for the user.
    public let plan: Plan?
    /// The UTC month of `monthly`.
    public let period: Period?
    /// The credits that the plan gave in the month.
    public let monthly: MonthlyCredits?

    /// A stretch of time.
    public struct Period: Codable, Hashable, Sendable {
        /// The begin.
        public let from: Date
        /// The end, which does not belong to it.
        public let to: Date
    }

    /// The plan credits of a month.
    public struct MonthlyCredits: Codable, Hashable, Sendable {
        /// The credits that came in the month.
        public let granted: Int
        /// The plan credits that were used in it; they are used before all others.
        public let used: Int
    }
}

/// The plan of a user.
public struct Plan: Codable, Hashable, Sendable, Identifiable {
    /// The name of the plan for operators.
    public let id: String
    /// The name for people.
    public let title: String
    /// The limits of the plan.
    public let limits: Limits

    /// What the user may take; `nil` for no limit.
    public struct Limits: Codable, Hashable, Sendable {
        /// The cost of the user's work in a UTC day.
        public let spendDollarsPerDay: Double?
        /// Requests in a minute.
        public let requestsPerMinute: Int?
        /// Event streams that are open at the same time.
        public let streams: Int?
        /// Requests that wait for a change of a job at the same time.
        public let waitingPolls: Int?
        /// Jobs that are not finished.
        public let unfinishedJobs: Int?
        /// Inputs, results and conversations.
        public let storedMebibytes: Int?
        /// Explanations and summaries for all users that the user's reading sets off in a UTC day.
        public let sharedWorkPerDay: Int?
        /// Calls to each data source that the user's reading of stocks sets off.
        public let sourceCallsPerMinute: Int?
        /// Addresses that hear of the user's jobs.
        public let webhookEndpoints: Int?
    }
}

/// The answer of a service that runs.
public struct Health: Codable, Hashable, Sendable {
    /// `ok`.
    public let status: String
}

/// Whether the service can do work.
public struct Readiness: Codable, Hashable, Sendable {
    /// `ready`; a service that is not answers with an error.
    public let status: String
    /// How the database is.
    public let database: String
    /// How the workers are.
    public let worker: String
}

/// The erasure of an account, which goes on for some seconds.
public struct AccountDeletion: Codable, Hashable, Sendable, Identifiable {
    /// Names an erasure. Keep it: there is no other way to ask about one.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The erasure.
    public var id: ID { deletionID }
    let deletionID: ID
    /// When everything is gone at the latest.
    public let completeBy: Date
}

/// How far the erasure of an account is.
public struct AccountDeletionStatus: Codable, Hashable, Sendable {
    /// `running` or `completed`.
    public struct Status: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Some of the account is still there.
        public static let running: Status = "running"
        /// Everything is gone.
        public static let completed: Status = "completed"
    }

    /// The state.
    public let status: Status
    /// When everything was gone.
    public let completedAt: Date?
}
