import Foundation
import Glibc
import JSON
import JobQueue
import StoreConformance
import Testing

@testable import SQLiteStore

/// Prints how many life cycles and polls one process carries, beside the same statements run raw by fifty in a
/// transaction. Wants a release build: `DOSSIER_BENCHMARK=1 swift test -c release --filter LifeCycleBenchmark`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DOSSIER_BENCHMARK"] != nil, "set DOSSIER_BENCHMARK=1"))
struct LifeCycleBenchmark {
    private static let jobs = 20_000
    private static let clients = 200

    @Test func lifeCyclesOfOneProcess() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let worker = WorkerID(rawValue: "w")
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1000))
        for user in 0..<100 {
            _ = try await store.grant(1_000_000, to: UserID(rawValue: Int64(user)), note: "", startingCredits: 0)
        }
        let watch = Stopwatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    for place in stride(from: client, to: Self.jobs, by: Self.clients) {
                        _ = try await store.submit(Self.job(user: place % 100))
                    }
                }
            }
            group.addTask {
                try await withThrowingTaskGroup(of: Void.self) { running in
                    var claimed = 0
                    while claimed < Self.jobs {
                        let jobs = try await store.claim(for: worker, upTo: [.background: 50]).jobs
                        claimed += jobs.count
                        for job in jobs { running.addTask { try await Self.run(job, on: store) } }
                    }
                    try await running.waitForAll()
                }
            }
            try await group.waitForAll()
        }
        print("life cycles, store:", watch.rate(of: Self.jobs))
        #expect(try await store.auditCredits() == [])
        try await polls(store)
        await fixture.remove()
    }

    private func polls(_ store: SQLiteStore) async throws {
        let list = try await store.jobs(JobListQuery(user: UserID(rawValue: 1), perPage: 100))
        let ids = list.jobs.map(\.id)
        let watch = Stopwatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask {
                    for turn in 0..<2000 { _ = try await store.job(ids[(client + turn) % ids.count], of: nil) }
                }
            }
            try await group.waitForAll()
        }
        print("polls, store:", watch.rate(of: 64 * 2000))
    }

    @Test func writesBesideAnotherProcessThatWritesWithoutPause() async throws {
        let fixture = SQLiteFixture()
        let busy = try await fixture.openStore()
        let calm = try await fixture.openStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<100 {
                group.addTask {
                    while !Task.isCancelled { _ = try await busy.submit(Self.job(user: client, cost: 0)) }
                }
            }
            var times: [Duration] = []
            for _ in 0..<500 {
                let start = ContinuousClock.now
                _ = try await calm.submit(Self.job(user: 1000, cost: 0))
                times.append(ContinuousClock.now - start)
            }
            group.cancelAll()
            try await group.waitForAll()
            print("a write beside a saturating process:", Self.spread(times))
        }
        await fixture.remove()
    }

    @Test(arguments: [false, true]) func pickupByAnIdleWorker(inAnotherProcess: Bool) async throws {
        let fixture = SQLiteFixture()
        let ways = LogWatcher.Ways()
        let broker = try await fixture.openStore(watching: ways)
        let store = inAnotherProcess ? try await fixture.openStore(watching: ways) : broker
        let worker = WorkerID(rawValue: "w")
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1))
        var times: [Duration] = []
        var signals = store.changes(.ready).makeAsyncIterator()
        for _ in 0..<500 {
            let start = ContinuousClock.now
            async let submitted = broker.submit(Self.job(user: 1, cost: 0))
            var claimed = 0
            while claimed == 0 {
                _ = await signals.next()
                claimed = try await store.claim(for: worker, upTo: [.background: 1]).jobs.count
            }
            times.append(ContinuousClock.now - start)
            _ = try await submitted
        }
        print("submit to claim\(inAnotherProcess ? " in another process" : ""):", Self.spread(times))
        await fixture.remove()
    }

    @Test func theSameStatementsRawByFifty() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let worker = WorkerID(rawValue: "w")
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1000))
        for user in 0..<100 {
            _ = try await store.grant(1_000_000, to: UserID(rawValue: Int64(user)), note: "", startingCredits: 0)
        }
        await store.close()
        print("life cycles, raw by fifty:", try Self.runRaw(fixture.path, worker: worker))
        await fixture.remove()
    }

    private static func runRaw(_ path: String, worker: WorkerID) throws -> String {
        let database = try DatabaseFile.openForWriting(path, maxPages: nil, now: SystemClock.now())
        let raw = Raw(database: database, transaction: WriteTransaction(database: database, clock: SystemClock.now))
        let watch = Stopwatch()
        for first in stride(from: 0, to: jobs, by: 50) {
            try raw.run((0..<50).map { job(user: (first + $0) % 100) }, worker: worker)
        }
        return watch.rate(of: jobs)
    }

    private static func run(_ job: ClaimedJob, on store: SQLiteStore) async throws {
        try await store.report([ProgressReport(lease: job.lease, progress: 30, currentStep: "draft")])
        for name in ["gather", "draft"] {
            _ = try await store.append(
                Step(name: name, occurrence: 0, inputHash: "h", output: [:]), replacingFrom: nil, effects: [],
                under: job.lease)
        }
        try await store.complete(job.lease, with: [:], effects: [])
    }

    private static func job(user: Int, cost: Int = 1) -> NewJob {
        var generator = SystemRandomNumberGenerator()
        let now = SystemClock.now()
        return NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: Int64(user)), kind: "research",
            input: ["ticker": "AAPL"], bundle: "b", cost: cost, deadline: now + .seconds(600), startingCredits: 0)
    }

    private static func spread(_ times: [Duration]) -> String {
        let sorted = times.sorted()
        func at(_ share: Double) -> Double {
            let parts = sorted[Int(Double(sorted.count - 1) * share)].components
            return ((Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15) * 100).rounded() / 100
        }
        return "p50 \(at(0.5)) ms, p99 \(at(0.99)) ms"
    }

    /// Seconds and processor seconds of this process since some moment.
    private struct Stopwatch {
        private let start = ContinuousClock.now
        private let processorStart = clock()

        /// So many pieces of work: how many a second, and the processor time that each took (the figure to go by on a
        /// machine that others use too).
        func rate(of count: Int) -> String {
            let seconds = Double((ContinuousClock.now - start).wholeMilliseconds) / 1000
            let processor = Double(clock() - processorStart) / Double(CLOCKS_PER_SEC) / Double(count) * 1_000_000
            return "\(Int(Double(count) / seconds))/s, \(Int(processor * 10) / 10) µs of processor time each"
        }
    }
}

