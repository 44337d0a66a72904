/// A user's credits; `granted == remaining + held + used`.
public struct CreditsResource: Codable, Sendable, Hashable {
    public var granted: Int
    public var remaining: Int
    /// For jobs that are under way.
    public var held: Int
    public var used: Int
}

/// The answer to `GET /users/me`.
public struct UserResource: Codable, Sendable, Hashable, Identifiable {
    public var id: Int64
    /// Who the user is outside Dossier.
    public var subject: String
    public var createdAt: String
    public var credits: CreditsResource

    enum CodingKeys: String, CodingKey {
        case id, subject, credits
        case createdAt = "created_at"
    }
}
