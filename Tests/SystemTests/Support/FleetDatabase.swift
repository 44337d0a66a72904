import Foundation
import PostgresTesting

@testable import SQLiteStore

/// The database that the processes of a fleet share.
protocol FleetDatabase: Sendable {
    /// The value of `DOSSIER_DATABASE_URL`.
    var url: String { get }

    var engine: DatabaseEngine { get }

    /// The first column of a statement's rows, read directly from the database, for facts that no command shows.
    func query(_ sql: String) async throws -> [String]

    /// Changes the data without the product.
    func change(_ sql: String) async throws

    /// Whether no process that is stopped holds a lock that keeps all others from writing.
    func isWritable() throws -> Bool

    /// Removes the database and its servers.
    func remove() async
}

enum DatabaseEngine: String, Sendable, CaseIterable {
    case sqlite, postgres
}

/// A file in the fleet's folder.
struct SQLiteFleetDatabase: FleetDatabase {
    let path: String

    init(in folder: String) { path = folder + "/dossier.db" }

    var url: String { "sqlite:" + path }
    var engine: DatabaseEngine { .sqlite }

    func query(_ sql: String) throws -> [String] {
        let database = try SQLiteConnection(path: path, readOnly: true, busyTimeout: 60_000)
        var words: [String] = []
        try database.oneOff(sql) { row in words.append(row.text()) }
        return words
    }

    func change(_ sql: String) throws {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.execute(sql)
    }

    func isWritable() throws -> Bool {
        do {
            // Longer than any process at work keeps the lock.
            let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 5000)
            try database.execute("BEGIN IMMEDIATE; ROLLBACK")
            return true
        } catch {
            // SQLITE_BUSY
            guard error.code == 5 else { throw error }
            return false
        }
    }

    func remove() async {}
}

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

    /// Runs over the server's own socket, which network faults do not affect. Waits for a server that is down.
    func query(_ sql: String) async throws -> [String] {
        for _ in 0..<300 {
            if let rows = try? await database.sql(sql) { return rows }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await database.sql(sql)
    }

    func change(_ sql: String) async throws { try await database.sql(sql) }

    /// A stopped session keeps its rows alone.
    func isWritable() -> Bool { true }

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

extension Fleet {
    /// The first column of a statement's rows, read directly from the database.
    func query(_ sql: String) async throws -> [String] { try await database.query(sql) }

    /// Changes the data without the product.
    func change(_ sql: String) async throws { try await database.change(sql) }

    func isWritable() throws -> Bool { try database.isWritable() }

    /// The paths of all files in the fleet's folder.
    func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder) }
}
