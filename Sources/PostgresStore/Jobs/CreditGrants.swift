internal import JSON
package import JobQueue
import SQLSupport

extension PostgresStore {
    package func grant(
        _ grant: NewCreditGrant, audit: AuditEntry
    ) async throws(StoreError) -> CreditGranting {
        let entry = audit.stored.compact
        try Texts.rejectNUL([("external_id", grant.externalID), ("note", grant.note), ("audit", entry)])
        let statement = Statement(.grantOnce) { parameters in
            parameters.add(now?().milliseconds)
            parameters.add(grant.externalDigest)
            parameters.add(grant.externalID)
            parameters.add(grant.id)
            parameters.add(grant.user.rawValue)
            parameters.add(Int64(grant.amount))
            parameters.add(grant.source.rawValue)
            parameters.add(grant.note)
            parameters.add(Int64(grant.startingCredits))
            parameters.add(entry)
        }
        // A repeated call finds its own grant, whose id tells it from an earlier one.
        let rows = try await perform(statement, in: writers, writes.records) { row in
            (state: row.text(), grant: try CreditGrant(&row))
        }
        guard let row = rows.first else { return .tooMany }
        if row.state == "conflict" { return .conflict }
        return row.grant.id == grant.id.description ? .granted(row.grant) : .existing(row.grant)
    }

    package func openCredits(of user: UserID, startingCredits: Int) async throws(StoreError) {
        let statement = Statement(.openCredits) { parameters in
            parameters.add(now?().milliseconds)
            parameters.add(user.rawValue)
            parameters.add(Int64(startingCredits))
        }
        let _: [Void] = try await perform(statement, in: writers, writes.records) { _ in }
    }
}
