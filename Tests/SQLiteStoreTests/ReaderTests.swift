import Foundation
import JobQueue
import SQLSupport
import StoreConformance
import Testing

@testable import SQLiteStore

@Suite struct ReaderTests {
    @Test func aReadIsRefusedWhileAllConnectionsAreInUse() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 2) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        let depth = try readers.perform { _ in
            try readers.perform { _ in try readers.perform { _ in "a third" } ?? "none left" } ?? "only one"
        }
        #expect(depth == "none left")
        // The connections are returned.
        #expect(try readers.perform { _ in "free" } == "free")
        await fixture.remove()
    }

    @Test func aReadThatFailsReturnsItsConnection() async throws {
        struct Failure: Error {}
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 1) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        #expect(throws: Failure.self) { try readers.perform { _ in throw Failure() } }
        #expect(try readers.perform { _ in true } == true)
        await fixture.remove()
    }

    @Test func closedReadersRefuseReads() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 1) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        // A connection that is in use during the close is not used again either.
        let inUse = try readers.perform { _ in
            readers.close()
            return true
        }
        #expect(inUse == true)
        #expect(try readers.perform { _ in true } == nil)
        await fixture.remove()
    }
}
