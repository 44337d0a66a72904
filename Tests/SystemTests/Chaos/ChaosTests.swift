import Foundation
import PostgresTesting
import Simulator
import Testing

/// Fleets of real processes to which everything happens that must not matter. A run follows from its seed alone; one
/// that fails prints how to have it again.
extension SystemTests {
    @Suite(.serialized) struct ChaosTests {
        /// The seeds of `make test`; `DOSSIER_CHAOS_SEED` and `CHAOS_MINUTES` choose others.
        @Test(.timeLimit(.minutes(15)), .enabled(if: Wish.current == .usual), arguments: DatabaseEngine.allCases)
        func noPromiseIsBrokenWhateverDies(on engine: DatabaseEngine) async throws {
            try await Self.run(engine == .sqlite ? 3 : 7, on: engine)
        }

        @Test(.enabled(if: Wish.current != .usual))
        func noPromiseIsBrokenWithinTheGivenTime() async throws {
            switch Wish.current {
            case .usual: break
            case .seed(let seed): for engine in Wish.engines { try await Self.run(seed, on: engine) }
            case .minutes(let minutes):
                let end = ContinuousClock.now + .seconds(minutes * 60)
                repeat {
                    for engine in Wish.engines { try await Self.run(UInt64.random(in: 1...999_999), on: engine) }
                } while ContinuousClock.now < end
            }
        }

        @Test(arguments: DatabaseEngine.allCases) func aSeedAlwaysMakesTheSamePlan(on engine: DatabaseEngine) {
            let shape = ChaosPlan.Shape(faults: ChaosFault.possible(on: engine))
            let seeds = (1...50).map(UInt64.init)
            let texts = seeds.map { "\(ChaosPlan(seed: $0, shape: shape))" }
            #expect(texts == seeds.map { "\(ChaosPlan(seed: $0, shape: shape))" })
            #expect(Set(texts).count == 50)
        }

        @Test(arguments: DatabaseEngine.allCases)
        func everyFaultEndsAndNoComponentHasTwoAtOnce(on engine: DatabaseEngine) {
            let shape = ChaosPlan.Shape(faults: ChaosFault.possible(on: engine))
            for seed in 1...200 {
                var open: Set<ChaosFaultPlace> = []
                for event in ChaosPlan(seed: UInt64(seed), shape: shape).events {
                    guard let (component, begins) = ChaosFaultPlace.of(event.action) else { continue }
                    #expect(
                        begins ? open.insert(component).inserted : open.remove(component) != nil,
                        "seed \(seed): \(event)")
                }
                #expect(open.isEmpty, "seed \(seed)")
            }
        }

        // MARK: One run

        private enum Wish: Equatable {
            case usual
            case seed(UInt64)
            case minutes(Int)

            static let current: Wish = {
                let environment = ProcessInfo.processInfo.environment
                if let seed = environment["DOSSIER_CHAOS_SEED"].flatMap(UInt64.init) { return .seed(seed) }
                if let minutes = environment["CHAOS_MINUTES"].flatMap(Int.init) { return .minutes(minutes) }
                return .usual
            }()

            /// `DOSSIER_CHAOS_DATABASE` says which; both otherwise.
            static let engines: [DatabaseEngine] = {
                let name = ProcessInfo.processInfo.environment["DOSSIER_CHAOS_DATABASE"]
                return name.flatMap(DatabaseEngine.init).map { [$0] } ?? DatabaseEngine.allCases
            }()
        }

        private static func run(_ seed: UInt64, on engine: DatabaseEngine) async throws {
            let plan = ChaosPlan(seed: seed, shape: ChaosPlan.Shape(faults: faults(on: engine)))
            print("chaos by seed \(seed) on \(engine)")
            let again = "again with: DOSSIER_CHAOS_SEED=\(seed) DOSSIER_CHAOS_DATABASE=\(engine) make chaos"
            let pacing = Pacing(firstByte: .milliseconds(200), tokensPerSecond: 500, deltaLength: 80)
            let logs = Fleet.package + "/.build/chaos/\(seed)-\(engine)"
            do {
                let variables = ["DOSSIER_STARTING_CREDITS": "\(plan.shape.batch + 5)"]
                try await Fleet.with(
                    pacing: pacing, variables: variables, database: { try await database(engine, in: $0) }
                ) { fleet in
                    if let other = ChaosProcesses.otherBinary {
                        print("half of the processes run \(other), which makes the database")
                        let migration = try fleet.start(["migrate"], binary: other)
                        guard try await migration.ended() == .code(0) else {
                            throw SystemFailure("the other version makes no database: \(migration.errors.text)")
                        }
                    }
                    let run = try await ChaosRun(plan, on: fleet)
                    defer { run.sweep() }
                    do {
                        try await run.run()
                        let problems = try await ChaosAudit(of: run).problems()
                        guard problems.isEmpty else { throw SystemFailure(problems.joined(separator: "; ")) }
                    } catch {
                        try run.writeLogs(to: logs)
                        throw error
                    }
                }
            } catch {
                print("what happened:\n\(plan)")
                Issue.record("\(error); the logs are in \(logs); \(again)")
            }
        }

        private static func faults(on engine: DatabaseEngine) -> Set<ChaosFault> {
            var faults = ChaosFault.possible(on: engine)
            if engine == .sqlite, !SmallDisk.isAllowed {
                print("no disk fills: tmpfs cannot be mounted here")
                faults.remove(.diskFills)
            }
            if !FileManager.default.fileExists(atPath: ChaosProcesses.clockLibrary) {
                print("no clock jumps: Debian's libfaketime is not installed")
                faults.remove(.clockJumps)
            }
            if engine == .postgres, !FileManager.default.fileExists(atPath: stalledDisk) {
                print("no disk hangs: \(stalledDisk) was not built")
                faults.remove(.diskHangs)
            }
            return faults
        }

        private static func database(_ engine: DatabaseEngine, in folder: String) async throws -> any FleetDatabase {
            switch engine {
            case .sqlite: try SQLiteOnSmallDisk(in: folder) ?? SQLiteFleetDatabase(in: folder)
            case .postgres: try await PostgresFleetDatabase(on: try await cluster.value)
            }
        }

        /// A server of its own: it is stopped, and no other test must notice.
        private static let cluster = Task {
            var options = PostgresCluster.Options()
            options.isDurable = true
            if FileManager.default.fileExists(atPath: stalledDisk) { options.library = stalledDisk }
            return try await PostgresCluster.start(options)
        }

        private static let stalledDisk = URL(filePath: Fleet.executable).deletingLastPathComponent()
            .appending(path: "libStalledDisk.so").path
    }
}
