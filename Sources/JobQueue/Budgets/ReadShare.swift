/// The part of the reads from a provider's cache that a budget relies on: a pure value, learned from the calls for which
/// reads were expected.
///
/// What is read is free of the limit on input. To rely on a read that does not come takes more than the bucket has; not
/// to rely on one that comes is put right by the answer's first event, which in a bucket of few prompts keeps the next
/// calls waiting. So the share starts at nothing, is the part of the first calls that read, less two calls that did not,
/// and after the first read that did not come it falls fast and rises slowly: about 0.5 when a tenth of the calls read
/// nothing, 0.1 at four tenths.
package struct ReadShare: Hashable, Sendable {
    /// The part of the way to a lower and to a higher share that one call makes.
    private static let fall = 0.5
    private static let rise = 0.05
    /// Calls from which on each makes no more of the way than `rise`.
    private static let many = 18

    /// From 0 to 1.
    package private(set) var value = 0.0
    private var calls = 0

    package init() {}

    /// Takes in what the provider read for a call.
    package mutating func learn(read: Int64, of expected: Int64) {
        guard expected > 0 else { return }
        let part = min(max(Double(read) / Double(expected), 0), 1)
        guard part >= value, part > 0 else { return lose(value - part) }
        calls = min(calls + 1, Self.many)
        value += (part - value) * max(Self.rise, 1 / Double(calls + 2))
    }

    /// A call of which reads were expected was refused: other calls may have read less than they should.
    package mutating func wasRefused() { lose(value) }

    private mutating func lose(_ part: Double) {
        value -= part * Self.fall
        calls = Self.many
    }

    /// The expected call for a prompt of which a part is expected to be read.
    package func need(_ whole: CallNeed, reading expected: Int64) -> CallNeed {
        var need = whole
        let read = Double(min(max(expected, 0), LimitBucket.largest)) * value
        need.input = max(1, whole.input - Int64(read))
        return need
    }
}
