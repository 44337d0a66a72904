internal import JobQueue

/// The part of one shared budget that this process holds: a pure value that takes uptimes and replies and gives
/// decisions.
struct LocalBudget {
    /// The time for which a reply is current, so that a 429 of another process is known within a second.
    static let freshness: Duration = .seconds(1)

    /// The right to make one call.
    struct Permit: Sendable {
        var budget: ModelBudget
        var amount: BudgetAmount
        /// `BudgetReply.timestamp` of the grant that the permit is part of.
        var grantedAt: Timestamp
        /// Uptime.
        var usableUntil: Duration
    }

    enum Decision {
        case permit(Permit)
        case blocked(Duration)
        /// The store has to be asked first.
        case ask
    }

    let budget: ModelBudget
    private var unused = BudgetAmount()
    private var grantedAt = Timestamp(milliseconds: 0)
    private var usableUntil: Duration = .zero
    private var repliedAt: Duration?
    /// The last request for a current reply about a budget without limits.
    private var askedAt: Duration?
    private var blockedUntil: Duration = .zero
    /// Used minus granted, by grant.
    private var corrections: [Timestamp: BudgetAmount] = [:]
    /// The need of the calls that wait for their turn.
    private var queued = BudgetAmount()

    init(_ budget: ModelBudget) { self.budget = budget }

    mutating func enqueue(_ need: BudgetAmount) { queued = queued + need }
    mutating func dequeue(_ need: BudgetAmount) { queued = queued - need }

    /// The time that the queued calls need at the budget's rate.
    var backlog: Duration {
        func time(_ queued: Int64, _ limit: Int64?) -> Duration {
            limit.map { .milliseconds(queued * 60_000 / max(1, $0)) } ?? .zero
        }
        return max(
            time(queued.requests, budget.limits.requestsPerMinute), time(queued.tokens, budget.limits.tokensPerMinute))
    }

    /// A permit for a call that need not queue, because the budget has no limits. Once a second one of the calls asks
    /// the store, for blocks; the others use the last reply until then.
    mutating func takeUnlimited(at now: Duration) -> Permit? {
        guard budget.limits.isNone, let repliedAt, now - repliedAt < SharedBudget.grantLifetime, blockedUntil <= now
        else { return nil }
        if now - repliedAt >= Self.freshness {
            guard let askedAt, now - askedAt < Self.freshness else {
                askedAt = now
                return nil
            }
        }
        return unlimitedPermit(at: now)
    }

    private func unlimitedPermit(at now: Duration) -> Permit {
        Permit(
            budget: budget, amount: BudgetAmount(), grantedAt: Timestamp(milliseconds: 0),
            usableUntil: now + SharedBudget.grantLifetime)
    }

    /// Whether the last reply is too old to be relied on.
    func isStale(at now: Duration) -> Bool { repliedAt.map { now - $0 >= Self.freshness } ?? true }

    /// Takes a permit from the unused part of the last grant.
    mutating func take(_ need: BudgetAmount, at now: Duration) -> Decision {
        guard let repliedAt, now - repliedAt < Self.freshness else { return .ask }
        if blockedUntil > now { return .blocked(blockedUntil - now) }
        if budget.limits.isNone { return .permit(unlimitedPermit(at: now)) }
        guard now < usableUntil, unused.covers(need) else { return .ask }
        unused = unused - need
        return .permit(Permit(budget: budget, amount: need, grantedAt: grantedAt, usableUntil: usableUntil))
    }

    /// The request to send for a call. A remainder that is too small for the call is returned with it.
    mutating func request(for need: BudgetAmount, isInteractive: Bool, at now: Duration) -> BudgetRequest {
        var request = BudgetRequest(budget)
        request.isInteractive = isInteractive
        if !budget.limits.isNone, now >= usableUntil || !unused.covers(need) {
            returnUnused()
            request.need = need
            request.wanted = need + queued
        }
        request.corrections = takeCorrections()
        return request
    }

    /// The request that reports corrections; `nil` when there are none or they can wait for the next request.
    mutating func settlement(at now: Duration) -> BudgetRequest? {
        guard !corrections.isEmpty, repliedAt.map({ now - $0 >= Self.freshness }) ?? true else { return nil }
        var request = BudgetRequest(budget)
        request.corrections = takeCorrections()
        return request
    }

    /// Takes in a reply. The lifetime of a grant counts from before the request; the reply is current from its arrival
    /// on, so that a call after a slow request can use it.
    mutating func receive(_ reply: BudgetReply, askedAt start: Duration, at now: Duration) {
        repliedAt = max(repliedAt ?? now, now)
        blockedUntil = reply.blockedFor.map { now + $0 } ?? .zero
        guard let granted = reply.granted else { return }
        returnUnused()
        (unused, grantedAt, usableUntil) = (granted, reply.timestamp, start + SharedBudget.grantLifetime)
    }

    /// Keeps the corrections of a request that failed for the next one.
    mutating func restore(_ request: BudgetRequest) {
        for correction in request.corrections { correct(correction.amount, grantedAt: correction.grantedAt) }
    }

    /// Notes the difference between the use of a call and its permit.
    mutating func correct(_ difference: BudgetAmount, grantedAt: Timestamp) {
        guard !budget.limits.isNone, !difference.isZero else { return }
        corrections[grantedAt] = (corrections[grantedAt] ?? BudgetAmount()) + difference
    }

    private mutating func returnUnused() {
        correct(BudgetAmount() - unused, grantedAt: grantedAt)
        unused = BudgetAmount()
    }

    private mutating func takeCorrections() -> [BudgetCorrection] {
        defer { corrections = [:] }
        return corrections.sorted { $0.key < $1.key }.map { BudgetCorrection(grantedAt: $0.key, amount: $0.value) }
    }
}

extension BudgetAmount {
    fileprivate func covers(_ need: BudgetAmount) -> Bool { requests >= need.requests && tokens >= need.tokens }
}
