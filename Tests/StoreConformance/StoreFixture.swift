package import JobQueue

/// What every store is: a queue with its credits, what a fleet shares, and the repositories.
package typealias DossierStore = JobStore & FleetStore & BudgetStore & StoreHealth & StoreAdministration & JobCounting
    & Repositories

/// Makes stores for the conformance suite. A new kind of store implements this and runs `ConformanceSuite` unchanged.
package protocol StoreFixture: Sendable {
    /// Makes an empty database of its own whose clock is the one given.
    init(clock: ManualStoreClock) async throws

    /// Opens the database once more, with nothing shared in memory, as another process would.
    func open() async throws -> any DossierStore

    /// Changes a user's stored balance behind the ledger's back.
    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws

    /// Closes every store that was opened and removes the database.
    func remove() async
}
