/// The usual time of a process's calls, in which a call counts by its output.
///
/// The output that is expected of the calls under way is what is written in a second, times this time. The plain mean would
/// be too short where a few tokens are asked for beside long answers. It forgets: the last 20 calls or so make most of it.
package struct UsualTime: Sendable {
    private static let memory = 20

    private var milliseconds = 0.0
    private var tokens = 0.0
    private var count = 0

    package init() {}

    package var value: Duration { .milliseconds(Int64(tokens > 0 ? milliseconds / tokens : 0)) }

    package mutating func add(_ time: Duration, output: Int64) {
        let output = Double(max(0, output))
        count = min(count + 1, Self.memory)
        milliseconds += (Double(time.wholeMilliseconds) * output - milliseconds) / Double(count)
        tokens += (output - tokens) / Double(count)
    }
}
