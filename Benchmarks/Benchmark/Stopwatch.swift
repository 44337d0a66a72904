internal import Glibc

/// Time and processor time of this process since some moment.
struct Stopwatch {
    private let start = ContinuousClock.now
    private let processorStart = clock()

    /// So many pieces of work since the start, with the times of single ones if they were taken.
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
