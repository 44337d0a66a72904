import PostgresTesting

/// A database on a server of the tests' own.
struct PostgresFleetDatabase: FleetDatabase {
    let database: PostgresDatabase

    /// Puts up a database on a server; `nil` is the one that tests share.
    init(on cluster: PostgresCluster? = nil) async throws {
        if let cluster {
            database = try await cluster.makeDatabase()
        } else {
            database = try await PostgresCluster.shared().makeDatabase()
        }
    }

    var url: String { database.url }
    var engine: DatabaseEngine { .postgres }

    /// Over the server's own socket, whatever happens to the network. A server that is away is waited for.
    func query(_ sql: String) async throws -> [String] {
        for _ in 0..<300 {
            if let rows = try? await database.sql(sql) { return rows }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await database.sql(sql)
    }

    func change(_ sql: String) async throws { try await database.sql(sql) }

    func remove() async { await database.remove() }
}

extension DatabaseEngine {
    /// Puts up a database for a fleet.
    func open(in folder: String) async throws -> any FleetDatabase {
        switch self {
        case .sqlite: SQLiteFleetDatabase(in: folder)
        case .postgres: try await PostgresFleetDatabase()
        }
    }
}
