/// A stream of numbers that a seed determines (SplitMix64), so that the same request gets the same answer.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Seeded with the first 64 bits of a hexadecimal digest.
    init(digest: String) { self.init(seed: UInt64(digest.prefix(16), radix: 16) ?? 0) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A fraction from 0 up to, but without, 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
