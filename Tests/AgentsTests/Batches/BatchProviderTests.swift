import Basics
import HTTP
import JSON
import JobQueue
import LanguageModels
import SQLiteStore
import Simulator
import Synchronization
import Testing

/// Batches over HTTP against strict providers.
@Suite struct BatchProviderTests {
    @Test(arguments: ModelProvider.allCases, [false, true])
    func aBatchIsBoughtOnceAtHalfThePrice(_ provider: ModelProvider, _ losesTheAnswer: Bool) async throws {
        let fixture = try await BatchFixture()
        let clock = fixture.clock
        let simulator = Simulator(
            SimulatorConfiguration(batches: BatchSettings(seconds: 60), now: { clock.now.milliseconds }))
        let transport = HTTPClient()
        do {
            let url = try simulator.start()
            // OpenAI's first request uploads the lines.
            let skip = provider == .openai ? 1 : 0
            if losesTheAnswer { simulator.faults.add(FaultRule(.lostAnswer, skip: skip, times: 1)) }
            try await buyOnce(provider, url, transport, fixture, simulator)
            if losesTheAnswer { #expect(simulator.faults.rules().map { $0.applied } == [1]) }
        } catch {
            Issue.record("\(error)")
        }
        await transport.shutdown()
        await simulator.stop()
        await fixture.remove()
    }

    private func buyOnce(
        _ provider: ModelProvider, _ url: String, _ transport: HTTPClient, _ fixture: BatchFixture,
        _ simulator: Simulator
    ) async throws {
        let key = Secret("simulated")
        let count = Mutex(0)
        let dispatcher = BatchDispatcher(
            try ModelCatalogue(parsing: BatchFixture.providers),
            configuration: ModelsConfiguration(
                claude: .init(key: key, baseURL: url), gemini: .init(key: key, baseURL: url),
                openai: .init(key: key, baseURL: url + "/openai/v1")),
            transport: transport, store: fixture.store, now: { () throws(StoreError) in fixture.clock.now },
            makeID: {
                count.withLock { count in
                    count += 1
                    return "batch-\(count)"
                }
            })
        let jobs = try await fixture.submit(3)
        try await fixture.runJobs(on: dispatcher, tier: provider.rawValue)
        for _ in 0..<40 {
            fixture.clock.advance(by: .seconds(60))
            await dispatcher.work()
            try await fixture.runJobs(on: dispatcher, tier: provider.rawValue)
        }
        #expect(try await fixture.states() == [.collected])
        for job in jobs { #expect(try await fixture.store.job(job, of: nil)?.status == .completed) }
        let bill = simulator.bill()
        #expect(bill.count == 3 && bill.allSatisfy(\.isHalfPrice))
        let price = BillPrice(input: 4, output: 4, cacheRead: 4, cacheWrite5m: 4, cacheWrite1h: 4)
        let booked = try await fixture.store.modelSpend(of: UserID(rawValue: 1), since: Timestamp(milliseconds: 0))
        #expect(booked == bill.reduce(0) { $0 + Int64(price.microDollars($1)) })
    }
}
