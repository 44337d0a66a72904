internal import Synchronization

/// A number that grows. Adding to it takes no lock.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }

    package var total: Int { value.load(ordering: .relaxed) }
}

/// Counts durations by their length. Recording one takes no lock.
package final class Histogram: Sendable {
    /// From a tenth of a millisecond (a poll) to a minute (a caller that waits for a job).
    package static let answers: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
        .seconds(60),
    ]

    /// The upper end of each bucket, ascending; one more bucket holds longer durations.
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

    /// The number of durations in each bucket; the last bucket has those beyond all bounds.
    package var counts: [Int] { buckets.map(\.total) }

    /// All durations together, in seconds.
    package var sum: Double { Double(microseconds.total) / 1_000_000 }
}

/// Metrics in Prometheus's text format, version 0.0.4.
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The type of a family of samples.
    package enum Kind: String {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: String, value: String)]

    /// All that was written.
    package private(set) var text = ""

    package init() {}

    /// Begins a family; its samples follow. `help` is one sentence.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    package mutating func sample(_ name: String, _ value: Int, _ labels: Labels = []) {
        write(name, labels, String(value))
    }

    package mutating func sample(_ name: String, _ value: Double, _ labels: Labels = []) {
        write(name, labels, "\(value)")
    }

    /// The buckets, each with all that are shorter, the sum and the count.
    package mutating func sample(_ name: String, _ histogram: Histogram, _ labels: Labels = []) {
        sample(name, counts: histogram.counts, bounds: histogram.bounds, sum: histogram.sum, labels)
    }

    /// A histogram of durations that were counted elsewhere; the last count is of those beyond all bounds.
    package mutating func sample(
        _ name: String, counts: [Int], bounds: [Duration], sum: Double, _ labels: Labels = []
    ) {
        sample(name, counts: counts, ends: bounds.map { "\(Self.seconds($0))" }, sum: sum, labels)
    }

    /// A histogram with the upper ends of its buckets; the last count is of those beyond all of them.
    package mutating func sample(_ name: String, counts: [Int], ends: [String], sum: Double, _ labels: Labels = []) {
        var below = 0
        for (place, count) in counts.enumerated() {
            below += count
            sample(name + "_bucket", below, labels + [("le", place < ends.count ? ends[place] : "+Inf")])
        }
        sample(name + "_sum", sum, labels)
        sample(name + "_count", below, labels)
    }

    private mutating func write(_ name: String, _ labels: Labels, _ value: String) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds / 1_000_000_000_000) / 1_000_000
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
