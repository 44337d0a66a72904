internal import Basics
internal import Prices
internal import Glibc

/// The newest bars up to one row of a data set, from which alone the row's features are computed.
///
/// A window holds no later bar, so a feature cannot look ahead. It holds a fixed number of bars, so that a feature does
/// not depend on where a series begins.
struct FeatureWindow {
    /// 200 bars for the longest average, and the close before them.
    static let longest = 201

    let bars: ArraySlice<PriceBar>
    /// Logarithmic returns, newest first.
    private let returns: [Double]
    private let last: Int

    /// - Parameter bars: at least two.
    init(_ bars: ArraySlice<PriceBar>) {
        self.bars = bars.suffix(Self.longest)
        last = self.bars.endIndex - 1
        var returns: [Double] = []
        let count = min(64, self.bars.count - 1)
        returns.reserveCapacity(count)
        for age in 0..<count { returns.append(log(bars[last - age].close / bars[last - age - 1].close)) }
        self.returns = returns
    }

    /// The bar that is a number of bars old; 0 is the newest.
    subscript(age: Int) -> PriceBar? { age < bars.count ? bars[last - age] : nil }

    var newest: PriceBar { bars[last] }

    func logReturn(_ count: Int) -> Double { self[count].map { log(newest.close / $0.close) } ?? .nan }

    /// Standard deviation of the newest returns.
    func volatility(_ count: Int) -> Double {
        returns.count < count ? .nan : Self.deviation(returns[..<count])
    }

    /// The average true range, as a share of the close.
    func averageTrueRange(_ count: Int) -> Double {
        guard bars.count > count else { return .nan }
        var sum = 0.0
        for age in 0..<count {
            let (bar, before) = (bars[last - age], bars[last - age - 1].close)
            sum += max(bar.high, before) - min(bar.low, before)
        }
        return sum / Double(count) / newest.close
    }

    /// The share of rises in the sum of absolute returns, 0 to 1.
    func relativeStrength(_ count: Int) -> Double {
        guard returns.count >= count else { return .nan }
        let (up, all) = returns[..<count].reduce((0.0, 0.0)) { ($0.0 + max($1, 0), $0.1 + abs($1)) }
        return all > 0 ? up / all : 0.5
    }

    /// The difference of the exponential averages of 12 and 26 closes and its distance from its own average of 9, as
    /// shares of the close; over the newest 130 bars.
    var averageDivergence: (line: Double, histogram: Double) {
        guard bars.count >= 35 else { return (.nan, .nan) }
        let start = max(bars.startIndex, last - 129)
        var (fast, slow, signal) = (bars[start].close, bars[start].close, 0.0)
        for index in start + 1...last {
            fast += (bars[index].close - fast) * 2 / 13
            slow += (bars[index].close - slow) * 2 / 27
            signal += (fast - slow - signal) * 2 / 10
        }
        return ((fast - slow) / newest.close, (fast - slow - signal) / newest.close)
    }

    /// The place of the close in a band of two standard deviations about its average, 0 to 1 inside the band.
    func bandPosition(_ count: Int) -> Double {
        guard bars.count >= count else { return .nan }
        let closes = bars.suffix(count).map { $0.close / newest.close }
        let deviation = Self.deviation(closes[...])
        guard deviation > 1e-9 else { return 0.5 }
        return (1 - closes.reduce(0, +) / Double(count)) / (4 * deviation) + 0.5
    }

    /// The place of the close between the lowest low and the highest high.
    func rangePosition(_ count: Int) -> Double {
        guard bars.count >= count else { return .nan }
        var (low, high) = (Double.infinity, 0.0)
        for bar in bars.suffix(count) { (low, high) = (min(low, bar.low), max(high, bar.high)) }
        return high > low ? (newest.close - low) / (high - low) : 0.5
    }

    /// The logarithmic distance of the close from its average.
    func averageDistance(_ count: Int) -> Double {
        guard bars.count >= count else { return .nan }
        var sum = 0.0
        for bar in bars.suffix(count) { sum += bar.close }
        return log(newest.close / (sum / Double(count)))
    }

    /// The logarithmic distance of the close from the highest close.
    func drawdown(_ count: Int) -> Double {
        guard bars.count >= count else { return .nan }
        var highest = 0.0
        for bar in bars.suffix(count) { highest = max(highest, bar.close) }
        return log(newest.close / highest)
    }

    /// The newest volume in standard deviations of logarithms from their mean.
    func volumeScore(_ count: Int) -> Double {
        guard bars.count >= count, let volume = newest.volume else { return .nan }
        // Relative to the newest, so that the unit of volumes cancels out.
        let logs = bars.suffix(count).compactMap { $0.volume.map { log($0 / volume) } }
        guard logs.count * 2 >= count else { return .nan }
        let deviation = Self.deviation(logs[...])
        return deviation > 1e-9 ? -logs.reduce(0, +) / Double(logs.count) / deviation : 0
    }

    var volumeChange: Double {
        guard let volume = newest.volume, let before = self[1]?.volume else { return .nan }
        return log(volume / before)
    }

    /// The volume of rises less that of falls, as a share of the volume.
    func volumeBalance(_ count: Int) -> Double {
        guard returns.count >= count else { return .nan }
        var (balance, all) = (0.0, 0.0)
        for age in 0..<count {
            guard let volume = bars[last - age].volume else { continue }
            balance += returns[age] > 0 ? volume : returns[age] < 0 ? -volume : 0
            all += volume
        }
        return all > 0 ? balance / all : .nan
    }

    /// The correlation of returns with the returns before them.
    func autocorrelation(_ count: Int) -> Double {
        guard returns.count > count else { return .nan }
        let mean = returns[...count].reduce(0, +) / Double(count + 1)
        var (product, square) = (0.0, 0.0)
        for age in 0..<count {
            product += (returns[age] - mean) * (returns[age + 1] - mean)
            square += (returns[age] - mean) * (returns[age] - mean)
        }
        return square > 1e-18 ? product / square : 0
    }

    private static func deviation(_ values: ArraySlice<Double>) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    }
}
