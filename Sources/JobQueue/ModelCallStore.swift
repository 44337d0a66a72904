/// The books of model calls: each call as a row, and what users and the service have spent in each UTC day.
///
/// The user of a call is the billed user of its job: the user who submitted it, or who set off work that the service
/// does for everybody. The sums of a day change in the transaction of the rows, so a call that runs counts at its estimate and a
/// process that dies leaves nothing uncounted.
package protocol ModelCallStore: Sendable {
    /// Books a call before its request leaves, if the limits permit its estimated cost.
    ///
    /// Booking a call again changes nothing. The booking may be lost when the database itself fails; the end of the
    /// call then books it.
    ///
    /// - Parameters:
    ///   - call: The call in the state `running`, with its estimate.
    ///   - lease: The lease of the job that makes the call.
    ///   - limits: The highest sums of the day.
    /// A hedge is booked only as far as `limits.hedges` allows, whichever processes make the others.
    ///
    /// - Returns: Whether the call is booked, with the sums of the day.
    /// - Throws: `leaseLost`, so that a worker makes no call for a job that it no longer owns.
    func begin(_ call: ModelCall, under lease: Lease, limits: SpendLimits) async throws(StoreError) -> SpendVerdict

    /// Corrects running calls by what is known of them, so that the books are nearly right when their process dies.
    ///
    /// Calls that have ended, or that are not booked, are ignored. The correction may be lost when the database itself
    /// fails.
    func correct(_ calls: [ModelCall]) async throws(StoreError)

    /// Books the ends of calls, whoever owns their job by now.
    ///
    /// The end of a call replaces its estimate. Later writes replace it only when they know more (see
    /// `ModelCall.Certainty`). Calls of a job that was deleted, and that were not booked before, are ignored.
    func settle(_ calls: [ModelCall], of lease: Lease) async throws(StoreError)

    /// Ends up to `limit` running calls whose lease is void: their process is gone, or is about to settle them. A call
    /// that was corrected ends at its last correction, another one at its least use. Forgets the sums of days long past,
    /// too.
    ///
    /// - Returns: The number of calls that ended.
    func closeAbandonedCalls(limit: Int) async throws(StoreError) -> Int

    /// Reads the sums of the present day.
    func spend(of user: UserID) async throws(StoreError) -> Spend

    /// Sums the calls of the last hour that have ended.
    func callsOfLastHour() async throws(StoreError) -> CallSum

    /// Sums the micro-dollars that a user's model calls have cost since a time.
    func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64

    /// Sums the model calls that began since a time, and before another where there is one, and have ended, by day,
    /// kind, model, user, job or prompt.
    func modelCosts(
        by grouping: CostGrouping, since start: Timestamp, until end: Timestamp?
    ) async throws(StoreError) -> [CostLine]
}

extension ModelCallStore {
    package func modelCosts(
        by grouping: CostGrouping, since start: Timestamp
    ) async throws(StoreError) -> [CostLine] {
        try await modelCosts(by: grouping, since: start, until: nil)
    }
}

/// The sums of a UTC day in micro-dollars; running calls count at their estimate.
package struct Spend: Sendable, Hashable {
    package var user: Int64
    package var service: Int64
    /// The part of the service's sum for jobs without credits and for shared work.
    package var free: Int64
    /// The time at which the day ends.
    package var dayEnd: Timestamp

    package init(user: Int64, service: Int64, free: Int64, dayEnd: Timestamp) {
        self.user = user
        self.service = service
        self.free = free
        self.dayEnd = dayEnd
    }
}

/// A limit of the spend in a UTC day.
package enum SpendLimit: String, Sendable, Hashable, CaseIterable {
    case user, service, free
}

/// The highest sums of a UTC day in micro-dollars; `nil` is no limit.
package struct SpendLimits: Sendable, Hashable {
    package var user: Int64?
    package var service: Int64?
    package var free: Int64?
    /// The bounds of hedges, for a call that is one.
    package var hedges: HedgeBudget?

    package init(user: Int64? = nil, service: Int64? = nil, free: Int64? = nil) {
        self.user = user
        self.service = service
        self.free = free
    }

    /// The limits of the service itself.
    package init(_ plans: Plans) {
        user = nil
        service = plans.service.spendPerDay
        free = plans.service.freeSpendPerDay
    }

    /// The limits of a user with a plan. The service itself has only its own.
    package init(_ plans: Plans, _ plan: Plan, for user: UserID) {
        self.init(plans)
        if user != .system { self.user = plan.spendPerDay }
    }

    /// The limit of the given name, in micro-dollars.
    package subscript(_ limit: SpendLimit) -> Int64? {
        switch limit {
        case .user: user
        case .service: service
        case .free: free
        }
    }

    /// The first limit that another cost would exceed.
    package func exceeded(by cost: Int64, after spend: Spend, isFree: Bool) -> SpendLimit? {
        SpendLimit.allCases.first { limit in
            guard limit != .free || isFree, let highest = self[limit] else { return false }
            return spend[limit].addingReportingOverflow(cost).partialValue > highest
        }
    }
}

extension Spend {
    package subscript(_ limit: SpendLimit) -> Int64 {
        switch limit {
        case .user: user
        case .service: service
        case .free: free
        }
    }
}

/// The booking of a call, for warnings.
package struct SpendBooking: Sendable, Hashable {
    /// The owner of the job.
    package var user: UserID
    /// The estimate in micro-dollars.
    package var cost: Int64
    /// The limit that refused the call.
    package var refusal: SpendLimit?
    /// The sums after the booking.
    package var spend: Spend
    package var limits: SpendLimits

    package init(user: UserID, cost: Int64, refusal: SpendLimit?, spend: Spend, limits: SpendLimits) {
        self.user = user
        self.cost = cost
        self.refusal = refusal
        self.spend = spend
        self.limits = limits
    }
}

/// The answer to the booking of a call.
package enum SpendVerdict: Sendable, Hashable {
    /// The call is booked; the sums include its estimate.
    case booked(Spend)
    /// The call would exceed a limit and is not booked.
    case refused(SpendLimit, Spend)
    /// The budget of hedges does not hold the call, which is not booked.
    case hedgeRefused
}
