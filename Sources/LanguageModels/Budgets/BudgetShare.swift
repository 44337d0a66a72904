/// What a process knows and has of one budget. A pure value: uptimes and answers go in, decisions come out.
struct LocalBudget {
    /// How long what a bank said holds. So a "too many" that another process met is known within a second.
    static let freshness: Duration = .seconds(1)
    /// How long a loan may be used.
    static let loanTime: Duration = .seconds(5)

    /// The right to make one call.
    struct Permit: Sendable {
        var budget: ModelBudget
        var use: BudgetUse
        /// The moment of the loan that it is taken from.
        var timestamp: Int64
        /// Uptime.
        var usableUntil: Duration
    }

    enum Decision {
        case go(Permit)
        case blocked(Duration)
        /// The bank has to be asked.
        case ask
    }

    let budget: ModelBudget
    private var rest = BudgetUse()
    private var timestamp: Int64 = 0
    private var usableUntil: Duration = .zero
    private var answeredAt: Duration?
    /// When somebody last set out to ask for news of a budget without limits.
    private var newsAskedAt: Duration?
    private var blockedUntil: Duration = .zero
    private var corrections: [Int64: BudgetUse] = [:]
    /// Calls that wait for their turn, and what they need.
    private var queued = BudgetUse()

    init(_ budget: ModelBudget) { self.budget = budget }

    mutating func enqueue(_ need: BudgetUse) { queued = queued + need }
    mutating func dequeue(_ need: BudgetUse) { queued = queued - need }

    /// How long the calls in the line will need at the budget's rate.
    var backlog: Duration {
        func time(_ queued: Int64, _ limit: Int64?) -> Duration {
            limit.map { .milliseconds(queued * 60_000 / max(1, $0)) } ?? .zero
        }
        return max(time(queued.requests, budget.requestsPerMinute), time(queued.tokens, budget.tokensPerMinute))
    }

    /// Lets a call by without a line, where there are no limits to keep. Once a second one of them has to ask for news;
    /// the others meanwhile go on what is known.
    mutating func passWithoutLine(at now: Duration) -> Permit? {
        guard budget.isUnlimited, let answeredAt, now - answeredAt < Self.loanTime, blockedUntil <= now else {
            return nil
        }
        if now - answeredAt >= Self.freshness {
            guard let newsAskedAt, now - newsAskedAt < Self.freshness else {
                newsAskedAt = now
                return nil
            }
        }
        return permitWithoutLimits(at: now)
    }

    private func permitWithoutLimits(at now: Duration) -> Permit {
        Permit(budget: budget, use: BudgetUse(), timestamp: 0, usableUntil: now + Self.loanTime)
    }

    /// Whether a call may go on what is known and left.
    mutating func take(_ need: BudgetUse, at now: Duration) -> Decision {
        guard let answeredAt, now - answeredAt < Self.freshness else { return .ask }
        if blockedUntil > now { return .blocked(blockedUntil - now) }
        if budget.isUnlimited {
            return .go(permitWithoutLimits(at: now))
        }
        guard now < usableUntil, rest.covers(need) else { return .ask }
        rest = rest - need
        return .go(Permit(budget: budget, use: need, timestamp: timestamp, usableUntil: usableUntil))
    }

    /// What to ask for a call; what is left and not enough goes back with it.
    mutating func request(for need: BudgetUse, isInteractive: Bool, at now: Duration) -> BudgetRequest {
        var request = BudgetRequest(budget)
        request.isInteractive = isInteractive
        if !budget.isUnlimited, now >= usableUntil || !rest.covers(need) {
            giveBackRest()
            request.need = need
            request.wanted = need + queued
        }
        request.corrections = takeCorrections()
        return request
    }

    /// Tells what is known of earlier loans; `nil` when there is nothing to tell, or it can wait for the next request.
    mutating func settlement(at now: Duration) -> BudgetRequest? {
        guard !corrections.isEmpty, answeredAt.map({ now - $0 >= Self.freshness }) ?? true else { return nil }
        var request = BudgetRequest(budget)
        request.corrections = takeCorrections()
        return request
    }

    /// Takes in an answer. The loan is counted from before the question was asked; the answer is fresh from its arrival
    /// on, since whoever asked a slow bank must be able to go on what it said.
    mutating func learn(_ answer: BudgetAnswer, askedAt start: Duration, at now: Duration) {
        answeredAt = max(answeredAt ?? now, now)
        blockedUntil = answer.blockedFor.map { now + $0 } ?? .zero
        guard let granted = answer.granted else { return }
        giveBackRest()
        (rest, timestamp, usableUntil) = (granted, answer.timestamp, start + Self.loanTime)
    }

    /// A request that nobody took: its corrections stay to be told.
    mutating func restore(_ request: BudgetRequest) {
        for correction in request.corrections { correct(correction.amount, of: correction.timestamp) }
    }

    /// Notes what a call used of its permit.
    mutating func correct(_ difference: BudgetUse, of timestamp: Int64) {
        guard !budget.isUnlimited, !difference.isZero else { return }
        corrections[timestamp] = (corrections[timestamp] ?? BudgetUse()) + difference
    }

    private mutating func giveBackRest() {
        correct(BudgetUse() - rest, of: timestamp)
        rest = BudgetUse()
    }

    private mutating func takeCorrections() -> [BudgetRequest.Correction] {
        defer { corrections = [:] }
        return corrections.sorted { $0.key < $1.key }.map { .init(timestamp: $0.key, amount: $0.value) }
    }
}
