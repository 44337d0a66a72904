internal import Basics

/// Stores what decides about the plans of users.
package protocol PlanRepository: Sendable {
    func planChoice(of user: UserID) async throws(StoreError) -> PlanChoice

    /// Stores the tier that was seen last.
    func noteTier(_ tier: String?, of user: UserID) async throws(StoreError)

    /// Stores the operator's choice, with the audit entry about it; `nil` takes it back. `false` for an unknown user.
    func choosePlan(_ plan: String?, for user: UserID, audit: AuditEntry) async throws(StoreError) -> Bool
}

/// Reads the choices that decide about the plans of users.
///
/// A choice is read at most once a second for each user, and never where there is one plan for all.
package struct UserPlans: Sendable {
    static let lifetime: Duration = .seconds(1)

    private let current: CurrentPlans
    private let records: any PlanRepository
    private let now: @Sendable () -> ContinuousClock.Instant

    package init(
        _ current: CurrentPlans, records: any PlanRepository,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        (self.current, self.records, self.now) = (current, records, now)
    }

    /// The plan of a user, read when what is known is older than a second. While the database is away, the last one
    /// holds.
    @discardableResult
    package func plan(of user: UserID) async -> Plan {
        if current.value.plans.count > 1 {
            let start = now()
            if current.choice(of: user, since: start - Self.lifetime) == nil,
                let choice = try? await records.planChoice(of: user)
            {
                current.keep(choice, of: user, readAt: start)
            }
        }
        return current.plan(of: user)
    }

    /// Stores the tier that an identity provider named when it is another one than before.
    package func note(tier: String?, of user: UserID) async throws(StoreError) {
        let tier = tier.map { String($0.prefix(scalars: PlanChoice.longestName)) }
        let start = now()
        var choice = try await records.planChoice(of: user)
        if choice.tier != tier {
            try await records.noteTier(tier, of: user)
            choice.tier = tier
        }
        current.keep(choice, of: user, readAt: start)
    }

    /// Stores the tier that a request names, as those of a gateway do, when it is another one than was read last. With one plan
    /// for all it decides nothing.
    package func note(tierOfRequest tier: String, of user: UserID) async throws(StoreError) {
        guard current.value.plans.count > 1 else { return }
        if current.choice(of: user, since: now() - .seconds(3600))?.tier == tier { return }
        try await note(tier: tier, of: user)
    }

    /// Forgets the choice of a user, which has changed.
    package func forget(_ user: UserID) { current.keep(nil, of: user, readAt: now()) }
}
