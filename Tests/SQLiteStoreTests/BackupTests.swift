import Foundation
import JobQueue
import SQLSupport
import Testing

@testable import SQLiteStore

@Suite struct BackupTests {
    @Test func aBackupIsOneSnapshotWhileOthersCommit() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        var commits = 0
        let summary = try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in
            // Without one read transaction the copy would begin anew after each of these, or have some of them.
            Self.commit(to: fixture.path)
            commits += 1
        }
        #expect(commits > 3, "the copy has several steps")
        let copy = try SQLiteConnection(path: backup, readOnly: true, busyTimeout: 0)
        #expect(try copy.words("SELECT CAST(count(*) AS TEXT) FROM probe") == ["1"])
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.words("SELECT CAST(count(*) AS TEXT) FROM probe") == ["\(commits + 1)"])
        #expect(summary.schema == Migrator.versions.newest && summary.jobs == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: backup)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int64 == summary.bytes)
        await fixture.remove()
    }

    @Test func aBackupIsOneFileThatAStoreCanOpen() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        _ = try await SQLiteBackup(of: fixture.path, to: backup, replacing: false).write { _ in }
        let beside = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        #expect(beside.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
        let store = try await SQLiteStore.open(path: backup, migrations: .refuse)
        #expect(try await store.health().allSatisfy(\.isGood))
        await store.close()
        await fixture.remove()
    }

    @Test func aFileIsReplacedOnlyOnDemandAndNeverTheDatabase() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        try "mine".write(toFile: backup, atomically: true, encoding: .utf8)
        #expect(throws: SQLiteBackup.Failure.exists) {
            try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in }
        }
        #expect(try String(contentsOfFile: backup, encoding: .utf8) == "mine")
        _ = try SQLiteBackup(of: fixture.path, to: backup, replacing: true).copy { _ in }
        _ = try SQLiteConnection(path: backup, readOnly: true, busyTimeout: 0).words("SELECT name FROM migration")
        #expect(throws: SQLiteBackup.Failure.isTheDatabase) {
            try SQLiteBackup(of: fixture.path, to: fixture.path, replacing: true).copy { _ in }
        }
        let link = fixture.folder.appending(path: "link.db").path
        try FileManager.default.linkItem(atPath: fixture.path, toPath: link)
        #expect(throws: SQLiteBackup.Failure.isTheDatabase) {
            try SQLiteBackup(of: fixture.path, to: link, replacing: true).copy { _ in }
        }
        await fixture.remove()
    }

    /// SQLite takes files of these names for its own, whether they are there or not.
    @Test(arguments: ["-wal", "-shm", "-journal"])
    func aBackupNeverTakesTheNameOfAFileThatBelongsToTheDatabase(ending: String) async throws {
        let fixture = try await Self.filledFixture()
        let folder = fixture.folder.appending(path: "elsewhere").path
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: fixture.folder.path)
        let name = fixture.path.split(separator: "/").last.map(String.init) ?? ""
        for file in [fixture.path + ending, "\(folder)/\(name)\(ending)"] {
            #expect(throws: SQLiteBackup.Failure.belongsToTheDatabase(file)) {
                try SQLiteBackup(of: fixture.path, to: file, replacing: true).copy { _ in }
            }
        }
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.words("PRAGMA integrity_check") == ["ok"])
        await fixture.remove()
    }

    /// SQLite would read the log of a program that opened the earlier backup into the new one.
    @Test func aBackupIsNotReplacedBesideTheLogOfAProgramThatOpenedIt() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        _ = try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in }
        try "log".write(toFile: backup + "-wal", atomically: true, encoding: .utf8)
        #expect(throws: SQLiteBackup.Failure.hasLog(backup + "-wal")) {
            try SQLiteBackup(of: fixture.path, to: backup, replacing: true).copy { _ in }
        }
        await fixture.remove()
    }

    /// Who may read or rename what lies under the name could read the backup.
    @Test func aBackupTakesOverNoFileThatOthersMayRead() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        try "mine".write(toFile: backup + ".part", atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: backup + ".part")
        _ = try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in }
        #expect(try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int == 0o600)

        let other = fixture.folder.appending(path: "other.db").path
        try "precious".write(toFile: other + ".precious", atomically: false, encoding: .utf8)
        try FileManager.default.linkItem(atPath: other + ".precious", toPath: other + ".part")
        #expect(throws: SQLiteBackup.Failure.self) {
            try SQLiteBackup(of: fixture.path, to: other, replacing: false).copy { _ in }
        }
        #expect(try String(contentsOfFile: other + ".precious", encoding: .utf8) == "precious")

        let link = fixture.folder.appending(path: "link.db").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        #expect(throws: SQLiteBackup.Failure.self) {
            try SQLiteBackup(of: fixture.path, to: link, replacing: true).copy { _ in }
        }
        await fixture.remove()
    }

    /// A backup is written beside its name at first.
    @Test func aDatabaseThatHasTheNameOfAnUnfinishedBackupStaysAsItIs() async throws {
        let fixture = try await Self.filledFixture()
        let path = fixture.folder.appending(path: "copy.db.part").path
        _ = try SQLiteBackup(of: fixture.path, to: path, replacing: false).copy { _ in }
        #expect(throws: SQLiteBackup.Failure.belongsToTheDatabase(path)) {
            let file = fixture.folder.appending(path: "copy.db").path
            return try SQLiteBackup(of: path, to: file, replacing: false).copy { _ in }
        }
        let database = try SQLiteConnection(path: path, readOnly: true, busyTimeout: 0)
        #expect(try database.words("PRAGMA integrity_check") == ["ok"])
        await fixture.remove()
    }

    @Test func twoBackupsToOneFileDoNotMixAndWhatADeadOneLeftIsTakenOver() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        try Data(count: 30 << 20).write(to: URL(filePath: backup + ".part"))
        var second: SQLiteBackup.Failure?
        _ = try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in
            guard second == nil else { return }
            do throws(SQLiteBackup.Failure) {
                _ = try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in }
            } catch {
                second = error
            }
        }
        #expect(second == .inProgress)
        let copy = try SQLiteConnection(path: backup, readOnly: true, busyTimeout: 0)
        #expect(try copy.words("PRAGMA integrity_check") == ["ok"])
        await fixture.remove()
    }

    @Test func aFileThatAppearsMeanwhileIsKept() async throws {
        let fixture = try await Self.filledFixture()
        let backup = fixture.folder.appending(path: "copy.db").path
        #expect(throws: SQLiteBackup.Failure.exists) {
            try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in
                try? "mine".write(toFile: backup, atomically: true, encoding: .utf8)
            }
        }
        #expect(try String(contentsOfFile: backup, encoding: .utf8) == "mine")
        #expect(!FileManager.default.fileExists(atPath: backup + ".part"))
        await fixture.remove()
    }

    @Test func aDamagedDatabaseMakesNoBackup() async throws {
        let fixture = try await Self.filledFixture()
        await fixture.closeStores()
        // All of the log is in the file now. Pages in its middle lose their content.
        let file = try FileHandle(forUpdating: URL(filePath: fixture.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size / 2)))
        try file.close()
        let backup = fixture.folder.appending(path: "copy.db").path
        #expect(throws: SQLiteBackup.Failure.self) {
            try SQLiteBackup(of: fixture.path, to: backup, replacing: false).copy { _ in }
        }
        let beside = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        #expect(beside.filter { $0.hasPrefix("copy.db") } == [])
        await fixture.remove()
    }

    @Test func whatIsNoDatabaseOfDossierIsNamed() async throws {
        let fixture = try await Self.filledFixture()
        let folder = fixture.folder
        let backup = folder.appending(path: "copy.db").path
        try String(repeating: "no database ", count: 500).write(
            to: folder.appending(path: "text.db"), atomically: true, encoding: .utf8)
        try Data().write(to: folder.appending(path: "empty.db"))
        for (name, failure) in [
            ("text.db", SQLiteBackup.Failure.noDatabase), ("empty.db", .noDatabase), ("absent.db", .missing),
        ] {
            #expect(throws: failure, "\(name)") {
                try SQLiteBackup(of: folder.appending(path: name).path, to: backup, replacing: false).copy { _ in }
            }
        }
        #expect(throws: SQLiteBackup.Failure.failed("/dev/null/copy.db.part cannot be written: Not a directory")) {
            try SQLiteBackup(of: fixture.path, to: "/dev/null/copy.db", replacing: false).copy { _ in }
        }
        await fixture.remove()
    }

    /// A database of more pages than a few steps copy, in use.
    private static func filledFixture() async throws -> SQLiteFixture {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try database.execute(
            """
            CREATE TABLE probe (text TEXT);
            INSERT INTO probe VALUES (hex(zeroblob(10000000)));
            """)
        return fixture
    }

    private static func commit(to path: String) {
        let database = try? SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try? database?.execute("INSERT INTO probe VALUES ('later')")
    }
}
