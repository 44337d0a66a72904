import Foundation
import JobQueue
import SQLSupport
import StoreConformance
import Synchronization

@testable import SQLiteStore

/// Databases in a folder of their own, on a real disk.
final class SQLiteFixture: StoreFixture {
    let folder: URL
    let clock: ManualStoreClock
    private let opened = Mutex<[SQLiteStore]>([])

    init(clock: ManualStoreClock = ManualStoreClock()) {
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appending(path: "dossier-\(UUID().uuidString)")
    }

    var path: String { folder.appending(path: "dossier.db").path }

    func open() async throws -> any DossierStore { try await openStore() }

    /// Opens a store without inotify, whose instances are limited per user; `ChangeTests` tests it.
    func openStore(
        maxPages: Int? = nil, watching: WALWatcher.Options = .init(usesInotify: false, pollMilliseconds: 20)
    ) async throws -> SQLiteStore {
        if let template = try NewerProgram.template?.get(), !FileManager.default.fileExists(atPath: path) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: template, toPath: path)
        }
        let options = SQLiteStore.Options(maxPages: maxPages, watching: watching)
        let store = try await SQLiteStore.open(path: path, options: options) { [clock] in clock.now }
        opened.withLock { $0.append(store) }
        return store
    }

    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.run(.balanceGrant, .user(user), .integer(amount))
    }

    func places(of texts: [String]) async throws -> [String] {
        var found: [String] = []
        for file in [path, path + "-wal"] {
            let bytes = FileManager.default.contents(atPath: file) ?? Data()
            found += texts.filter { bytes.range(of: Data($0.utf8)) != nil }.map { "\($0) in the bytes of \(file)" }
        }
        let database = try DatabaseFile.openForReading(path)
        for table in try database.words("SELECT name FROM sqlite_master WHERE type = 'table'") {
            for column in try database.words("SELECT name FROM pragma_table_info('\(table)')") {
                for text in texts {
                    let isThere = try database.words(
                        "SELECT 1 FROM \"\(table)\" WHERE instr(CAST(\"\(column)\" AS TEXT), '\(text)') > 0 LIMIT 1")
                    if !isThere.isEmpty { found.append("\(text) in \(table).\(column)") }
                }
            }
        }
        return found
    }

    func tables() async throws -> [String] {
        let database = try DatabaseFile.openForReading(path)
        let names = try database.words("SELECT name FROM sqlite_master WHERE type = 'table'")
        return names.filter { name in
            !name.hasPrefix("sqlite_") && !names.contains { name.hasPrefix($0 + "_") && $0.hasSuffix("_index") }
        }
    }

    func run(_ statement: String) async throws {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.execute(statement)
    }

    func closeStores() async {
        for store in opened.withLock({ $0 }) { await store.close() }
    }

    func remove() async {
        await closeStores()
        try? FileManager.default.removeItem(at: folder)
    }
}

extension SQLiteConnection {
    /// Runs a statement and returns the first column of its first row.
    func word(_ sql: String) throws -> String { try words(sql).first ?? "" }

    /// Runs a statement and returns the first column of each row.
    func words(_ sql: String) throws -> [String] {
        var words: [String] = []
        try oneOff(sql) { row in words.append(row.text()) }
        return words
    }
}
