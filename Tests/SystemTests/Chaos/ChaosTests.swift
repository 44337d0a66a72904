import Foundation
import Simulator
import Testing

/// Fleets of real processes to which everything happens that must not matter. A run follows from its seed alone; one
/// that fails prints how to have it again.
extension SystemTests {
    @Suite(.serialized) struct ChaosTests {
        /// Seeds that `make test` tries; `DOSSIER_CHAOS_SEED` and `CHAOS_MINUTES` ask for others.
        private static let seeds: [UInt64] = [3]

        @Test(.timeLimit(.minutes(15)), .enabled(if: Wish.current == .usual), arguments: seeds)
        func noPromiseIsBrokenWhateverDies(seed: UInt64) async throws {
            try await Self.run(seed)
        }

        @Test(.enabled(if: Wish.current != .usual))
        func noPromiseIsBrokenForAsLongAsIsAsked() async throws {
            switch Wish.current {
            case .usual: break
            case .seed(let seed): try await Self.run(seed)
            case .minutes(let minutes):
                let end = ContinuousClock.now + .seconds(minutes * 60)
                repeat { try await Self.run(UInt64.random(in: 1...999_999)) } while ContinuousClock.now < end
            }
        }

        @Test func aSeedAlwaysMakesTheSamePlan() {
            let shape = ChaosPlan.Shape(troubles: Set(ChaosTrouble.allCases))
            let seeds = (1...50).map(UInt64.init)
            let texts = seeds.map { "\(ChaosPlan(seed: $0, shape: shape))" }
            #expect(texts == seeds.map { "\(ChaosPlan(seed: $0, shape: shape))" })
            #expect(Set(texts).count == 50)
        }

        @Test func everyTroubleEndsAndNoneMeetsAnotherOfItsKind() {
            let shape = ChaosPlan.Shape(troubles: Set(ChaosTrouble.allCases))
            for seed in 1...200 {
                var open: Set<String> = []
                for event in ChaosPlan(seed: UInt64(seed), shape: shape).events {
                    let (thing, begins) = Self.trouble(event.action)
                    #expect(begins ? open.insert(thing).inserted : open.remove(thing) != nil, "seed \(seed): \(event)")
                }
                #expect(open.isEmpty, "seed \(seed)")
            }
        }

        private static func trouble(_ action: ChaosAction) -> (thing: String, begins: Bool) {
            switch action {
            case .kill(let process), .stop(let process): ("\(process)", true)
            case .start(let process), .proceed(let process): ("\(process)", false)
            case .setClock(let worker, let seconds): ("clock \(worker)", seconds != 0)
            case .fillDisk: ("disk", true)
            case .freeDisk: ("disk", false)
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
        }

        private static func run(_ seed: UInt64) async throws {
            let plan = ChaosPlan(seed: seed, shape: ChaosPlan.Shape(troubles: troubles))
            print("chaos by seed \(seed)")
            let again = "again with: DOSSIER_CHAOS_SEED=\(seed) make chaos"
            let pacing = Pacing(firstByte: .milliseconds(200), tokensPerSecond: 500, deltaLength: 80)
            do {
                try await Fleet.with(pacing: pacing, database: database) { fleet in
                    let run = try await ChaosRun(plan, on: fleet)
                    try await run.run()
                    let problems = try await ChaosBooks(of: run).problems()
                    guard !problems.isEmpty else { return }
                    print("what happened:\n\(plan)")
                    Issue.record("\(problems.joined(separator: "; ")); \(again)")
                }
            } catch {
                print("what happened:\n\(plan)")
                Issue.record("\(error); \(again)")
            }
        }

        private static let troubles: Set<ChaosTrouble> = {
            var troubles = Set(ChaosTrouble.allCases)
            if !SmallDisk.isAllowed {
                print("no disk fills: tmpfs cannot be mounted here")
                troubles.remove(.diskFills)
            }
            if !FileManager.default.fileExists(atPath: ChaosProcesses.clockLibrary) {
                print("no clock jumps: Debian's libfaketime is not installed")
                troubles.remove(.clockJumps)
            }
            return troubles
        }()

        private static func database(in folder: String) throws -> any FleetDatabase {
            try SQLiteOnSmallDisk(in: folder) ?? SQLiteFleetDatabase(in: folder)
        }
    }
}
