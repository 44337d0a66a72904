import Foundation
@testable import SQLiteStore

extension Fleet {
    private var file: String { folder + "/dossier.db" }

    /// What a statement answers, read straight from the file: for what no command shows.
    func query(_ sql: String) throws -> [String] {
        let database = try SQLiteConnection(path: file, readOnly: true, busyTimeout: 60_000)
        var words: [String] = []
        try database.oneOff(sql) { row in words.append(row.text()) }
        return words
    }

    /// Changes the file behind the product's back.
    func change(_ sql: String) throws {
        let database = try SQLiteConnection(path: file, readOnly: false, busyTimeout: 60_000)
        try database.execute(sql)
    }

    /// The paths of all files in the fleet's folder.
    func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder) }
}
