package import JobQueue
import Synchronization
import Testing

/// One promise of the store contract.
package struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The promise, as a sentence.
    package let name: String
    private let body: @Sendable (StoreHarness) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreHarness) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The health readings that must be good after every case.
    static let invariants: Set<String> = ["integrity", "jobs_lost", "slots_wrong"]

    package var testDescription: String { name }

    /// Runs the case on an empty database. At the end the credits must balance, and every job and every permit must be
    /// in its place.
    package func run(on kind: (some StoreFixture).Type) async throws {
        let clock = ManualStoreClock()
        let fixture = try await kind.init(clock: clock)
        do {
            let harness = StoreHarness(store: try await fixture.open(), clock: clock, fixture: fixture)
            try await body(harness)
            if !harness.expectsDiscrepancies { #expect(try await harness.store.auditCredits() == []) }
            let broken = try await harness.store.health().filter { Self.invariants.contains($0.name) && !$0.isGood }
            #expect(broken == [])
        } catch {
            await fixture.remove()
            throw error
        }
        await fixture.remove()
    }
}

/// All cases of the store contract, by topic.
package enum ConformanceSuite {
    package static let all: [ConformanceCase] = jobs + repositories

    /// The promises about jobs, workers, money and models.
    package static let jobs: [ConformanceCase] =
        lifeCycle + submitting + claiming + turns + running + ending + history + concurrencyKeys + liveness
        + observing + money + spend + hedges + monitoring + batches + reading + concurrency + limits + sharing + fleet
        + budgets

    /// The promises about everything else that is kept.
    package static let repositories: [ConformanceCase] =
        records + documents + conversations + searching + vectors + preferences + feeds + articles + stories
        + explanations
        + stocks + recall + sessions + access + ledger + months + deletions + erasures + exports + webhooks + operators
        + attempts + pauses + bulkOperations
}

/// Every power of a store: the queue with its credits, the state of the fleet, and the repositories of records.
package typealias DossierStore = JobStore & FleetStore & BudgetStore & StoreHealth & StoreAdministration & JobCounting
    & ModelMonitoring
    & Repositories

/// Opens stores for the conformance suite. A new kind of store implements this and runs `ConformanceSuite` unchanged.
package protocol StoreFixture: Sendable {
    /// Creates an empty database of its own, with the given clock.
    init(clock: ManualStoreClock) async throws

    /// Opens the database once more without shared memory, as another process does.
    func open() async throws -> any DossierStore

    /// Changes a user's stored balance without a ledger entry.
    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws

    /// The places where the database holds one of the texts: columns, and where the store has files their bytes.
    func places(of texts: [String]) async throws -> [String]

    /// The names of its tables, without those that indexes of texts make for themselves.
    func tables() async throws -> [String]

    /// Runs a statement that is the same for every store.
    func run(_ statement: String) async throws

    /// Closes all opened stores and removes the database.
    func remove() async
}

/// A store's clock that only a test moves.
package final class ManualStoreClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_800_000_000_000))

    package init() {}

    package var now: Timestamp { time.withLock { $0 } }

    package func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}
