package import JSON

/// The sender of a write that is audited.
package struct AuditActor: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case user, key, cli
    }

    package var kind: Kind
    /// The user's number or the key's id; for the command line its user on the machine.
    package var id: String
    /// The user's subject or the key's name.
    package var name: String

    package init(_ kind: Kind, id: String, name: String) { (self.kind, self.id, self.name) = (kind, id, name) }
}

/// A write of an operator, an API key or the command line. It is stored in the transaction of the write that it tells of.
package struct AuditEntry: Hashable, Sendable {
    /// The most characters of the note of an operator.
    package static let longestNote = 500

    /// A UUID of version 7: an entry that is written again is the same entry.
    package var id: String
    /// The store's time of the write, after it has been stored.
    package var at: Timestamp
    package var actor: AuditActor
    /// A noun and a verb: `jobs.cancel`.
    package var action: String
    /// The id of the thing that was changed; the subject for a user.
    package var target: String?
    /// The user that the entry is about: an erasure takes the name out of its target.
    package var user: UserID?
    /// An object.
    package var details: JSON
    package var requestID: String?

    package init(
        id: JobID, at: Timestamp, actor: AuditActor, action: String, target: String? = nil, user: UserID? = nil,
        details: JSON = [:], requestID: String? = nil
    ) {
        (self.id, self.at, self.actor, self.action) = (id.description, at, actor, action)
        (self.target, self.user, self.details, self.requestID) = (target, user, details, requestID)
    }

    /// The form in which a store takes it.
    package var stored: JSON {
        [
            "id": JSON(id), "actor_type": JSON(actor.kind.rawValue), "actor_id": JSON(actor.id),
            "actor_name": JSON(actor.name), "action": JSON(action), "target": target.map { JSON($0) } ?? .null,
            "user": user.map { JSON($0.rawValue) } ?? .null, "details": JSON(details.compact),
            "request_id": requestID.map { JSON($0) } ?? .null,
        ]
    }
}

/// The entries that a reader of the audit wants; `nil` members match all.
package struct AuditFilter: Hashable, Sendable {
    /// The id or the name of the actor.
    package var actor: String?
    package var action: String?
    package var target: String?
    package var from: Timestamp?
    /// Entries before this time.
    package var to: Timestamp?

    package init(
        actor: String? = nil, action: String? = nil, target: String? = nil, from: Timestamp? = nil,
        to: Timestamp? = nil
    ) {
        (self.actor, self.action, self.target, self.from, self.to) = (actor, action, target, from, to)
    }
}

/// Keeps the audit, which is append-only.
package protocol AuditRepository: Sendable {
    /// Stores an entry about an action that changes nothing in the store. A write takes its entry along instead.
    func writeAudit(_ entry: AuditEntry) async throws(StoreError)

    /// Deletes entries from before a time, the oldest first, and returns their number.
    func deleteAudit(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// The entries that match, newest first.
    func auditEntries(
        _ filter: AuditFilter, after cursor: TimeCursor?, limit: Int
    ) async throws(StoreError) -> [AuditEntry]
}
