/// Counts durations by how long they were. Recording one takes no lock.
package final class Histogram: Sendable {
    /// From a tenth of a millisecond, a poll, to a minute, somebody who waits for a job.
    package static let answers: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
        .seconds(60),
    ]

    /// The upper end of each bucket, ascending; one more bucket holds what is longer.
    package let bounds: [Duration]
    private let buckets: [Counter]
    private let microseconds = Counter()

    package init(bounds: [Duration] = Histogram.answers) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    package func record(_ duration: Duration) {
        buckets[bounds.firstIndex { duration <= $0 } ?? bounds.count].add()
        let (seconds, attoseconds) = duration.components
        microseconds.add(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
    }

    /// How many durations each bucket holds, the last being those beyond all bounds.
    package var counts: [Int] { buckets.map(\.total) }

    /// All durations together, in seconds.
    package var sum: Double { Double(microseconds.total) / 1_000_000 }
}
