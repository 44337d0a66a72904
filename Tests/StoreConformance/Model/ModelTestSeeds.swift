import Foundation

/// Which sequences to run: a few fixed ones, or as many as `MODEL_SEQUENCES` says, from `MODEL_SEED` on (drawn when it
/// is not set; the names of the tests show it). They are shared out to lanes that run side by side.
package struct ModelTestSeeds: Sendable, CustomStringConvertible {
    package let seeds: [UInt64]

    /// Sequences that every run of the tests tries.
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
