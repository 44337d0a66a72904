import Basics

/// The usual time of a process's calls, as their output shows it: the output that is expected of the calls under way, by
/// what they are being written in a second.
///
/// The mean time of calls that have ended is a poor guide: short ones end first, and a few tokens that are asked for beside
/// long answers count like these. It serves until some output was seen.
package struct UsualTime: Sendable {
    /// After this time an observation counts for a third.
    private static let memory = 15.0
    /// Calls that make most of the mean of those that have ended.
    private static let rememberedCalls = 20

    private var at: Duration?
    /// The output that was seen, and the seconds of calls in which it was written.
    private var tokens = 0.0
    private var seconds = 0.0
    /// The means of calls that have ended: of their output, and of their milliseconds times that.
    private var endedTokens = 0.0
    private var endedMilliseconds = 0.0
    private var ended = 0

    package init() {}

    /// Notes what some calls have got since the last note.
    ///
    /// - Parameters:
    ///   - output: Tokens; below zero where too many were noted before.
    ///   - calls: The number of calls since the last note.
    ///   - now: The uptime.
    package mutating func note(_ output: Int64, of calls: Int, at now: Duration) {
        let passed = max(0, (now - (at ?? now)).inSeconds)
        at = now
        let kept = 1 / (1 + passed / Self.memory)
        tokens = max(0, tokens * kept + Double(output))
        seconds = seconds * kept + passed * Double(calls)
    }

    /// Notes a call that has ended.
    package mutating func end(after time: Duration, output: Int64) {
        let output = Double(max(0, output))
        ended = min(ended + 1, Self.rememberedCalls)
        endedMilliseconds += (Double(time.wholeMilliseconds) * output - endedMilliseconds) / Double(ended)
        endedTokens += (output - endedTokens) / Double(ended)
    }

    /// The usual time of calls of which this output is expected; zero before anything was seen.
    package func value(expecting output: Int64, of calls: Int) -> Duration {
        let each = Double(output) / Double(max(1, calls))
        guard calls > 0, seconds > 0, tokens > each * Self.leastSeen else {
            return .milliseconds(Int64(endedTokens > 0 ? endedMilliseconds / endedTokens : 0))
        }
        return .milliseconds(Int64(min(each * seconds / tokens, Self.longest) * 1000))
    }

    private static let longest = 3600.0
    /// The part of a usual answer that tells how fast it is written. More would let the calls of a start wait until the
    /// first ones end.
    private static let leastSeen = 1.0 / 12
}
