package import JobQueue

/// The room that the budgets of models have for the first calls of background jobs.
///
/// A worker claims a background job only when its first call can begin within two seconds: jobs wait in the database,
/// where users take turns, and not in line in a worker.
package struct ClaimGate: Sendable {
    package struct Room: Hashable, Sendable {
        /// The first calls that may begin; `nil` for no limit.
        package var count: Int?
        /// Without any: the time after which there may be one.
        package var wait: Duration
        /// Without any: why, for operators.
        package var held: HeldKind?

        package init(count: Int?, wait: Duration = .zero, held: HeldKind? = nil) {
            self.count = count
            self.wait = wait
            self.held = held
        }
    }

    let room: @Sendable (_ tier: String) async -> Room
    let expect: @Sendable (JobID, _ tier: String) -> Void
    let forget: @Sendable (JobID, _ tier: String) -> Void

    /// - Parameters:
    ///   - room: The room for jobs whose first call goes to a tier.
    ///   - expect: Is told of each claimed job, whose first call takes room.
    ///   - forget: Is told of its end.
    package init(
        room: @escaping @Sendable (_ tier: String) async -> Room,
        expect: @escaping @Sendable (JobID, _ tier: String) -> Void,
        forget: @escaping @Sendable (JobID, _ tier: String) -> Void
    ) {
        (self.room, self.expect, self.forget) = (room, expect, forget)
    }
}

/// What a worker may claim now.
struct ClaimAllowance: Sendable {
    var slots: [QueueName: Int]
    var excluded: ClaimExclusions
    /// The time after which it may be more; `nil` when no budget limits it.
    var wait: Duration?
}

/// Decides on the background jobs that may be claimed: a pure value over the rooms of the tiers.
struct ClaimLimiter: Sendable {
    /// The time for which no background job is claimed because one budget is full. Then the kinds of that budget are
    /// left out of claims, which makes these search through the waiting jobs.
    private static let fullTime: Duration = .seconds(1)

    /// The uptime since which a budget has been full.
    private var fullSince: ContinuousClock.Instant?
    /// The kinds that the last claim left out.
    private(set) var held: [String: HeldKind] = [:]

    /// - Parameters:
    ///   - slots: The free slots of the worker.
    ///   - excluded: What the worker cannot run.
    ///   - rooms: For each tier its kinds and the room for their first calls.
    ///   - now: The time.
    /// - Returns: What may be claimed.
    mutating func allowance(
        _ slots: [QueueName: Int], _ excluded: ClaimExclusions, rooms: [(kinds: [String], room: ClaimGate.Room)],
        at now: ContinuousClock.Instant
    ) -> ClaimAllowance {
        var allowance = ClaimAllowance(slots: slots, excluded: excluded)
        var most = slots[.background, default: 0]
        var full: Set<String> = []
        held = [:]
        for (kinds, room) in rooms {
            guard let count = room.count else { continue }
            if count > 0 {
                most = min(most, count)
            } else {
                full.formUnion(kinds)
                if let cause = room.held { for kind in kinds { held[kind] = cause } }
                allowance.wait = min(allowance.wait ?? room.wait, room.wait)
            }
        }
        guard !full.isEmpty else {
            fullSince = nil
            allowance.slots[.background] = most
            return allowance
        }
        let since = fullSince ?? now
        fullSince = since
        if now - since < Self.fullTime {
            allowance.slots[.background] = 0
        } else {
            allowance.slots[.background] = most
            allowance.excluded.kinds.formUnion(full)
        }
        return allowance
    }
}
