internal import Basics

/// Why a file of prices cannot be used. `description` is safe to show.
package enum PriceTableError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge(bytes: Int)
    case tooManyRows
    case missingColumn(String)
    case unreadableDate(line: Int)
    case empty
    /// The rows are those of another timeframe.
    case otherTimeframe(Timeframe, problem: String)

    package var description: String {
        switch self {
        case .tooLarge(let bytes):
            "the file has \(bytes >> 20) MiB; at most \(PriceTable.largestFile >> 20) MiB are read"
        case .tooManyRows: "the file has more than \(PriceTable.mostRows) rows"
        case .missingColumn(let name): "the first line names no column '\(name)'"
        case .unreadableDate(let line): "line \(line) does not begin with a date (YYYY-MM-DD, or with a time in UTC)"
        case .empty: "the file has no rows"
        case .otherTimeframe(let asked, let problem): "these are not \(asked.adjective) prices: \(problem)"
        }
    }
}

/// Reads prices as comma-separated values: a line of names (`date,open,high,low,close,volume`, in any order and case,
/// others are skipped), then a row for each bar in any order. A price that is no number counts as missing.
package enum PriceTable {
    /// In bytes.
    package static let largestFile = 16 << 20
    package static let mostRows = 100_000

    private typealias Columns = (date: Int, open: Int, high: Int, low: Int, close: Int, volume: Int?)

    package static func rows(_ bytes: [UInt8]) throws(PriceTableError) -> [RawPriceBar] {
        guard bytes.count <= largestFile else { throw .tooLarge(bytes: bytes.count) }
        var rows: [RawPriceBar] = []
        var columns: Columns?
        var (line, start) = (0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let fields = bytes[start..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                unquoted($0)
            }
            start = end + 1
            line += 1
            if fields.allSatisfy(\.isEmpty) { continue }
            guard let columns else {
                columns = try Self.columns(fields)
                continue
            }
            guard rows.count < mostRows else { throw .tooManyRows }
            guard columns.date < fields.count, let time = time(fields[columns.date]) else {
                throw .unreadableDate(line: line)
            }
            func number(_ column: Int?) -> Double? {
                column.flatMap { $0 < fields.count && !fields[$0].isEmpty ? Double(fields[$0]) : nil }
            }
            rows.append(
                RawPriceBar(
                    time: time, open: number(columns.open), high: number(columns.high), low: number(columns.low),
                    close: number(columns.close), volume: number(columns.volume)))
        }
        guard !rows.isEmpty else { throw .empty }
        return rows
    }

    /// The rows of a file that must be of a timeframe.
    package static func rows(_ bytes: [UInt8], of timeframe: Timeframe) throws(PriceTableError) -> [RawPriceBar] {
        let rows = try rows(bytes)
        let times = Set(rows.map(\.time)).sorted()
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        // Too few rows tell nothing.
        guard gaps.count >= 10 else { return rows }
        let usual = gaps[gaps.count / 2]
        switch timeframe {
        case .daily where usual < 12 * 3600:
            throw .otherTimeframe(timeframe, problem: "rows are \(usual / 60) minutes apart as a rule")
        case .hourly where usual >= 12 * 3600:
            throw .otherTimeframe(timeframe, problem: "there is one row a day as a rule")
        case .hourly where usual < 45 * 60:
            throw .otherTimeframe(timeframe, problem: "rows are \(usual / 60) minutes apart as a rule")
        default: return rows
        }
    }

    private static func unquoted(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).trimmed
    }

    private static func columns(_ names: [String]) throws(PriceTableError) -> Columns {
        let names = names.map { $0.lowercased() }
        func column(_ accepted: String...) throws(PriceTableError) -> Int {
            guard let index = names.firstIndex(where: accepted.contains) else { throw .missingColumn(accepted[0]) }
            return index
        }
        return (
            try column("date", "datetime", "timestamp", "time"), try column("open"), try column("high"),
            try column("low"), try column("close"), names.firstIndex(of: "volume")
        )
    }

    /// The time of `YYYY-MM-DD`, or of `YYYY-MM-DD HH:MM[:SS]` with `T` or a space, in UTC or with an offset (`-05:00`).
    package static func time(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let date = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self)) else {
            return nil
        }
        if bytes.count == 10 { return date.secondsSinceEpoch }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        var rest = String(decoding: bytes[11...], as: UTF8.self)
        var offset: Int64 = 0
        if rest.hasSuffix("Z") {
            rest.removeLast()
        } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let digits = rest[sign...].dropFirst().filter { $0 != ":" }
            guard digits.utf8.count == 4, let number = Int64(digits), number >= 0, number % 100 < 60 else { return nil }
            offset = (number / 100 * 60 + number % 100) * (rest[sign] == "-" ? -60 : 60)
            rest = String(rest[..<sign])
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count, (0..<24).contains(numbers[0]),
            numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
        else { return nil }
        return date.secondsSinceEpoch - offset + numbers[0] * 3600 + numbers[1] * 60
            + (numbers.count == 3 ? numbers[2] : 0)
    }
}
