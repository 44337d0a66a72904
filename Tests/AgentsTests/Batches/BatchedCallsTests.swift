import Basics
import HTTP
import JobQueue
import LanguageModels
import Simulator
import Synchronization
import Testing

/// The calls of one command by batch, over HTTP against strict providers.
@Suite struct BatchedCallsTests {
    /// Short pauses, so that a batch is sealed and read at once, and a model without batches.
    private static let catalogue = """
        batches: { gather_hurried: 0.1, poll: 0.5, unclear: 2 }
        \(BatchFixture.providers)
          claude-haiku-5-5:
            provider: claude
            batch: false
            context: 200000
            max_output: 64000
            prices: [{ input: 4, output: 4 }]
        """

    private final class Folder: BatchFolder {
        private let kept = Mutex<[String: String]>([:])

        func texts() -> [String] { Array(kept.withLock(\.self).values) }
        func keep(_ text: String, of batch: String) { kept.withLock { $0[batch] = text } }
        func remove(_ batch: String) { kept.withLock { $0[batch] = nil } }
    }

    private struct FullFolder: BatchFolder {
        func texts() -> [String] { [] }
        func keep(_ text: String, of batch: String) throws(StoreError) { throw .unexpected(reason: "no space left") }
        func remove(_ batch: String) {}
    }

    private final class Fixture: Sendable {
        let simulator: Simulator
        private let transport = HTTPClient()
        private let configuration: ModelsConfiguration
        private let catalogue: ModelCatalogue
        private let clock = TestClock()

        private final class TestClock: Sendable {
            let ahead = Atomic<Int64>(0)
            var now: Int64 { WallClock.milliseconds() + ahead.load(ordering: .relaxed) }
        }

        init(_ batches: BatchSettings = BatchSettings()) throws {
            simulator = Simulator(SimulatorConfiguration(batches: batches, now: { [clock] in clock.now }))
            let url = try simulator.start()
            let key = Secret("simulated")
            configuration = ModelsConfiguration(
                claude: .init(key: key, baseURL: url), gemini: .init(key: key, baseURL: url),
                openai: .init(key: key, baseURL: url + "/openai/v1"))
            catalogue = try ModelCatalogue(parsing: BatchedCallsTests.catalogue)
        }

        /// Sets the provider's clock ahead.
        func advance(by duration: Duration) {
            clock.ahead.add(Int64(duration / .milliseconds(1)), ordering: .relaxed)
        }

        func calls(_ folder: any BatchFolder) async -> BatchedCalls {
            let router = ModelRouter(catalogue, configuration: configuration, transport: transport)
            let calls = BatchedCalls(
                catalogue, configuration: configuration, transport: transport, folder: folder, onEvent: { _ in }
            ) { request, tier async throws(ModelError) in try await router.respond(to: request, tier: tier) }
            await calls.resume()
            return calls
        }

        func stop() async {
            await transport.shutdown()
            await simulator.stop()
        }
    }

    private static let request = ModelRequest(messages: [.user("Why?")], maxOutputTokens: 100)

    private func ask(_ calls: BatchedCalls, _ tier: String, times: Int = 3) async -> [ModelResponse] {
        await withTaskGroup(of: ModelResponse?.self) { group in
            for number in 0..<times {
                group.addTask {
                    let answer = await calls.respond(to: Self.request, tier: tier, key: "\(number)")
                    return try? answer.result.get()
                }
            }
            return await group.reduce(into: []) { if let answer = $1 { $0.append(answer) } }
        }
    }

    @Test(arguments: ModelProvider.allCases, [false, true])
    func theCallsOfACommandAreBoughtOnceAtHalfThePrice(_ provider: ModelProvider, _ losesTheAnswer: Bool) async throws {
        let fixture = try Fixture()
        // OpenAI's first request uploads the lines.
        if losesTheAnswer {
            fixture.simulator.faults.add(FaultRule(.lostAnswer, skip: provider == .openai ? 1 : 0, times: 1))
        }
        let folder = Folder()
        let calls = await fixture.calls(folder)
        let answers = await ask(calls, provider.rawValue)
        await calls.close(isDone: true)
        let bill = fixture.simulator.bill()
        #expect(bill.count == 3 && bill.allSatisfy(\.isHalfPrice))
        let price = BillPrice(input: 4, output: 4, cacheRead: 4, cacheWrite5m: 4, cacheWrite1h: 4)
        #expect(answers.reduce(0) { $0 + $1.cost.rawValue } == bill.reduce(0) { $0 + Int64(price.microDollars($1)) })
        #expect(folder.texts().isEmpty)
        await fixture.stop()
    }

    @Test func aCommandThatGoesOnBuysNothingTwice() async throws {
        let fixture = try Fixture(BatchSettings(seconds: 3600))
        let folder = Folder()
        let interrupted = await fixture.calls(folder)
        async let unanswered = ask(interrupted, "claude")
        while !folder.texts().contains(where: { $0.contains("provider_id") }) { await Task.yield() }
        await interrupted.close(isDone: false)
        #expect(await unanswered.isEmpty)
        fixture.advance(by: .seconds(7200))
        let second = await fixture.calls(folder)
        #expect(await ask(second, "claude").count == 3)
        await second.close(isDone: true)
        #expect(fixture.simulator.bill().count == 3)
        #expect(folder.texts().isEmpty)
        await fixture.stop()
    }

    @Test func aLineThatEveryBatchFailsIsAskedAtTheFullPrice() async throws {
        let fixture = try Fixture(BatchSettings(expired: 1))
        let calls = await fixture.calls(Folder())
        #expect(await ask(calls, "claude", times: 1).count == 1)
        await calls.close(isDone: true)
        #expect(fixture.simulator.bill().map(\.isHalfPrice) == [false])
        await fixture.stop()
    }

    @Test func aModelWithoutBatchesIsAskedAtTheFullPrice() async throws {
        let fixture = try Fixture()
        let calls = await fixture.calls(Folder())
        #expect(await ask(calls, "claude-haiku-5-5", times: 2).count == 2)
        await calls.close(isDone: true)
        #expect(fixture.simulator.bill().map(\.isHalfPrice) == [false, false])
        await fixture.stop()
    }

    @Test func nothingIsBoughtWhenABatchCannotBeKept() async throws {
        let fixture = try Fixture()
        let calls = await fixture.calls(FullFolder())
        #expect(await ask(calls, "claude", times: 2).isEmpty)
        await calls.close(isDone: true)
        #expect(fixture.simulator.bill().isEmpty)
        await fixture.stop()
    }
}
