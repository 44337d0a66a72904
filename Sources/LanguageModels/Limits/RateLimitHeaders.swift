internal import Basics
internal import HTTP
internal import JobQueue

/// Reads the limits that the head of an answer tells.
///
/// Claude sends `anthropic-ratelimit-KIND-limit`, `-remaining` and `-reset` (a time), OpenAI-compatible servers
/// `x-ratelimit-limit-KIND`, `x-ratelimit-remaining-KIND` and `x-ratelimit-reset-KIND` (a duration). The reset is the
/// time at which the bucket is full again. Of a time in whole seconds it is the earliest that the provider may have
/// rounded up: the bucket would otherwise be taken for larger than it is, by what refills in a second. Where the `Date`
/// of the answer shows that the provider's clock is another, the reset is told by that clock.
enum RateLimitHeaders {
    static func read(_ headers: HTTPHeaders, wallMilliseconds here: Int64) -> LimitReading {
        var reading = LimitReading()
        let now = time(ofProvider: headers["date"], here: here)
        for (kind, name) in claude {
            let prefix = "anthropic-ratelimit-\(name)-"
            reading.lines[kind] = line(
                limit: headers[prefix + "limit"], remaining: headers[prefix + "remaining"],
                fullIn: headers[prefix + "reset"].flatMap { Self.earliest($0) }.map {
                    .milliseconds(max(0, $0 - now))
                })
        }
        // Both together are told besides, as the stricter of the two.
        if reading.lines[.input] != nil || reading.lines[.output] != nil { reading.lines[.tokens] = nil }
        guard reading.lines.isEmpty else { return reading }
        for (kind, name) in [(LimitKind.requests, "requests"), (.tokens, "tokens")] {
            reading.lines[kind] = line(
                limit: headers["x-ratelimit-limit-\(name)"], remaining: headers["x-ratelimit-remaining-\(name)"],
                fullIn: headers["x-ratelimit-reset-\(name)"].flatMap(duration))
        }
        return reading
    }

    private static let claude: [(LimitKind, String)] = [
        (.requests, "requests"), (.input, "input-tokens"), (.output, "output-tokens"), (.tokens, "tokens"),
    ]

    private static func line(limit: String?, remaining: String?, fullIn: Duration?) -> LimitReading.Line? {
        guard let limit = limit.flatMap({ Int64($0) }), let remaining = remaining.flatMap({ Int64($0) }), limit > 0,
            remaining >= 0
        else { return nil }
        // Large remainders are rounded to thousands.
        let isRounded = remaining % 1000 == 0 && limit >= 50_000 && remaining < limit
        return LimitReading.Line(
            limit: limit, remaining: max(0, remaining - (isRounded ? 500 : 0)),
            uncertainty: isRounded ? (remaining == 0 ? 500 : 1000) : 0, fullIn: fullIn)
    }

    /// By how much this machine's clock is ahead of a `Date` from a provider with the same time: up to the second that
    /// `Date` leaves out, and the way of the answer.
    private static let sameTime: ClosedRange<Int64> = -500...3000

    /// The time by the provider's clock; of a second, its end, so that the bucket is not taken for larger than it is.
    private static func time(ofProvider date: String?, here: Int64) -> Int64 {
        guard let date = date.flatMap({ HTTPDate($0) }) else { return here }
        let told = Int64(date.secondsSinceEpoch) * 1000
        return sameTime.contains(here - told) ? here : told + 999
    }

    /// The earliest time that a text may stand for, in milliseconds since 1970.
    private static func earliest(_ text: String) -> Int64? {
        time(text).map { text.utf8.contains(UInt8(ascii: ".")) ? $0 : $0 - 1000 }
    }

    /// Milliseconds since 1970 of a time like `2026-11-22T10:00:05Z` or `2026-11-22T10:00:05.250Z`.
    static func time(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0 as Int?) { sum, byte in
                guard let sum, (48...57).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 48)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        var milliseconds = 0
        if bytes[19] == UInt8(ascii: ".") {
            let digits = bytes[20..<(bytes.count - 1)].prefix(3)
            for (place, byte) in digits.enumerated() {
                guard (48...57).contains(byte) else { return nil }
                milliseconds += Int(byte - 48) * [100, 10, 1][place]
            }
        }
        let seconds = date.secondsSinceEpoch + Int64(hour * 3600 + minute * 60 + second)
        return seconds * 1000 + Int64(milliseconds)
    }

    /// A duration like `6m0s`, `1.5s`, `12ms` or a number of seconds.
    static func duration(_ text: String) -> Duration? {
        var total = 0.0
        var number = ""
        var unit = ""
        func add() -> Bool {
            guard let value = Double(number), value >= 0, value < 1_000_000 else { return false }
            switch unit {
            case "ms": total += value / 1000
            case "s", "": total += value
            case "m": total += value * 60
            case "h": total += value * 3600
            default: return false
            }
            (number, unit) = ("", "")
            return true
        }
        for scalar in text.unicodeScalars.prefix(40) {
            if scalar.isASCII, scalar.properties.isAlphabetic {
                unit.unicodeScalars.append(scalar)
            } else {
                if !unit.isEmpty, !add() { return nil }
                number.unicodeScalars.append(scalar)
            }
        }
        guard add() else { return nil }
        return .milliseconds(Int64((total * 1000).rounded(.up)))
    }
}
