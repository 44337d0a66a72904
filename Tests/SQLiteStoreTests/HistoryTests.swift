import Basics
import JobQueue
import JSON
import SQLSupport
import Testing

@testable import SQLiteStore
@testable import StoreConformance

/// The space that jobs take, and the write-ahead log.
@Suite struct HistoryTests {
    @Test(arguments: [
        "", "short", String(repeating: "ü", count: 128), "{\"text\":\"" + String(repeating: "a b ", count: 90),
    ])
    func aTextSurvivesItsCompression(_ text: String) throws {
        guard let bytes = CompressedText.bytes(of: text) else {
            #expect(text.utf8.count < CompressedText.shortest)
            return
        }
        #expect(bytes.count < text.utf8.count)
        #expect(bytes.withUnsafeBytes { CompressedText.text(of: $0) } == text)
    }

    @Test func damagedBytesAreNoText() throws {
        let text = (0..<500).map { "\($0 * 7919)" }.joined(separator: ",")
        let bytes = try #require(CompressedText.bytes(of: text))
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x55
            // A changed length alone may only be noticed by the end of the stream; no change may pass for the text.
            #expect(damaged.withUnsafeBytes { CompressedText.text(of: $0) } != text || place < 4, "byte \(place)")
        }
        for count in 0..<bytes.count {
            #expect(bytes[..<count].withUnsafeBytes { CompressedText.text(of: $0) } == nil, "\(count) bytes")
        }
    }

    /// Databases contain the checksum of the dictionary: bytes that an earlier version wrote must stay readable.
    @Test func theDictionaryStaysAsItIs() throws {
        let text = String(repeating: "{\"summary\":\"x\"}", count: 20)
        let bytes = try #require(CompressedText.bytes(of: text))
        // After the length come two bytes of zlib's header, then the dictionary's checksum.
        #expect(Array(bytes[6..<10]) == Self.checksum, "\(Array(bytes[6..<10]))")
    }

    private static let checksum: [UInt8] = [108, 24, 67, 193]

    @Test func largeTextsAreKeptCompressed() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let figures = JSON.array((0..<5000).map { ["id": JSON("revenue.FY\($0)"), "value": JSON($0 * 7919)] })
        try await harness.submit { $0.input = ["figures": figures] }
        let lease = try await harness.claimOne(try await harness.worker()).lease
        _ = try await store.append(
            StoreHarness.step("gather", output: figures), replacingFrom: nil, effects: [], under: lease)
        try await store.complete(lease, with: figures, effects: [])
        let database = try SQLiteConnection(path: fixture.path, readOnly: true, busyTimeout: 60_000)
        let plain = figures.compact.utf8.count
        for table in ["job_input", "job_result", "step"] {
            let bytes = try #require(Int(try database.word("SELECT length(packed) FROM \(table)")))
            #expect(bytes * 4 < plain, "\(table): \(bytes) of \(plain) bytes")
        }
        await fixture.remove()
    }

    /// A database of version 1 has no packed columns; its rows must be readable after the migration.
    @Test func textsOfTheFirstVersionAreRead() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let job = try await harness.submit()
        let lease = try await harness.claimOne(try await harness.worker()).lease
        _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
        try await store.complete(lease, with: 1, effects: [])
        let text = "{\"text\":\"\(String(repeating: "x", count: 2000))\"}"
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        for (table, column) in [("job_input", "input"), ("job_result", "result"), ("step", "output")] {
            try database.execute("UPDATE \(table) SET \(column) = '\(text)', packed = NULL")
        }
        #expect(try await harness.job(job.id).inputText == text)
        #expect(try await store.jobWithResult(job.id, of: nil)?.result?.compact == text)
        #expect(try await store.journal(of: job.id).map(\.output.compact) == [text])
        await fixture.remove()
    }

    @Test func aReaderThatHoldsTheLogBackIsToldOnceAndMeasured() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let monitor = AvailabilityMonitor()
        var events = monitor.events().makeAsyncIterator()
        let writer = try await SQLiteWriter.start(
            limits: .init(checkpointPages: 10, logWarningBytes: 400_000),
            counter: CommitCounter(changes: ChangeBroadcaster(), logPath: fixture.path + "-wal"),
            threads: ThreadGroup(), clock: StoreClock(now: { [clock = fixture.clock] in clock.now }),
            availability: monitor
        ) { [path = fixture.path] in
            try DatabaseFile.openForWriting(path, maxPages: nil, migrations: .apply, now: Timestamp(milliseconds: 0))
        }
        let fill: @Sendable (Int) async throws -> Void = { count in
            for _ in 0..<count {
                try await writer.perform { transaction in
                    try transaction.database.execute(
                        "CREATE TABLE IF NOT EXISTS filler (x); INSERT INTO filler VALUES (zeroblob(100000))")
                }
            }
        }
        let reader = try SQLiteConnection(path: fixture.path, readOnly: true, busyTimeout: 60_000)
        try reader.execute("BEGIN")
        _ = try reader.word("SELECT count(*) FROM job")
        try await fill(30)
        guard case .logHeldBack(let bytes) = await events.next() else { throw HarnessFailure("nobody told of the log") }
        #expect(bytes >= 400_000)
        #expect(try #require(store.logBytes) >= bytes)
        try reader.execute("COMMIT")
        // Moved at once, and told again when it happens again.
        try await fill(3)
        try reader.execute("BEGIN")
        _ = try reader.word("SELECT count(*) FROM job")
        try await fill(30)
        guard case .logHeldBack = await events.next() else { throw HarnessFailure("nobody told of the log again") }
        try reader.execute("COMMIT")
        writer.close()
        await fixture.remove()
    }
}
