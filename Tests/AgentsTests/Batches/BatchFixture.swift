import Basics
import Foundation
import JSON
import JobQueue
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// The batches over a real database, with a provider in memory.
final class BatchFixture: Sendable {
    let clock = BatchClock()
    let provider: BatchProvider
    let store: SQLiteStore
    private let folder: String
    private let count = Mutex(0)

    static let worker = WorkerID(rawValue: "w1")
    static let day: Duration = .seconds(86_400)

    init(faults: [BatchProvider.Fault] = []) async throws {
        folder = NSTemporaryDirectory() + "batches-" + UUID().uuidString
        provider = BatchProvider(clock: clock, faults: faults)
        store = try await SQLiteStore.open(path: folder + "/dossier.db", now: { [clock] in clock.now })
        try await store.register(WorkerRegistration(id: Self.worker, host: "here", processID: 1, concurrency: 100))
    }

    func remove() async {
        await store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A process's dispatcher. With `dyingAfter` it dies after so many commits.
    func dispatcher(dyingAfter commits: Int? = nil) throws -> BatchDispatcher {
        let price = try #require(TokenPrice(dollarsPerMillion: "4"))
        let prices = try #require(PriceList([PriceList.Row(input: price, output: price)]))
        let model = ModelDescription(
            id: "claude-test", provider: .claude, contextTokens: 100_000, maxOutputTokens: 1000, prices: prices)
        let catalogue = try ModelCatalogue(
            parsing: """
                tiers: { deep: [claude-test], fast: [claude-test] }
                models:
                  claude-test:
                    provider: claude
                    context: 100000
                    max_output: 1000
                    prices: [{ input: 4, output: 4 }]
                  claude-haiku-4-5:
                    provider: claude
                    context: 100000
                    max_output: 1000
                    prices: [{ input: 4, output: 4 }]
                """)
        let batches = ClaudeBatches(
            model, at: ProviderEndpoint(baseURL: "http://claude", key: nil), over: provider)
        let number = count.withLock { count in
            count += 1
            return count
        }
        let ids = TestSupport.Counter()
        return BatchDispatcher(
            catalogue, models: [model.id: batches],
            store: commits.map { DyingStore(store, after: $0) } ?? store,
            now: { [clock] () throws(StoreError) in clock.now },
            makeID: { "batch-\(number)-\(ids.increment())" })
    }

    /// A model with batches of each provider, in a tier of its name.
    static let providers = """
        tiers: { claude: [claude-haiku-4-5], gemini: [gemini-3.5-flash], openai: [hosted] }
        models:
          claude-haiku-4-5:
            provider: claude
            context: 200000
            max_output: 64000
            prices: [{ input: 4, output: 4 }]
          gemini-3.5-flash:
            provider: gemini
            context: 200000
            max_output: 64000
            prices: [{ input: 4, output: 4 }]
          hosted:
            provider: openai
            batch: true
            context: 200000
            max_output: 64000
            prices: [{ input: 4, output: 4 }]
        """

    static let request = ModelRequest(messages: [.user("Why?")], maxOutputTokens: 100)

    /// Submits jobs that may take a day.
    func submit(_ jobs: Int, within: Duration = BatchFixture.day) async throws -> [JobID] {
        var ids: [JobID] = []
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<jobs {
            var job = NewJob(
                id: JobID(at: clock.now, using: &generator), user: UserID(rawValue: 1), kind: "research", input: [:],
                bundle: "b", cost: 0, deadline: clock.now + within, startingCredits: 0)
            job.within = within
            _ = try await store.submit(job)
            ids.append(job.id)
        }
        return ids
    }

    /// Runs every job that can run: it asks by batch, and completes with the answer.
    ///
    /// - Returns: The replies.
    @discardableResult
    func runJobs(on dispatcher: BatchDispatcher, tier: String = "deep") async throws -> [BatchReply] {
        var replies: [BatchReply] = []
        while let job = try await store.claim(for: Self.worker, upTo: [.background: 1]).jobs.first {
            let key = BatchLineKey(job: job.lease.job, step: "draft", occurrence: 0, inputHash: "h")
            let within = try #require(job.within)
            let question = try #require(
                dispatcher.question(key, request: Self.request, tier: tier, within: within, deadline: job.deadline))
            let reply = try await store.ask(question, under: job.lease, limits: SpendLimits())
            replies.append(reply)
            switch reply {
            case .waiting: break
            case .answered(let answer):
                let response = try #require(try dispatcher.read(answer, to: Self.request))
                _ = try await store.append(
                    Step(name: "draft", occurrence: 0, inputHash: "h", output: JSON(response.text)),
                    replacingFrom: nil, effects: [.journalBatchLine(id: key.id)], under: job.lease)
                try await store.complete(job.lease, with: JSON(response.text), effects: [])
            case .fullPrice: try await store.complete(job.lease, with: "full price", effects: [])
            case .refused: Issue.record("refused")
            }
        }
        return replies
    }

