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

    /// Seconds east of UTC for `+01:00`, `-0500`, `+1`, `GMT+2`, `EST`; `nil` for what is no zone.
    static func offset(_ text: String) -> Int? {
        var rest = Substring(text.lowercased())
        let name = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(name.count)
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}", ["", "gmt", "utc", "z"].contains(name)
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

    /// From 1; `nil` for what is no month's name.
    static func number(_ word: Substring) -> Int? {
        let lower = word.lowercased()
        guard lower.first?.isLetter == true, lower.count >= 3 else { return nil }
        // The longer beginnings go first: `juin` is not `jui…` of July.
        let found = beginnings.enumerated().filter { _, names in names.contains { lower.hasPrefix($0) } }
        return found.first.map { $0.offset + 1 }
    }
}
