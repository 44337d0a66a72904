public import Foundation

/// One movement of a user's credits.
public struct LedgerEntry: Codable, Hashable, Sendable, Identifiable {
    /// What moved.
    public struct Movement: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Credits were given or taken back.
        public static let grant: Movement = "grant"
        /// Credits were set aside for a job.
        public static let hold: Movement = "hold"
        /// A job was paid.
        public static let settle: Movement = "settle"
        /// Credits of a job that made nothing came back.
        public static let release: Movement = "release"
    }
    /// Numbers that a movement changes, or that hold after it.
    public struct Sums: Codable, Hashable, Sendable {
        /// What can be spent.
        public let remaining: Int
        /// For jobs that are under way.
        public let held: Int
        /// For work that is done.
        public let used: Int
    }
    /// Grows with each movement.
    public let id: Int64
    /// What moved.
    public let type: Movement
    /// The credits that moved.
    public let amount: Int
    /// What the movement changed.
    public let effect: Sums
    /// The credits after it.
    public let after: Sums
    /// Where granted credits came from: `start`, `purchase`, `refund`, `gift`, …
    public let source: String?
    /// The month of a plan's grant, such as `2026-11`.
    public let month: String?
    /// The job that the movement is for.
    public let jobID: Job.ID?
    /// The kind of that job.
    public let kind: String?
    /// When it happened.
    public let at: Date
}

/// The sums of a user's credits in one month.
public struct CreditStatement: Codable, Hashable, Sendable {
    /// Such as `2026-11`.
    public let month: String
    /// The credits at its begin, held ones among them.
    public let opening: Int
    /// By source.
    public let granted: [String: Int]
    /// By kind of job.
    public let used: [String: Int]
    /// Plan credits that ended.
    public let expired: Int
    /// The credits at its end.
    public let closing: Int
    /// The jobs that were charged.
    public let jobs: Int
}

/// What a job cost, in words and in movements of credits.
public struct Receipt: Codable, Hashable, Sendable {
    /// The job.
    public let jobID: Job.ID
    /// Its kind.
    public let kind: String
    /// Its status.
    public let status: String
    /// The credits that were charged.
    public let charged: Int
    /// The credits that are set aside.
    public let held: Int
    /// The same as a sentence for the user.
    public let sentence: String
    /// The movements, the first one first.
    public let entries: [LedgerEntry]
}

/// The answer to a deletion.
public struct Deletion: Codable, Hashable, Sendable {
    /// Always true: what is not there is an error.
    public let deleted: Bool
}

/// The answer to the deletion of a conversation.
public struct ConversationDeletion: Codable, Hashable, Sendable {
    /// The turns that are gone.
    public let turnsDeleted: Int
}
