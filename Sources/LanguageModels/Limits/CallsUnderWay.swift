internal import JobQueue
internal import Synchronization

/// The bytes of content that the answer of one call has got.
final class WrittenContent: Sendable {
    private let count = Atomic(0)

    var bytes: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}

/// The calls of this process that are under way from one budget, and the output of theirs that the budget knows.
///
/// Providers count output as it is written and tell its tokens at the end. Until then they are counted from the bytes
/// that have arrived, by the tokens per byte of earlier answers.
struct CallsUnderWay {
    private struct Entry {
        var need: CallNeed
        var content: WrittenContent
        /// The tokens that were reported.
        var reported: Int64 = 0
    }

    private var entries: [UInt64: Entry] = [:]
    private var tokensPerByte = RunningMean(0.25)
    private var time = UsualTime()

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The output that is expected of all of them.
    var expectedOutput: Int64 { entries.values.reduce(0) { $0 + $1.need.output } }

    /// The usual time of a call.
    var usualTime: Duration { time.value(expecting: expectedOutput, of: count) }

    mutating func begin(_ id: UInt64, _ need: CallNeed, at now: Duration) -> WrittenContent {
        time.note(0, of: count, at: now)
        let content = WrittenContent()
        entries[id] = Entry(need: need, content: content)
        return content
    }

    /// The output since the last report, which this is.
    mutating func takeWritten(at now: Duration) -> Int64 {
        var sum: Int64 = 0
        for (id, entry) in entries {
            let tokens = Int64(Double(entry.content.bytes) * tokensPerByte.value)
            guard tokens > entry.reported else { continue }
            sum += tokens - entry.reported
            entries[id]?.reported = tokens
        }
        time.note(sum, of: count, at: now)
        return sum
    }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - id: The call.
    ///   - output: The tokens that the provider told; `nil` when it told none.
    ///   - passed: The time that it took; `nil` for a call that was not made.
    ///   - now: The uptime.
    /// - Returns: The output that was not reported; below zero when too much was.
    mutating func end(_ id: UInt64, output: Int64?, after passed: Duration?, at now: Duration) -> Int64 {
        guard let entry = entries[id] else { return 0 }
        let bytes = Double(entry.content.bytes)
        let written = output ?? max(entry.reported, Int64(bytes * tokensPerByte.value))
        if let output, bytes > 0, output > 0 { tokensPerByte.add(Double(output) / bytes) }
        time.note(written - entry.reported, of: count, at: now)
        if let passed { time.end(after: passed, output: written) }
        entries[id] = nil
        return written - entry.reported
    }
}
