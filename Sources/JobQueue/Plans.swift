import Synchronization

/// What one user may take at once or in a day; `nil` means that there is no limit.
package struct Plan: Sendable, Equatable {
    /// The name of the plan for people.
    package var title = "Standard"
    /// The credits of a new user.
    package var startingCredits = 10
    /// The credits of each UTC month.
    package var monthlyCredits = 0
    /// The part of a month's credits that stays for the next month.
    package var carryOver = 0
    /// The cost of the user's model calls in a UTC day, in micro-dollars.
    package var spendPerDay: Int64 = 5_000_000
    package var requestsPerMinute: Int? = 100
    /// Event streams that are open at the same time.
    package var streams: Int? = 20
    /// Requests that wait for a change of a job at the same time.
    package var waitingPolls: Int? = 20
    package var unfinishedJobs: Int? = 500
    /// Bytes of inputs, results and conversations.
    package var storedBytes: Int? = 100 << 20
    /// Calls to each data source in a minute that the user's reading of stocks sets off.
    package var sourceCallsPerMinute: Int? = 60
    /// Explanations and summaries for everybody that the user's reading sets off in a UTC day.
    package var sharedWorkPerDay: Int? = 50
    /// Endpoints of webhooks.
    package var webhookEndpoints: Int? = 3

    package init() {}
}

/// What decides about the plan of a user: the operator's choice goes before the tier.
package struct PlanChoice: Sendable, Hashable {
    package static let longestName = 100

    /// The plan that an operator chose.
    package var chosen: String?
    /// The tier that the identity provider or the gateway named last.
    package var tier: String?

    package init(chosen: String? = nil, tier: String? = nil) { (self.chosen, self.tier) = (chosen, tier) }
}

/// The plans of an operator, and the limits of the whole service.
package struct Plans: Sendable, Equatable {
    /// What all users and the service itself may cost in a UTC day, in micro-dollars.
    package struct Service: Sendable, Equatable {
        package var spendPerDay: Int64 = 500_000_000
        /// The part of it for kinds of jobs without credits and for shared work.
        package var freeSpendPerDay: Int64 = 50_000_000
        /// Calls of one broker to each data source in a minute; `nil` for no limit.
        package var sourceCallsPerMinute: Int? = 240

        package init() {}
    }

    package var service = Service()
    package private(set) var plans: [String: Plan]
    package private(set) var defaultName: String

    /// The plan of a user for whom nothing else was chosen.
    package var standard: Plan {
        get { plans[defaultName] ?? Plan() }
        set { plans[defaultName] = newValue }
    }

    /// One plan for all users, with the limits that hold without a file.
    package init(standard: Plan = Plan()) {
        (plans, defaultName) = (["standard": standard], "standard")
    }

    /// The plans of a file; `nil` when `defaultName` is none of them.
    package init?(_ plans: [String: Plan], default defaultName: String, service: Service) {
        guard plans[defaultName] != nil else { return nil }
        (self.plans, self.defaultName, self.service) = (plans, defaultName, service)
    }

    /// The plan of a user. A name that no plan has counts as none.
    package func plan(for choice: PlanChoice) -> (name: String, plan: Plan) {
        for case let name? in [choice.chosen, choice.tier] {
            if let plan = plans[name] { return (name, plan) }
        }
        return (defaultName, standard)
    }

    /// The largest credits of a month that a plan has.
    package var largestMonthlyCredits: Int { plans.values.reduce(0) { max($0, $1.monthlyCredits) } }

    /// The plans after the settings that take precedence over them: new credits, and the limit of requests, where 0
    /// lifts all limits of numbers and bytes.
    package func overridden(startingCredits: Int?, requestsPerMinute: Int?) -> Plans {
        var plans = self
        for name in plans.plans.keys { plans.plans[name]?.override(startingCredits, requestsPerMinute) }
        if requestsPerMinute == 0 { plans.service.sourceCallsPerMinute = nil }
        return plans
    }
}

extension Plan {
    fileprivate mutating func override(_ startingCredits: Int?, _ requestsPerMinute: Int?) {
        if let startingCredits { self.startingCredits = startingCredits }
        guard let requestsPerMinute else { return }
        self.requestsPerMinute = requestsPerMinute
        guard requestsPerMinute == 0 else { return }
        (self.requestsPerMinute, streams, waitingPolls) = (nil, nil, nil)
        (unfinishedJobs, storedBytes, sharedWorkPerDay, sourceCallsPerMinute) = (nil, nil, nil, nil)
        webhookEndpoints = nil
    }
}

/// The plans that hold now, which a reload replaces, and the choices that decide about the plans of users who were seen
/// lately.
package final class CurrentPlans: Sendable {
    private struct Known {
        var choice: PlanChoice
        var readAt: ContinuousClock.Instant
    }

    private static let capacity = 100_000

    private let state: Mutex<Plans>
    private let known = Mutex<[UserID: Known]>([:])

    package init(_ plans: Plans = Plans()) { state = Mutex(plans) }

    package var value: Plans { state.withLock { $0 } }

    package func replace(with plans: Plans) { state.withLock { $0 = plans } }

    /// The plan of a user by the choice that was read last; `UserPlans` reads it for each request.
    package func plan(of user: UserID) -> Plan { named(user).plan }

    /// The same with the name of the plan.
    package func named(_ user: UserID) -> (name: String, plan: Plan) {
        value.plan(for: known.withLock { $0[user]?.choice } ?? PlanChoice())
    }

    /// The choice that was read at or after an instant.
    func choice(of user: UserID, since instant: ContinuousClock.Instant) -> PlanChoice? {
        known.withLock { known in known[user].flatMap { $0.readAt >= instant ? $0.choice : nil } }
    }

    func keep(_ choice: PlanChoice?, of user: UserID, readAt: ContinuousClock.Instant) {
        known.withLock { known in
            if known.count >= Self.capacity {
                known = known.filter { readAt - $0.value.readAt < UserPlans.lifetime }
                if known.count >= Self.capacity { known = [:] }
            }
            known[user] = choice.map { Known(choice: $0, readAt: readAt) }
        }
    }
}