/// The store's own statements, without its writer, tasks and JSON.
private struct Raw {
    let database: SQLiteConnection
    let transaction: WriteTransaction

    func run(_ jobs: [NewJob], worker: WorkerID) throws {
        try commit { for job in jobs { _ = try transaction.submit(job, input: "{\"ticker\":\"AAPL\"}") } }
        var claimed: [ClaimedRow] = []
        try commit { claimed = try transaction.claim(for: worker, upTo: [.background: jobs.count]).0 }
        let leases = claimed.map(\.job.lease)
        try commit {
            for lease in leases {
                try database.run(.jobReport, .id(lease.job), .integer(lease.epoch), .integer(30), .text("draft"))
            }
        }
        for name in ["gather", "draft"] {
            let step = Step(name: name, occurrence: 0, inputHash: "h", output: .null)
            try commit {
                for lease in leases { _ = try transaction.append(step, output: "{}", to: transaction.fenced(lease)) }
            }
        }
        try commit {
            for lease in leases { try transaction.complete(transaction.fenced(lease), with: "{}", effects: []) }
        }
    }

    private func commit(_ body: () throws -> Void) throws {
        try database.execute("BEGIN IMMEDIATE")
        try body()
        try database.execute("COMMIT")
        database.checkpoint(from: 4000)
    }
}
