import Basics
import Filings
import HTTP
import JobQueue
import JSON
import Synchronization
import TestSupport
import Testing

@testable import DataSources

@Suite struct FilingLibraryTests {
    private let time = ManualTime()
    private let documents = MemoryDocuments()

    /// A clock that goes on when somebody sleeps for less than a time.
    private func source(goingOnBelow longest: Duration) -> TimeSource {
        TimeSource(
            uptime: time.source.uptime, wallMilliseconds: { [time] in time.source.uptime().wholeMilliseconds },
            sleep: { [time] pause in
                if pause < longest { time.advance(by: pause) }
                await Task.yield()
            })
    }

    private var budgets: MemoryBudgets {
        MemoryBudgets { [time] in Timestamp(milliseconds: 1_790_000_000_000) + time.source.uptime() }
    }

    /// One company with one annual report, whose document arrives when `gate` does.
    private func transport(_ gate: @escaping @Sendable () async -> Void = {}) -> ScriptedTransport {
        let list = FilingIndexTests.list([("0000000001-25-000004", "10-K", "1969-02-01", "1968-12-31", "", 1)]).compact
        return ScriptedTransport { request in
            switch request.url {
            case "http://localhost:1/files/company_tickers.json":
                .ok(#"{"0":{"cik_str":1,"ticker":"ONE","title":"ONE CORP"}}"#)
            case "http://localhost:1/submissions/CIK0000000001.json": .ok(list)
            case "http://localhost:1/Archives/edgar/data/1/000000000125000004/k.htm":
                await {
                    await gate()
                    return HTTPResponse.ok(
                        "<p>The text of the report has a few more words than nothing at all has.</p>")
                }()
            default: HTTPResponse(status: 404)
            }
        }
    }

    private func library(
        _ transport: ScriptedTransport, _ budgets: MemoryBudgets, goingOnBelow longest: Duration = .seconds(3600)
    ) throws -> FilingLibrary {
        let source = source(goingOnBelow: longest)
        let client = SECClient(
            try SECConfiguration(base: "http://localhost:1", userAgent: "Test test@example.com"), transport: transport,
            pacer: RequestPacer(requestsPerSecond: 10_000), time: source)
        return FilingLibrary(client, documents: documents, budgets: budgets, time: source)
    }

    private func downloads(_ transport: ScriptedTransport) -> Int {
        transport.sent.count { $0.url.contains("/Archives/") }
    }

    @Test func `a hundred readers in two processes make one download`() async throws {
        let (transport, budgets) = (transport(), budgets)
        // Those who wait for the download look again without end, and its time is not over meanwhile.
        let libraries = try (0..<2).map { _ in try library(transport, budgets, goingOnBelow: .milliseconds(100)) }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for reader in 0..<100 {
                group.addTask {
                    let choice = try await libraries[reader % 2].choice("one")
                    let annual = try #require(choice.annual)
                    let text = try await libraries[reader % 2].text(of: annual, choice.company)
                    return text.filing.sections.first?.paragraphs.first?.text ?? ""
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(
            texts
                == Array(repeating: "The text of the report has a few more words than nothing at all has.", count: 100))
        #expect(downloads(transport) == 1)
    }

    @Test func `a process that died with its claim holds others up for half a minute at most`() async throws {
        let (transport, budgets) = (transport(), budgets)
        let dead = BudgetRequest(
            budget: "filings/1", limits: BudgetLimits(requestsPerMinute: 2, requestsAtOnce: 1),
            calls: [CallNeed(input: 0, output: 0, isInteractive: true)])
        #expect(try await budgets.exchange([dead]).first?.granted == 1)
        let library = try library(transport, budgets)
        let choice = try await library.choice("ONE")
        let before = time.source.uptime()
        _ = try await library.text(of: try #require(choice.annual), choice.company)
        let waited = time.source.uptime() - before
        #expect(waited > .seconds(28) && waited < .seconds(32), "\(waited)")
        #expect(downloads(transport) == 1)
    }

    @Test func `the newest report that one process has found is known to the others`() async throws {
        let budgets = budgets
        let other = try library(transport(), budgets)
        let ticker = try Ticker("ONE")
        #expect(await other.newestReport(ticker) == nil)
        let choice = try await library(transport(), budgets).choice("one")
        #expect(await other.newestReport(ticker) == choice.annual)
    }

    @Test func `a report is known an hour after the list has it, with two looks an hour by all processes`() async throws
    {
        let rows = Mutex([("0000000001-25-000004", "10-K", "1969-02-01", "1968-12-31", "", Int64(1))])
        let isAway = Mutex(false)
        let transport = ScriptedTransport { request in
            if isAway.withLock(\.self) { return HTTPResponse(status: 503) }
            return switch request.url {
            case "http://localhost:1/files/company_tickers.json":
                .ok(#"{"0":{"cik_str":1,"ticker":"ONE","title":"ONE CORP"}}"#)
            case "http://localhost:1/submissions/CIK0000000001.json":
                .ok(FilingIndexTests.list(rows.withLock(\.self)).compact)
            default: HTTPResponse(status: 404)
            }
        }
        let budgets = budgets
        let libraries = try (0..<2).map { _ in try library(transport, budgets) }
        let ticker = try Ticker("ONE")
        func newest() async -> [String?] {
            var found: [String?] = []
            for library in libraries { found.append(await library.currentReport(ticker)?.accession) }
            return found
        }
        #expect(await newest() == Array(repeating: "0000000001-25-000004", count: 2))
        rows.withLock { $0.append(("0000000001-25-000009", "10-Q", "1969-05-01", "1969-03-31", "", 1)) }
        time.advance(by: .seconds(1200))
        #expect(await newest() == Array(repeating: "0000000001-25-000004", count: 2), "looked up lately")
        isAway.withLock { $0 = true }
        time.advance(by: .seconds(1200))
        #expect(await newest() == Array(repeating: "0000000001-25-000004", count: 2), "what was found before")
        isAway.withLock { $0 = false }
        time.advance(by: .seconds(1200))
        #expect(await newest() == Array(repeating: "0000000001-25-000009", count: 2))
        for _ in 0..<8 {
            time.advance(by: .seconds(900))
            _ = await newest()
        }
        let looks = transport.sent.count { $0.url.contains("/submissions/") }
        #expect(looks <= 10, "\(looks) in three hours, of which two while the SEC was away")
    }

    @Test func `a stored filing needs no request, by its number alone`() async throws {
        let first = transport()
        let library = try library(first, budgets)
        let choice = try await library.choice("ONE")
        #expect(try await library.text("0000000001-25-000004") == nil, "it was not listed to anybody")
        await library.remember(choice.roles.map(\.entry), of: choice.company)
        let listed = try await library.text("0000000001-25-000004")
        let text = try #require(listed)
        let later = transport()
        let stored = try await self.library(later, budgets).text("0000000001-25-000004")
        let again = try #require(stored)
        #expect(later.sent.isEmpty)
        #expect(again.json == text.json && again.entry == text.entry)
        #expect(text.url == "https://www.sec.gov/Archives/edgar/data/1/000000000125000004/k.htm")
        #expect(text.url(of: "The text").hasSuffix("#:~:text=The%20text"))
    }
}

@Suite struct FleetPaceTests {
    /// A clock that each sleep moves by a millisecond, and the times at which requests left.
    private final class Record: Sendable {
        private let state = Mutex<(now: Int64, left: [Int64])>((0, []))

        var now: Int64 { state.withLock { $0.now } }
        var left: [Int64] { state.withLock { $0.left } }
        func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
        func note() { state.withLock { $0.left.append($0.now) } }

        var time: TimeSource {
            TimeSource(
                uptime: { .milliseconds(self.now) }, wallMilliseconds: { self.now },
                sleep: { _ in
                    self.advance(by: 1)
                    await Task.yield()
                })
        }
        var budgets: MemoryBudgets { MemoryBudgets { Timestamp(milliseconds: 1_790_000_000_000 + self.now) } }
    }

    @Test func `processes together make at most ten requests in any second`() async throws {
        let record = Record()
        let budgets = record.budgets
        await withTaskGroup { group in
            for _ in 0..<4 {
                let pace = FleetPace(budgets, time: record.time)
                group.addTask {
                    for _ in 0..<15 {
                        guard (try? await pace.waitForTurn()) != nil else { return }
                        record.note()
                    }
                }
            }
        }
        let times = record.left.sorted()
        #expect(times.count == 60)
        for (place, start) in times.enumerated() {
            #expect(times[place...].prefix { $0 < start + 1000 }.count <= 10)
        }
    }

    /// A store that is away for a while.
    private final class AwayBudgets: BudgetStore {
        private let left = Mutex(3)
        private let budgets: MemoryBudgets

        init(_ budgets: MemoryBudgets) { self.budgets = budgets }

        func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
            let isAway = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isAway { throw .full }
            return try await budgets.exchange(requests)
        }
    }

    /// It is no fault of the SEC's, for which a job would lose an attempt.
    @Test func `a request waits while the store is away`() async throws {
        let record = Record()
        try await FleetPace(AwayBudgets(record.budgets), time: record.time).waitForTurn()
    }

    @Test func `a refusal of one process stops the others`() async throws {
        let record = Record()
        let budgets = record.budgets
        let (one, other) = (FleetPace(budgets, time: record.time), FleetPace(budgets, time: record.time))
        try await one.waitForTurn()
        await one.refused(for: .seconds(600))
        record.advance(by: 1000)
        await #expect(throws: DataSourceError.rateLimited(.edgar, retryAfter: .seconds(599))) {
            try await other.waitForTurn()
        }
    }
}
