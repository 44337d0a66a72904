internal import Basics
internal import Glibc
internal import JSON
internal import Prices

/// Invented prices over time of the companies that the simulator carries: a random walk by weekdays that no later call
/// changes, in the two forms of Financial Modeling Prep. Each record says that it is simulated.
enum SimulatedPrices {
    /// The session of 2026-01-02, whose price is that of the company's listing.
    private static let anchor = 14_609
    /// In 2005.
    private static let oldest = 9200
    /// As many records as the source gives at most.
    private static let mostRecords = 5000

    /// The records of an endpoint, newest first; `nil` for another endpoint.
    static func records(
        _ endpoint: String, symbol: String, price: Double, from: String?, to: String?, now: Int64
    ) -> [JSON]? {
        guard ["historical-price-eod/full", "historical-chart/1hour"].contains(endpoint) else { return nil }
        let last = min(to.flatMap { CalendarDate($0) } ?? .init(secondsSinceEpoch: now), .init(secondsSinceEpoch: now))
        let first = from.flatMap { CalendarDate($0) } ?? last + -365
        let range = max(TradingCalendar.session(first), oldest)...max(TradingCalendar.session(last), oldest)
        var logarithm = 0.0
        var closes: [(session: Int, before: Double, after: Double)] = []
        var atAnchor = 0.0
        for session in oldest...max(range.upperBound, anchor) {
            let before = logarithm
            // The first bits of the sum, so that a price is the same on every machine.
            logarithm += (noise(symbol, session, 0) * 0.014 * 1e6).rounded() / 1e6
            if session == anchor { atAnchor = logarithm }
            if range.contains(session) { closes.append((session, before, logarithm)) }
        }
        let days = closes.filter { session, _, _ in
            let day = TradingCalendar.date(session, after: CalendarDate(dayNumber: 4))
            return day >= first && day <= last
        }
        let records = days.reversed().flatMap { session, before, after in
            let (open, close) = (price * exp(before - atAnchor), price * exp(after - atAnchor))
            return endpoint.hasSuffix("1hour")
                ? hours(symbol, session, open, close) : [day(symbol, session, open, close)]
        }
        return Array(records.prefix(mostRecords))
    }

    private static func day(_ symbol: String, _ session: Int, _ open: Double, _ close: Double) -> JSON {
        let date = TradingCalendar.date(session, after: CalendarDate(dayNumber: 4))
        var record = bar("\(date)", symbol, session, 1, open, close)
        record["symbol"] = JSON(symbol)
        record["change"] = JSON(cents(close - open))
        record["changePercent"] = JSON(cents((close / open - 1) * 100))
        record["vwap"] = JSON(cents((open + close) / 2))
        return .object(record)
    }

    /// Seven bars from the opening price to the closing one, a random walk, too: noise whose sum is the day's change.
    private static func hours(_ symbol: String, _ session: Int, _ open: Double, _ close: Double) -> [JSON] {
        let date = TradingCalendar.date(session, after: CalendarDate(dayNumber: 4))
        let steps = (0..<7).map { noise(symbol, session, $0 + 20) * 0.014 / 7.0.squareRoot() }
        let drift = (log(close / open) - steps.reduce(0, +)) / 7
        let prices = steps.reduce(into: [open]) { $0.append($0[$0.count - 1] * exp($1 + drift)) }
        return (0..<7).reversed().map { hour in
            let (begin, end) = (prices[hour], prices[hour + 1])
            let clock = (hour == 0 ? "09" : "\(hour + 9)") + ":30:00"
            return .object(bar("\(date) \(clock)", symbol, session, hour + 2, begin, end))
        }
    }

    private static func bar(
        _ date: String, _ symbol: String, _ session: Int, _ salt: Int, _ open: Double, _ close: Double
    ) -> JSONObject {
        let spread = 0.004 * abs(noise(symbol, session, salt)) + 0.001
        return [
            "date": JSON(date), "open": JSON(cents(open)), "high": JSON(cents(max(open, close) * (1 + spread))),
            "low": JSON(cents(min(open, close) * (1 - spread))), "close": JSON(cents(close)),
            "volume": JSON(20_000_000 + Int(noise(symbol, session, salt + 10) * 3_000_000)), "simulated": true,
        ]
    }

    private static func cents(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    /// A nearly normal number of mean 0 and deviation 1 that depends on its arguments alone.
    private static func noise(_ symbol: String, _ session: Int, _ salt: Int) -> Double {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in symbol.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state ^= UInt64(bitPattern: Int64(session)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(salt) &* 0xD1B5_4A32_D192_ED03
        var sum = -6.0
        for _ in 0..<12 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            sum += Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
        }
        return sum
    }
}
