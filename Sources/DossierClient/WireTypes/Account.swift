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
