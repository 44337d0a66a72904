internal import JobQueue

/// The work for all users that one user's reading may set off in a day: explanations of stories and summaries.
///
/// The reader pays no credit for it, so that without a bound one reader could spend the budget of all.
struct SharedWorkAllowance: Sendable {
    let plans: CurrentPlans
    let records: any SharedWorkRepository
    let now: @Sendable () -> Timestamp

    /// Counts pieces of work, each once a day, and returns those within the allowance of the user's plan.
    func counted(_ keys: [String], of user: UserID) async throws(StoreError) -> Set<String> {
        guard let limit = plans.plan(of: user).sharedWorkPerDay else { return Set(keys) }
        if keys.isEmpty || limit == 0 { return [] }
        return try await records.countSharedWork(
            keys, of: user, day: now().milliseconds / 86_400_000, limit: limit)
    }
}
