internal import Basics

/// The prices of one day or one hour, all of them positive and finite, with `low <= open, close <= high`.
package struct PriceBar: Hashable, Sendable {
    /// Seconds since 1970: midnight UTC of the exchange's date for a daily bar, the start in UTC for an hourly one.
    package var time: Int64
    package var open: Double
    package var high: Double
    package var low: Double
    package var close: Double
    /// In shares; `nil` where the source gives none or 0.
    package var volume: Double?

    package init(time: Int64, open: Double, high: Double, low: Double, close: Double, volume: Double?) {
        (self.time, self.open, self.high, self.low, self.close) = (time, open, high, low, close)
        self.volume = volume
    }
}

/// A row of a source before it is cleaned: any price may be missing or wrong.
package struct RawPriceBar: Hashable, Sendable {
    package var time: Int64
    package var open: Double?
    package var high: Double?
    package var low: Double?
    package var close: Double?
    package var volume: Double?

    package init(
        time: Int64, open: Double? = nil, high: Double? = nil, low: Double? = nil, close: Double? = nil,
        volume: Double? = nil
    ) {
        (self.time, self.open, self.high, self.low, self.close) = (time, open, high, low, close)
        self.volume = volume
    }
}

/// The time that a bar covers, by the names that the app sends.
package enum Timeframe: String, Sendable, Hashable, CaseIterable {
    case daily = "d1"
    case hourly = "h1"

    /// Bars of a regular session of an American exchange.
    package var barsPerSession: Int { self == .daily ? 1 : 7 }

    /// For messages: `31 daily bars`.
    package var adjective: String { self == .daily ? "daily" : "hourly" }
}

/// The cleaned bars of a symbol, oldest first, one for each time.
package struct PriceSeries: Hashable, Sendable {
    package var timeframe: Timeframe
    package var bars: [PriceBar]
    /// The rows that cleaning dropped or changed, oldest first.
    package var repairs: [PriceRepair]

    package init(timeframe: Timeframe, bars: [PriceBar], repairs: [PriceRepair]) {
        (self.timeframe, self.bars, self.repairs) = (timeframe, bars, repairs)
    }

    /// SHA-256 of the bars, to the bit.
    package var digest: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bars.count * 48)
        func append(_ word: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        for bar in bars {
            append(UInt64(bitPattern: bar.time))
            for value in [bar.open, bar.high, bar.low, bar.close, bar.volume ?? 0] { append(value.bitPattern) }
        }
        return SHA256.hex(bytes)
    }
}
