import SQLSupport
import JobQueue
import PostgresTesting
import StoreConformance
import Synchronization

@testable import PostgresStore

/// A database of one test, on the server that all tests of this process share.
final class PostgresFixture: StoreFixture {
    let clock: ManualStoreClock
    let database: PostgresDatabase
    private let opened = Mutex<[PostgresStore]>([])

    init(clock: ManualStoreClock = ManualStoreClock()) async throws {
        self.clock = clock
        database = try await Self.makeDatabase()
    }

    /// Makes a copy of a database that was migrated once.
    static func makeDatabase() async throws -> PostgresDatabase {
        try await PostgresCluster.shared().makeDatabase(from: "dossier") { url in
            if let program = NewerProgram.path { try NewerProgram.migrate(url, by: program) }
            await (try await PostgresStore.open(try PostgresURL(url))).close()
        }
    }

    func open() async throws -> any DossierStore { try await openStore() }

    func openStore(_ change: (inout PostgresStore.Options) -> Void = { _ in }) async throws -> PostgresStore {
        var options = Self.options
        options.now = { [clock] in clock.now }
        change(&options)
        let store = try await PostgresStore.open(try PostgresURL(database.url), options: options)
        opened.withLock { $0.append(store) }
        return store
    }

    /// Longer limits than usual: many tests run at once on one server.
    static var options: PostgresStore.Options {
        var options = PostgresStore.Options()
        options.timeout = .seconds(60)
        options.answerLimit = .seconds(30)
        options.connectLimit = .seconds(30)
        return options
    }

    /// Runs a closure while the server's processes are killed all the time, between statements and within them.
    func whileConnectionsAreKilled(_ body: () async throws -> Void) async throws {
        let isOver = Mutex(false)
        async let killer: Void = {
            while !isOver.withLock({ $0 }) {
                _ = try? await database.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5
                    """)
            }
        }()
        defer { isOver.withLock { $0 = true } }
        try await body()
        isOver.withLock { $0 = true }
        await killer
    }

    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws {
        try await database.sql("UPDATE balance SET granted = granted + \(amount) WHERE user_id = \(user.rawValue)")
    }

    func places(of texts: [String]) async throws -> [String] {
        let dump = try await database.rows()
        return texts.flatMap { text in
            dump.split(separator: "\n").filter { $0.contains(text) }.map { "\(text) in \($0.prefix(300))" }
        }
    }

    func tables() async throws -> [String] {
        try await database.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    }

    func run(_ statement: String) async throws { try await database.sql(statement) }

    func remove() async {
        for store in opened.withLock({ $0 }) { await store.close() }
        await database.remove()
    }
}
