import Foundation
import JobQueue
import TestSupport

/// Random sequences of calls on a store, compared with the reference model after every call.
package enum ModelTest {
    /// The number of calls in a sequence.
    static let length = 50
    /// The number of sequences on one database.
    private static let runsPerDatabase = 25

    /// A sequence in which store and model differ.
    package struct Failure: Error, CustomStringConvertible {
        package let seed: UInt64
        /// The difference at the end of the smallest failing sequence.
        package let reason: String
        /// Its calls, in the notation of `ModelTest.replay`.
        package let calls: [String]

        package var description: String {
            """
            Seed \(seed): \(reason)
            \(calls.count) calls, again with make model-test SEED=\(seed) SEQUENCES=1, or as a replay of
            [\(calls.map { "." + $0 }.joined(separator: ", "))]
            """
        }
    }

    /// Runs a sequence for each seed; consecutive sequences share a database.
    ///
    /// - Throws: `Failure` at the first failing sequence, with its smallest form.
    package static func run(on kind: (some StoreFixture).Type, seeds: some Sequence<UInt64> & Sendable) async throws {
        var left = Array(seeds)[...]
        while !left.isEmpty {
            let batch = left.prefix(runsPerDatabase)
            left = left.dropFirst(runsPerDatabase)
            var failed: (seed: UInt64, calls: [Operation], reason: String)?
            try await withDatabase(kind) { store, clock in
                for (run, seed) in batch.enumerated() where failed == nil {
                    var calls: [Operation] = []
                    if let reason = try await play(seed, run: run, on: store, clock, recording: &calls) {
                        failed = (seed, calls, reason)
                    }
                }
            }
            guard let failed else { continue }
            throw try await smallest(failed, on: kind)
        }
    }

    /// Runs one sequence on a database of its own.
    ///
    /// - Returns: The difference between store and model; `nil` when there is none.
    static func replay(_ calls: [Operation], on kind: (some StoreFixture).Type) async throws -> String? {
        try await withDatabase(kind) { store, clock in
            var run = ModelRun(store: store, clock: clock, run: 0)
            return try await difference {
                for call in calls { try await run.perform(call) }
                try await run.checkAll()
                try await run.clearAway()
            }
        }
    }

    private static func play(
        _ seed: UInt64, run: Int, on store: any DossierStore, _ clock: ManualStoreClock,
        recording calls: inout [Operation]
    ) async throws -> String? {
        var generator = OperationGenerator(seed: seed)
        var run = ModelRun(store: store, clock: clock, run: run)
        var played: [Operation] = []
        let reason = try await difference {
            for _ in 0..<length {
                let call = generator.next(run.model, run.names)
                played.append(call)
                try await run.perform(call)
            }
            try await run.checkAll()
            try await run.clearAway()
        }
        calls = played
        return reason
    }

    private static func smallest<Fixture: StoreFixture>(
        _ failed: (seed: UInt64, calls: [Operation], reason: String), on kind: Fixture.Type
    ) async throws -> Failure {
        guard var reason = try await replay(failed.calls, on: kind) else {
            // It fails only with the remains of earlier sequences in the database.
            return Failure(
                seed: failed.seed, reason: failed.reason + " (not on a database of its own)",
                calls: failed.calls.map { "\($0)" })
        }
        var shrinker = Shrinker { try await replay($0, on: kind) }
        let calls = try await shrinker.shrink(failed.calls)
        reason = try await replay(calls, on: kind) ?? reason
        return Failure(seed: failed.seed, reason: reason, calls: calls.map { "\($0)" })
    }

    /// The difference. An error outside the contract is a difference, too.
    private static func difference(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let mismatch as Mismatch {
            return mismatch.description
        } catch let error as StoreError {
            return "the store threw: \(error)"
        }
    }

    private static func withDatabase<Fixture: StoreFixture, Value>(
        _ kind: Fixture.Type, _ body: (any DossierStore, ManualStoreClock) async throws -> Value
    ) async throws -> Value {
        let clock = ManualStoreClock()
        let fixture = try await kind.init(clock: clock)
        do {
            let value = try await body(try await fixture.open(), clock)
            await fixture.remove()
            return value
        } catch {
            await fixture.remove()
            throw error
        }
    }
}

/// The sequences to run: a few fixed ones, or `MODEL_SEQUENCES` many from `MODEL_SEED` on (random when it is not set;
/// the names of the tests show it). They are distributed over queues that run in parallel.
package struct ModelTestSeeds: Sendable, CustomStringConvertible {
    package let seeds: [UInt64]

    /// The sequences of every test run.
    private static let fixed: UInt64 = 200
    private static let width = 4

    package var description: String {
        guard let first = seeds.first, let last = seeds.last else { return "no seeds" }
        return "\(seeds.count) seeds from \(first) to \(last)"
    }

    package static let queues: [ModelTestSeeds] = {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["MODEL_SEQUENCES"].flatMap(UInt64.init) ?? fixed
        let isByHand = environment["MODEL_SEQUENCES"] != nil
        let first =
            environment["MODEL_SEED"].flatMap(UInt64.init) ?? (isByHand ? .random(in: 1...UInt64(UInt32.max)) : 1)
        return (0..<width).map { queue in
            ModelTestSeeds(seeds: (0..<count).filter { $0 % UInt64(width) == UInt64(queue) }.map { first &+ $0 })
        }.filter { !$0.seeds.isEmpty }
    }()
}
