internal import Basics
/// A time of publication, as the source writes it.
package struct PublishedDate: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z; a date without a time counts from its midnight, one without a zone as UTC.
    package let secondsSinceEpoch: Int64
    /// The zone that the source wrote, in seconds east of UTC.
    package let offset: Int
    /// Whether the source gave a time of day.
    package let hasTime: Bool

    package init(secondsSinceEpoch: Int64, offset: Int = 0, hasTime: Bool = true) {
        self.secondsSinceEpoch = secondsSinceEpoch
        self.offset = offset
        self.hasTime = hasTime
    }

    /// From the parts of a date; `nil` when there is no such day or time.
    init?(
        year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)? = nil, offset: Int = 0
    ) {
        guard let date = CalendarDate(year: year, month: month, day: day), abs(offset) <= 15 * 3600 else { return nil }
        var seconds = date.secondsSinceEpoch
        if let time {
            guard (0...24).contains(time.hour), (0...59).contains(time.minute), (0...60).contains(time.second) else {
                return nil
            }
            seconds += Int64(time.hour * 3600 + time.minute * 60 + min(time.second, 59) - offset)
        }
        self.init(secondsSinceEpoch: seconds, offset: time == nil ? 0 : offset, hasTime: time != nil)
    }
}

extension PublishedDate: CustomStringConvertible {
    /// RFC 3339, in the zone that the source wrote: `2026-11-20T08:00:00Z`; the day alone when no time is known.
    package var description: String {
        let local = secondsSinceEpoch + Int64(offset)
        let date = CalendarDate(secondsSinceEpoch: local)
        let second = Int(local - date.secondsSinceEpoch)
        guard hasTime else { return date.description }
        let clock = "\(Self.padded(second / 3600)):\(Self.padded(second / 60 % 60)):\(Self.padded(second % 60))"
        let zone =
            offset == 0
            ? "Z" : "\(offset < 0 ? "-" : "+")\(Self.padded(abs(offset) / 3600)):\(Self.padded(abs(offset) / 60 % 60))"
        return "\(date)T\(clock)\(zone)"
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}

extension PublishedDate {
    /// Reads dates as feeds and pages write them: ISO 8601 in its usual forms, RFC 822 with and without weekday,
    /// two-digit years and zone names, and `October 15, 2015 8:00 AM`. `nil` for anything else.
    package init?(_ text: String) {
        let text = text.trimmed
        guard (4...80).contains(text.utf8.count) else { return nil }
        if let date = DateWords(text).iso ?? DateWords(text).worded { self = date } else { return nil }
    }
}

/// The parts of a written date.
private struct DateWords {
    let text: String

    init(_ text: String) { self.text = text }

    // MARK: - ISO 8601

    /// `2015-07-24T05:36:09+01:00`, `2015-07-24 05:36`, `20150724`, `2015-07`, `2015`.
    var iso: PublishedDate? {
        let characters = Array(text.utf8)
        let digits = characters.prefix { $0.isDigit }.count
        var place = 0
        func number(_ count: Int) -> Int? {
            guard place + count <= characters.count else { return nil }
            let part = characters[place..<(place + count)]
            guard part.allSatisfy(\.isDigit) else { return nil }
            place += count
            return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func skip(_ separators: String) -> Bool {
            guard place < characters.count, separators.utf8.contains(characters[place]) else { return false }
            place += 1
            return true
        }
        guard digits == 4 || digits == 8 || digits == 14, let year = number(4) else { return nil }
        let separator = digits == 4
        guard !separator || skip("-/.") else {
            return place == characters.count ? PublishedDate(year: year, month: 1, day: 1) : nil
        }
        guard let month = number(2) ?? number(1) else { return nil }
        guard !separator || skip("-/.") else {
            return place == characters.count ? PublishedDate(year: year, month: month, day: 1) : nil
        }
        guard let day = number(2) ?? number(1) else { return nil }
        guard place < characters.count else { return PublishedDate(year: year, month: month, day: day) }
        let rest = String(decoding: characters[place...], as: UTF8.self)
        let separators: Set<Character> = ["T", "t", " ", ","]
        guard digits == 14 || rest.first.map(separators.contains) == true else { return nil }
        let clock = digits == 14 ? Self.spaced(rest) : String(rest.drop(while: separators.contains))
        guard let (time, offset) = Self.clock(clock) else {
            return PublishedDate(year: year, month: month, day: day)
        }
        return PublishedDate(year: year, month: month, day: day, time: time, offset: offset)
    }

    /// `080026` as `08:00:26`.
    private static func spaced(_ digits: String) -> String {
        var result = ""
        for (index, character) in digits.enumerated() {
            if index == 2 || index == 4 { result += ":" }
            result.append(character)
        }
        return result
    }

    /// `05:36:09.5 +0100`, `8:00 AM EST`, `05:36Z`.
    private static func clock(_ text: String) -> ((hour: Int, minute: Int, second: Int), Int)? {
        let clock = text.prefix { $0.isASCII && $0.isNumber || $0 == ":" || $0 == "." }
        let fields = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(fields.count), fields.count > 1 || clock.count == 2 || clock.count == 4,
            var hour = Int(fields.count == 1 ? fields[0].prefix(2) : fields[0])
        else { return nil }
        let minute = fields.count > 1 ? Int(fields[1]) : Int(fields[0].dropFirst(2))
        let second = fields.count > 2 ? Int(fields[2].prefix { $0 != "." }) : 0
        var rest = text[clock.endIndex...].trimmed.lowercased()
        for (mark, shift) in [("am", 0), ("a.m.", 0), ("pm", 12), ("p.m.", 12)] where rest.hasPrefix(mark) {
            hour = hour % 12 + shift
            rest = String(rest.dropFirst(mark.count)).trimmed
        }
        guard fields.count == 1 || minute != nil, let second else { return nil }
        return ((hour, minute ?? 0, second), TimeZones.offset(rest) ?? 0)
    }

    // MARK: - With the names of months

    /// `Thu, 15 Oct 15 08:00:26 EST`, `October 15, 2015 8:00 AM`, `15. Oktober 2015, 08:00 Uhr`.
    var worded: PublishedDate? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\n" || $0 == "\u{A0}" }
        var dated: [Substring] = []
        var time: ((hour: Int, minute: Int, second: Int), Int)?
        for (index, word) in words.enumerated() {
            if time == nil, word.contains(":"), word.first?.isNumber == true {
                let tail = words[(index + 1)...].prefix(2).filter { !Self.isYear($0) }
                time = Self.clock((["\(word)"] + tail.map { String($0) }).joined(separator: " "))
            } else {
                dated +=
                    word.contains(where: \.isLetter) || word.count > 5 ? word.split { $0 == "-" || $0 == "/" } : [word]
            }
        }
        guard let place = dated.firstIndex(where: { MonthNames.number($0) != nil }),
            let month = MonthNames.number(dated[place])
        else { return nil }
        let numbers = dated.enumerated().compactMap { index, word -> (index: Int, value: Int, count: Int)? in
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            let tail = word.dropFirst(digits.count).lowercased()
            guard ["", ".", "st", "nd", "rd", "th", "er", "º", "日", "年"].contains(tail), digits.count <= 4,
                let value = Int(digits)
            else { return nil }
            return (index, value, digits.count)
        }
        guard
            let day = numbers.first(where: { $0.index == place - 1 && $0.count <= 2 })
                ?? numbers.first(where: { $0.index > place && $0.count <= 2 }),
            let year = numbers.first(where: { $0.count == 4 })
                ?? numbers.first(where: { $0.index > place && $0.index != day.index && $0.count == 2 })
        else { return nil }
        let full = year.count == 4 ? year.value : year.value + (year.value < 70 ? 2000 : 1900)
        return PublishedDate(year: full, month: month, day: day.value, time: time?.0, offset: time?.1 ?? 0)
    }

