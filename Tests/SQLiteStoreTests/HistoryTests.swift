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
            #expect(damaged.withUnsafeBytes { CompressedText.text(of: $0) } != text, "byte \(place)")
        }
        for count in 0..<bytes.count {
            #expect(bytes[..<count].withUnsafeBytes { CompressedText.text(of: $0) } == nil, "\(count) bytes")
        }
    }

    /// Databases contain these bytes: those that an earlier version wrote must stay readable.
    @Test func bytesOfTheFirstFormStayReadable() throws {
        let text = String(repeating: "{\"summary\":\"revenue of the company\"}", count: 20)
        #expect(Self.bytes.withUnsafeBytes { CompressedText.text(of: $0) } == text)
        #expect(CompressedText.bytes(of: text)?.first == Self.bytes.first)
    }

    private static let bytes: [UInt8] = [
        1, 208, 5, 171, 70, 10, 74, 88, 113, 13, 205, 229, 208, 82, 91, 105, 84, 205, 168, 154, 33, 163, 6,
        0,
    ]

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

    @Test func inputsAndResultsOfCompletedJobsMoveTogetherAndGoWithTheirJobs() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        let text = JSON((0..<90).map { "line \($0)" }.joined(separator: "; "))
        var jobs: [Job] = []
        for index in 0..<3 {
            jobs.append(
                try await harness.submit { job in
                    job.input = index == 0 ? ["text": text] : ["ticker": "AAPL"]
                    job.requestID = "r\(index)"
                })
            let claimed = try await harness.claimOne(worker)
            #expect(claimed.requestID == "r\(index)" && claimed.bundle == jobs[index].bundle)
            if index == 1 {
                try await store.fail(claimed.lease, with: StoreHarness.giveUp)
            } else {
                try await store.complete(claimed.lease, with: index == 0 ? ["text": text] : 1, effects: [])
            }
            fixture.clock.advance(by: .seconds(60))
        }
        // The last one ended too late.
        let time = fixture.clock.now - .seconds(60)
        #expect(try await store.archiveFinished(before: time, limit: 10) == 1)
        #expect(try await store.archiveFinished(before: time, limit: 10) == 0)
        let database = try SQLiteConnection(path: fixture.path, readOnly: true, busyTimeout: 60_000)
        let counts = [
            "job_input": "2", "job_result": "1", "finished_job": "1", "bundle_number": "1",
            "job WHERE bundle <> ''": "0",
        ]
        for (table, count) in counts {
            #expect(try database.word("SELECT count(*) FROM \(table)") == count, "\(table)")
        }
        #expect(try await store.jobWithResult(jobs[0].id, of: nil)?.result == ["text": text])
        #expect(try await harness.job(jobs[0].id).inputText == jobs[0].inputText)
        #expect(try await harness.job(jobs[0].id).bundle == jobs[0].bundle)
        #expect(try await store.retry(jobs[1].id, of: nil)?.accepted != nil)
        #expect(try await store.deleteFinished(before: time, limit: 10) == 1)
        #expect(try database.word("SELECT count(*) FROM finished_job") == "0")
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