    /// The states of all batches.
    func states() async throws -> [ModelBatch.State] { try await store.batches(limit: 100).map(\.batch.state) }
}

/// Batches of a process that dies: after some commits nothing reaches the database any more, and the last commit's
/// acknowledgement is lost with it.
final class DyingStore: BatchStore {
    private let store: any BatchStore
    private let commits: Mutex<Int>

    init(_ store: any BatchStore, after commits: Int) {
        self.store = store
        self.commits = Mutex(commits)
    }

    private func read() throws(StoreError) {
        if commits.withLock({ $0 < 0 }) { throw .unavailable(reason: "the process is dead") }
    }

    private func committed<Value>(_ value: Value) throws(StoreError) -> Value {
        let left = commits.withLock { commits in
            commits -= 1
            return commits
        }
        if left < 0 { throw .unavailable(reason: "the process has died") }
        return value
    }

    func ask(
        _ question: BatchQuestion, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> BatchReply { try await store.ask(question, under: lease, limits: limits) }

    func gatherings() async throws(StoreError) -> [Gathering] {
        try read()
        return try await store.gatherings()
    }

    func gatheredLines(for model: String, of provider: String, limit: Int) async throws(StoreError) -> [BatchLine] {
        try read()
        return try await store.gatheredLines(for: model, of: provider, limit: limit)
    }

    func seal(_ batch: ModelBatch, of customIDs: [String]) async throws(StoreError) -> Bool {
        try read()
        return try committed(try await store.seal(batch, of: customIDs))
    }

    func takeBatch(of providers: [String], for time: Duration) async throws(StoreError) -> LeasedBatch? {
        try read()
        guard let leased = try await store.takeBatch(of: providers, for: time) else { return nil }
        return try committed(leased)
    }

    func change(
        _ leased: LeasedBatch, to batch: ModelBatch, keepingFor time: Duration
    ) async throws(StoreError) -> Bool {
        try read()
        return try committed(try await store.change(leased, to: batch, keepingFor: time))
    }

    func openLines(of batch: String) async throws(StoreError) -> [BatchLine] {
        try read()
        return try await store.openLines(of: batch)
    }

    func settle(_ outcomes: [BatchLineOutcome], of leased: LeasedBatch) async throws(StoreError) -> Bool {
        try read()
        return try committed(try await store.settle(outcomes, of: leased))
    }

    func knownProviderIDs(of provider: String, since timestamp: Timestamp) async throws(StoreError) -> Set<String> {
        try read()
        return try await store.knownProviderIDs(of: provider, since: timestamp)
    }

    func batches(limit: Int) async throws(StoreError) -> [BatchSummary] { try await store.batches(limit: limit) }

    func batchTimes(limit: Int) async throws(StoreError) -> [Duration] { try await store.batchTimes(limit: limit) }

    func forgetBatches(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await store.forgetBatches(before: timestamp, limit: limit)
    }
}