    private static func isYear(_ word: Substring) -> Bool { word.count == 4 && word.allSatisfy(\.isNumber) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}

/// Zones as dates name them.
enum TimeZones {
    /// Hours east of UTC.
    private static let names: [String: Double] = [
        "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 1, "cet": 1, "west": 1, "mez": 1, "cest": 2, "mesz": 2,
        "eet": 2, "sast": 2, "eest": 3, "msk": 3, "ist": 5.5, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9,
        "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "ast": -4, "adt": -3, "est": -5, "edt": -4, "cst": -6,
        "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "et": -5, "ct": -6, "mt": -7, "pt": -8, "akst": -9,
        "akdt": -8, "hst": -10, "brt": -3, "art": -3,
    ]

    /// Seconds east of UTC for `+01:00`, `-0500`, `+1`, `GMT+2`, `EST`; `nil` for other texts.
    static func offset(_ text: String) -> Int? {
        var rest = Substring(text.lowercased())
        let name = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(name.count)
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}",
            ["", "gmt", "utc", "z"].contains(name)
        else {
            return names[String(name)].map { Int($0 * 3600) }
        }
        let digits = rest.dropFirst().prefix { $0.isNumber || $0 == ":" }
        let parts = digits.split(separator: ":")
        let hours: Int?
        let minutes: Int?
        if parts.count == 2 {
            (hours, minutes) = (Int(parts[0]), Int(parts[1]))
        } else {
            hours = Int(digits.count > 2 ? digits.dropLast(2) : digits)
            minutes = digits.count > 2 ? Int(digits.suffix(2)) : 0
        }
        guard let hours, let minutes else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "+" ? 1 : -1)
    }
}

/// The names of months in the languages that dates come in most.
enum MonthNames {
    private static let beginnings: [[String]] = [
        ["jan", "ene", "gen", "янв"], ["feb", "fév", "fev", "фев"], ["mar", "mär", "maa", "mrz", "мар"],
        ["apr", "avr", "abr", "апр"], ["may", "mai", "mei", "mag", "maj", "мая", "май"],
        ["jun", "juin", "giu", "июн"], ["jul", "juil", "lug", "июл"], ["aug", "aoû", "aou", "ago", "авг"],
        ["sep", "set", "сен"], ["oct", "okt", "ott", "out", "окт"], ["nov", "ноя"],
        ["dec", "dez", "déc", "dic", "дек"],
    ]

    /// From 1; `nil` for other texts.
    static func number(_ word: Substring) -> Int? {
        let lower = word.lowercased()
        guard lower.first?.isLetter == true, lower.count >= 3 else { return nil }
        // The longer beginnings go first: `juin` is not `jui…` of July.
        let found = beginnings.enumerated().filter { _, names in names.contains { lower.hasPrefix($0) } }
        return found.first.map { $0.offset + 1 }
    }
}
