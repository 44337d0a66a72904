import Foundation

/// Random numbers that a seed repeats (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    /// A random seed, or the one in the environment variable `SYSTEM_TEST_SEED`; a test prints its seed.
    package init() {
        let given = ProcessInfo.processInfo.environment["SYSTEM_TEST_SEED"].flatMap(UInt64.init)
        self.init(seed: given ?? UInt64.random(in: 1...999_999))
    }

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
