import Foundation
@testable import SQLiteStore

/// The database that the processes of a fleet share.
protocol FleetDatabase: Sendable {
    /// What `DOSSIER_DATABASE_URL` says.
    var url: String { get }

    var engine: DatabaseEngine { get }

    /// The first column of what a statement answers, read behind the product's back: for what no command shows.
    func query(_ sql: String) async throws -> [String]

    /// Changes the data behind the product's back.
    func change(_ sql: String) async throws

    /// Takes down what was put up for it.
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

    func remove() async {}
}
