import SQLSupport
import JobQueue
import PostgresTesting
import StoreConformance
import Synchronization
import Testing

@testable import PostgresStore

/// The conformance suite through a pooler in transaction mode.
@Suite struct PoolerTests {
    @Test(arguments: ConformanceSuite.lifeCycle + ConformanceSuite.concurrency)
    func worksThroughAPooler(_ one: ConformanceCase) async throws { try await one.run(on: PooledFixture.self) }

    @Test(arguments: ConformanceSuite.reading)
    func learnsOfChangesWithoutListening(_ one: ConformanceCase) async throws {
        try await one.run(on: PooledFixture.self)
    }
}

/// Databases that are reached through Debian's PgBouncer in transaction mode.
final class PooledFixture: StoreFixture {
    private let direct: PostgresFixture
    private let opened = Mutex<[PostgresStore]>([])

    private static let bouncer = Task { try await PgBouncer.start(before: try await PostgresCluster.shared()) }

    init(clock: ManualStoreClock) async throws { direct = try await PostgresFixture(clock: clock) }

    func open() async throws -> any DossierStore {
        let url = try await Self.bouncer.value.url(of: direct.database.name) + "?pooler=transaction"
        var options = PostgresFixture.options
        options.now = { [clock = direct.clock] in clock.now }
        let store = try await PostgresStore.open(try PostgresURL(url), options: options)
        opened.withLock { $0.append(store) }
        return store
    }

    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws {
        try await direct.tamperWithBalance(of: user, addingToGranted: amount)
    }

    func places(of texts: [String]) async throws -> [String] { try await direct.places(of: texts) }

    func tables() async throws -> [String] { try await direct.tables() }

    func run(_ statement: String) async throws { try await direct.run(statement) }

    func remove() async {
        for store in opened.withLock({ $0 }) { await store.close() }
        await direct.remove()
    }
}
