import Basics
import Foundation
import JSON
import JobQueue
import PostgresStore
import PostgresTesting
import SQLiteStore
import TestSupport
import Testing

@testable import LanguageModels

/// Four processes' routers over one database, against a strict provider in real time. It takes half a minute for each
/// store, so it runs only where `FLEET_SHARE_SECONDS` is set, to the seconds of the measure.
@Suite(
    .serialized, .enabled(if: ProcessInfo.processInfo.environment["FLEET_SHARE_SECONDS"] != nil))
struct FleetShareTests {
    private struct Result {
        var share = 0.0
        var refused = 0.0
        var second = 0.0
        var slowestInteractive: Duration = .zero
    }

    @Test func fourProcessesUseTheLimitOnSQLite() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/fleet-share-\(UUID().uuidString).db"
        var stores: [SQLiteStore] = []
        for _ in 0..<4 { stores.append(try await SQLiteStore.open(path: path)) }
        let result = try await measure(stores)
        for store in stores { await store.close() }
        try? FileManager.default.removeItem(atPath: path)
        check(result, "SQLite")
    }

    @Test func fourProcessesUseTheLimitOnPostgreSQL() async throws {
        let database = try await PostgresCluster.shared().makeDatabase(from: "fleet_share") { url in
            await (try await PostgresStore.open(try PostgresURL(url))).close()
        }
        var stores: [PostgresStore] = []
        for _ in 0..<4 { stores.append(try await PostgresStore.open(try PostgresURL(database.url))) }
        let result = try await measure(stores)
        for store in stores { await store.close() }
        await database.remove()
        check(result, "PostgreSQL")
    }

    private func check(_ result: Result, _ store: String) {
        print(
            "\(store): share \(result.share), refused \(result.refused), second user \(result.second), slowest",
            "interactive \(result.slowestInteractive)")
        #expect(result.share >= 0.95)
        #expect(result.refused < 0.005)
        #expect((0.4...0.6).contains(result.second))
        #expect(result.slowestInteractive <= .seconds(3))
    }

    private func measure(_ stores: [any BudgetStore]) async throws -> Result {
        let seconds = ProcessInfo.processInfo.environment["FLEET_SHARE_SECONDS"].flatMap(Int.init) ?? 30
        let server = StrictClaude([
            "requests": .init(rate: 3000, size: 500), "input-tokens": .init(rate: 1_200_000, size: 200_000),
            "output-tokens": .init(rate: 900_000, size: 150_000),
        ])
        let catalogue = ModelCatalogue(
            models: ["claude-sonnet-5-5": try Fixture.sonnet()], tiers: ["deep": ["claude-sonnet-5-5"]])
        var configuration = ModelsConfiguration()
        configuration.claude = .init(key: Secret("k"))
        let (done, slowest) = (Kept([Int64: Int]()), Kept(Duration.zero))
        let tasks = stores.map { store in
            let router = ModelRouter(
                catalogue, configuration: configuration, transport: server, budgets: store)
            // The first user has three times as many calls as the second.
            return Task {
                await withTaskGroup { group in
                    for place in 0..<16 {
                        let user: Int64 = place < 12 ? 1 : 2
                        group.addTask { await Self.call(router, as: user, done) }
                    }
                    group.addTask { await Self.callNowAndThen(router, slowest) }
                }
            }
        }
        try await Task.sleep(for: .seconds(15))
        let (before, usersBefore) = (server.count, done.value)
        slowest.change { $0 = .zero }
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(seconds))
        let (after, users) = (server.count, done.value)
        let minutes = (ContinuousClock.now - start) / .seconds(60)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        let accepted = Double(after.accepted - before.accepted)
        let of = { (user: Int64) in Double((users[user] ?? 0) - (usersBefore[user] ?? 0)) }
        return Result(
            share: (after.input - before.input) / (1_200_000 * minutes),
            refused: Double(after.refused - before.refused) / max(1, accepted), second: of(2) / max(1, of(1) + of(2)),
            slowestInteractive: slowest.value)
    }

    private static func request() -> ModelRequest {
        let text = String(repeating: "word ", count: Int.random(in: 400...2800))
        return ModelRequest(messages: [.user(text)], maxOutputTokens: 8000)
    }

    private static func call(_ router: ModelRouter, as user: Int64, _ done: Kept<[Int64: Int]>) async {
        while !Task.isCancelled {
            let place = CallPlace(
                user: UserID(rawValue: user), createdAt: Timestamp(milliseconds: WallClock.milliseconds()))
            do {
                _ = try await router.respond(to: request(), tier: "deep", caller: CallContext(place: place))
                done.change { $0[user, default: 0] += 1 }
            } catch {
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private static func callNowAndThen(_ router: ModelRouter, _ slowest: Kept<Duration>) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(4))
            guard let limiter = router.limiter else { return }
            let start = ContinuousClock.now
            let need = CallNeed(input: 2500, output: 200, isInteractive: true)
            guard
                let permit = try? await limiter.acquire(
                    need, from: ModelBudget(name: "claude/claude-sonnet-5-5"), CallContext(isInteractive: true))
            else { continue }
            let waited = ContinuousClock.now - start
            slowest.change { $0 = max($0, waited) }
            permit.settle(.unused, at: TimeSource.system.uptime())
        }
    }
}
