/// The number of jobs of one kind that may run at once, over all workers of the fleet.
///
/// A job that is submitted with limits needs a permit of its kind. It acquires the permit when it becomes ready and
/// returns it when it leaves the ready queue or its worker for any other state: its end, a pause before a retry, or a
/// snooze with a pause. A job that comes back without a pause keeps its permit. So ready and processing jobs together
/// never exceed the limits, even when processes die, and a claim never meets a job that it must not take.
///
/// A job without a permit waits outside the ready queue (`JobBlock.limit`). The transaction that returns a permit gives
/// it to the next waiting job: users take turns, and within one user the order is priority, then age. Jobs that are
/// scheduled or blocked by another of their concurrency key wait for that first and then for a permit.
///
/// Limits belong to a kind. A submit contains those of its bundle and sets them if the kind has none yet;
/// `FleetStore.adopt` changes them for all waiting and new jobs. A job that was submitted without limits is never
/// counted and never waits, even when its kind gets limits later.
package struct ConcurrencyLimits: Hashable, Sendable {
    /// Jobs of the kind in the whole fleet; at least 1, `nil` for no limit.
    package var fleet: Int?
    /// Jobs of the kind of one user; at least 1, `nil` for no limit.
    package var perUser: Int?

    package init(fleet: Int? = nil, perUser: Int? = nil) {
        self.fleet = fleet
        self.perUser = perUser
    }

    package static let none = ConcurrencyLimits()

    package var isNone: Bool { fleet == nil && perUser == nil }
}
