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
        let options = SQLiteStore.Options(maxPages: maxPages, watching: watching)
        let store = try await SQLiteStore.open(path: path, options: options) { [clock] in clock.now }
        opened.withLock { $0.append(store) }
        return store
    }

    func tamperWithBalance(of user: UserID, addingToGranted amount: Int) async throws {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.run(.balanceGrant, .user(user), .integer(amount))
    }

    func remove() async {
        for store in opened.withLock({ $0 }) { await store.close() }
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
