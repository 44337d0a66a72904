import Foundation
import JobQueue
import SQLSupport
import StoreConformance
import Testing

@testable import SQLiteStore

@Suite struct QuickReaderTests {
    @Test func aReadIsSentElsewhereWhileAllConnectionsAreTaken() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 2) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        let depth = try readers.perform { _ in
            try readers.perform { _ in try readers.perform { _ in "a third" } ?? "none left" } ?? "only one"
        }
        #expect(depth == "none left")
        // They are back.
        #expect(try readers.perform { _ in "free" } == "free")
        await fixture.remove()
    }

    @Test func aReadThatFailsGivesItsConnectionBack() async throws {
        struct Failure: Error {}
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 1) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        #expect(throws: Failure.self) { try readers.perform { _ in throw Failure() } }
        #expect(try readers.perform { _ in true } == true)
        await fixture.remove()
    }

    @Test func afterCloseNothingIsReadHere() async throws {
        let fixture = SQLiteFixture()
        _ = try await fixture.openStore()
        let readers = try InlineReaders(count: 1) { try DatabaseFile.openForReading(fixture.path, waiting: false) }
        // What is in use at that moment is not handed out again either.
        let inUse = try readers.perform { _ in
            readers.close()
            return true
        }
        #expect(inUse == true)
        #expect(try readers.perform { _ in true } == nil)
        await fixture.remove()
    }
}
