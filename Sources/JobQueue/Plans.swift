import Synchronization

/// What one user may take at once or in a day; `nil` means that there is no limit.
package struct Plan: Sendable, Equatable {
    /// The name of the plan for people.
    package var title = "Standard"
    /// The credits of a new user.
    package var startingCredits = 10
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

/// The plans that hold now; a reload replaces them.
package final class CurrentPlans: Sendable {
    private let state: Mutex<Plans>

    package init(_ plans: Plans = Plans()) { state = Mutex(plans) }

    package var value: Plans { state.withLock { $0 } }

    package func replace(with plans: Plans) { state.withLock { $0 = plans } }
}
