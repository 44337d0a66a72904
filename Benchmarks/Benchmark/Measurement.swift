internal import Glibc

/// One result of a benchmark.
package struct Measurement: Sendable, Hashable {
    /// The measured part: `life_cycle`, `submit`, `claim_complete`, `pickup`, `poll`.
    package var name: String
    package var count: Int
    /// The rate per second; `nil` where the time of a single operation counts.
    package var perSecond: Double?
    /// Processor time of this process for each operation, in microseconds: the reliable figure on a shared machine.
    package var processorMicroseconds: Double
    /// Times of single operations in milliseconds, where they were taken.
    package var median: Double?
    package var percentile99: Double?
}

/// Measures the elapsed time and the processor time of this process.
struct Stopwatch {
    private let start = ContinuousClock.now
    private let processorStart = clock()

    /// The measurement of `count` operations since the start, with the times of single ones if they were taken.
    func measurement(_ name: String, _ count: Int, times: [Duration] = []) -> Measurement {
        let processor = Double(clock() - processorStart) / Double(CLOCKS_PER_SEC)
        let sorted = times.sorted()
        func at(_ share: Double) -> Double? {
            sorted.isEmpty ? nil : sorted[Int(Double(sorted.count - 1) * share)].inSeconds * 1000
        }
        return Measurement(
            name: name, count: count,
            perSecond: times.isEmpty ? Double(count) / (ContinuousClock.now - start).inSeconds : nil,
            processorMicroseconds: processor / Double(max(count, 1)) * 1_000_000, median: at(0.5),
            percentile99: at(0.99))
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
