internal import Synchronization

/// Counters of one process, by the values of their labels.
///
/// Values are bounded: a combination beyond the limit counts under `other`, so that no text from outside can fill memory.
package final class CounterFamily: Sendable {
    private let name: String
    private let help: String
    private let labels: [String]
    private let values = Mutex<[[String]: Double]>([:])

    /// `zeros` are values of the labels that are shown from the start: an increase is seen only of a sample that was
    /// there before.
    package init(_ name: String, _ help: String, labels: [String] = [], zeros: [[String]] = []) {
        (self.name, self.help, self.labels) = (name, help, labels)
        values.withLock { values in for zero in zeros { values[zero] = 0 } }
    }

    package func add(_ amount: Double = 1, _ values: String...) {
        self.values.withLock { $0[$0.place(values), default: 0] += amount }
    }

    package func write(to text: inout PrometheusText) {
        let all = values.withLock { $0 }
        guard !all.isEmpty else { return }
        text.family(name, .counter, help)
        for (values, total) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text.sample(name, total, Array(zip(labels, values)))
        }
    }
}

/// Histograms of one process, by the values of their labels. Values are bounded as those of `CounterFamily`.
package final class HistogramFamily: Sendable {
    /// Seconds from a submit to a claim.
    package static let waits: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
    /// Seconds from a submit to the end of a job.
    package static let lives: [Double] = [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 86_400]
    /// Seconds of a model call, as OpenTelemetry's conventions for generative AI advise.
    package static let calls: [Double] = [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ]
    /// Tokens of a model call, by the same conventions.
    package static let tokens: [Double] = [
        1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304,
    ]

    private struct Values {
        var counts: [Int]
        var sum = 0.0
    }

    private let name: String
    private let help: String
    private let labels: [String]
    private let bounds: [Double]
    private let values = Mutex<[[String]: Values]>([:])

    /// `bounds` are the upper ends of the buckets, ascending.
    package init(_ name: String, _ help: String, bounds: [Double], labels: [String] = []) {
        (self.name, self.help, self.bounds, self.labels) = (name, help, bounds, labels)
    }

    package func record(_ value: Double, _ values: String...) { record(value, values) }

    package func record(_ duration: Duration, _ values: String...) {
        record(PrometheusText.seconds(duration), values)
    }

    private func record(_ value: Double, _ values: [String]) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        self.values.withLock { all in
            let place = all.place(values)
            var found = all[place] ?? Values(counts: Array(repeating: 0, count: bounds.count + 1))
            found.counts[bucket] += 1
            found.sum += value
            all[place] = found
        }
    }

    package func write(to text: inout PrometheusText) {
        let all = values.withLock { $0 }
        guard !all.isEmpty else { return }
        text.family(name, .histogram, help)
        for (values, found) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text.sample(
                name, counts: found.counts, ends: bounds.map { "\($0)" }, sum: found.sum, Array(zip(labels, values)))
        }
    }
}

extension Dictionary where Key == [String] {
    /// The combinations of labels that one family keeps.
    private static var most: Int { 500 }

    fileprivate func place(_ values: [String]) -> [String] {
        self[values] != nil || count < Self.most ? values : values.map { _ in "other" }
    }
}
