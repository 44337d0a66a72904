import Basics
import DataSources
import DossierAPI
import JSON
import JobQueue
import Prices
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import Agents

/// Trainings over a real database.
@Suite(.timeLimit(.minutes(5))) struct ForecastAgentTests {
    /// Tuesday 2026-11-24 at noon in UTC.
    private static let now = Timestamp(milliseconds: 1_795_521_600_000)
    private static let input: JSON = [
        "symbol": "AAPL", "timeframe": "d1", "horizon": "1D", "lookbackDays": 120,
    ]

    private func agent(
        _ answer: ForecastAgent.Answer, _ source: WalkSource?, _ fixture: AgentFixture, now: Timestamp = now
    ) -> ForecastAgent {
        let history = source.map {
            PriceHistory($0, documents: fixture.test.store, now: { Self.now.milliseconds })
        }
        return ForecastAgent(
            answer, history: history, documents: fixture.test.store, executor: TrainingExecutor(), now: { now })
    }

    @Test func aRunAfterAnInterruptionGivesTheSameBytesAndTrainsOnce() async throws {
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("training", Self.input)
            let source = WalkSource(400)
            let first = try await fixture.attempt(job, agent(.training, source, fixture))
            #expect(try await fixture.test.store.journal(of: job.lease.job).map(\.name) == ["clock", "train"])
            // The clock has moved on, but the journal has the one of the first run.
            let second = try await fixture.attempt(
                job, agent(.training, source, fixture, now: Self.now + .seconds(600)))
            #expect(first.compact == second.compact && source.calls == 1)
            #expect(first["provenance"]?["source"] == "Financial Modeling Prep")
            #expect(first["timestamp"] == "2026-11-24T12:00:00Z")
        }
    }

    @Test func aForecastUsesTheTrainingThatIsKept() async throws {
        try await AgentFixture.run { fixture in
            let source = WalkSource(400)
            let job = try await fixture.job("training", Self.input)
            let trained = try await fixture.result(job, agent(.training, source, fixture))
            guard case .document(let document)? = trained.records.first else { throw NoDocument() }
            // Until Tuesday's close in New York.
            #expect(document.keptUntil.milliseconds / 1000 == PriceTable.time("2026-11-24 21:15"))
            try await fixture.test.store.complete(
                job.lease, with: trained.body, effects: trained.records.map { .record($0) })
            let other = try await fixture.job("forecast", Self.input, user: 2)
            let forecast = try await fixture.attempt(other, agent(.forecast, WalkSource(0), fixture))
            #expect(forecast["modelInfo"] == trained.body["modelInfo"] && forecast["qualityScore"]?.double != nil)
            #expect(source.calls == 1)
        }
    }

    @Test func tooFewBarsAndNoSourceAreErrorsOfTheirOwn() async throws {
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("training", Self.input)
            let few = try await fixture.failure(job, agent(.training, WalkSource(31), fixture))
            #expect(few.error.code == .validationFailed && !few.isTransient)
            #expect(few.error.message == "AAPL has 31 daily bars; at least 100 are needed.")
            let none = try await fixture.failure(job, agent(.training, nil, fixture))
            #expect(none.error.code == .dataSource)
        }
    }

    @Test func cancelledTrainingsEndEarly() async throws {
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("training", Self.input)
            let run = Task { try await fixture.attempt(job, agent(.training, WalkSource(1500), fixture)) }
            run.cancel()
            await #expect(throws: AgentError.self) { try await run.value }
        }
    }

    private struct NoDocument: Error {}
}

/// A random walk up to Monday 2026-11-23; counts its calls.
private final class WalkSource: PriceSource {
    private let count: Int
    private let made = Mutex(0)
    let isMetered = true

    init(_ count: Int) { self.count = count }

    var calls: Int { made.withLock(\.self) }

    func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices {
        made.withLock { $0 += 1 }
        guard count > 0 else { throw .notFound(ticker: ticker.text) }
        var random = SeededRandom(seed: 5)
        var price = 100.0
        let newest = CalendarDate(dayNumber: 20_780)
        let rows = (0..<count).map { index in
            let open = price
            price *= 1 + Double.random(in: -0.02...0.02, using: &random)
            return RawPriceBar(
                time: TradingCalendar.date(index - count + 1, after: newest).secondsSinceEpoch, open: open,
                high: max(open, price), low: min(open, price), close: price, volume: 1_000_000)
        }
        return SourcedPrices(rows: rows, source: .fmp)
    }
}
