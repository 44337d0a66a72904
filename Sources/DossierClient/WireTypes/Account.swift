// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// `granted == remaining + held + used`.
public struct Credits: Codable, Hashable, Sendable {
    public let granted: Int
    public let remaining: Int
    /// For jobs that are under way.
    public let held: Int
    public let used: Int
}

public struct User: Codable, Hashable, Sendable, Identifiable {
    public let id: Int64
    /// The user's name outside of Dossier.
    public let subject: String
    public let createdAt: Date
    public let credits: Credits
}

public struct Health: Codable, Hashable, Sendable {
    public let status: String
}

public struct Readiness: Codable, Hashable, Sendable {
    public let status: String
    public let database: String
    public let worker: String
}
