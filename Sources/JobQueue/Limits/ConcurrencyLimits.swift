/// How many jobs of one kind run at once, over all workers of the fleet.
///
/// A job that is submitted with limits needs a slot of its kind. It takes one when it becomes ready, and gives it back
/// when it leaves `ready` or its worker for anything else: its end, a pause before a retry, a hand back with a pause.
/// A job that comes back without a pause keeps its slot. So `ready` and `processing` together never hold more jobs
/// than the limits allow, whatever dies, and a claim never meets a job that it may not take.
///
/// A job that finds no slot waits outside of `ready` (`JobBlock.limit`). In the transaction that gives a slot back, the
/// next job takes it: users in turn, and within one user by priority, then age. Jobs that are scheduled or behind
/// another of their serial key wait for that first, and then for a slot.
///
/// Limits stand by kind. A submit brings those of its bundle and sets them where the kind has none yet;
/// `FleetStore.adopt` changes them for all jobs that wait or come. A job that was submitted without limits is never
/// counted and never waits, also when its kind gets limits later.
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
