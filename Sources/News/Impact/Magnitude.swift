internal import Basics

/// The amounts that a headline names: money, percentages, and numbers of people and things.
struct Magnitudes: Sendable, Hashable {
    /// The largest amount of money, in any currency.
    private(set) var money: Double = 0
    /// The largest percentage.
    private(set) var percent: Double = 0
    /// The largest number of jobs, workers or members of staff.
    private(set) var jobs: Double = 0
    /// The largest number of vehicles, customers, users or people.
    private(set) var things: Double = 0
    /// The largest number of whatever is counted: neither money nor a percentage.
    private(set) var number: Double = 0
    /// Whether a number of months, years or decades is named over which nothing like it happened.
    private(set) var isRecordOfYears = false

    init(in title: String) {
        let tokens = title.split(whereSeparator: \.isWhitespace).map(String.init)
        for place in tokens.indices {
            guard var amount = Self.amount(tokens[place]) ?? Self.spelled(tokens, at: place) else { continue }
            var next = tokens[(place + 1)...].prefix(4).map {
                $0.lowercased().filter { $0.isLetter || $0.isNumber }
            }
            if let factor = next.first.flatMap({ Self.factors[$0] }) {
                amount.value *= factor
                next.removeFirst()
            }
            let isCurrency = next.first.map { Self.currencies.contains($0) } ?? false
            if amount.isMoney || isCurrency { money = max(money, amount.value) }
            if amount.isPercent || next.first == "percent" || next.first == "pct" || next.prefix(2) == ["per", "cent"] {
                percent = max(percent, amount.value)
                continue
            }
            if amount.isMoney || isCurrency { continue }
            number = max(number, amount.value)
            if next.contains(where: Self.workers.contains) {
                jobs = max(jobs, amount.value)
            } else if next.contains(where: Self.counted.contains) {
                things = max(things, amount.value)
            }
        }
        let words = Words.of(title).map(\.folded)
        isRecordOfYears = zip(words, words.dropFirst()).contains { word, next in
            ["since", "in"].contains(word) && (next.count == 4 && Int(next) != nil || Self.spans.contains(next))
                || Int(word).map { $0 >= 5 && $0 < 1000 } ?? false && ["year", "years", "decades"].contains(next)
                || word == "four" && next == "decades"
        }
    }

    /// A number in words before a large unit: `two billion`.
    private static func spelled(
        _ tokens: [String], at place: Int
    ) -> (value: Double, isMoney: Bool, isPercent: Bool)? {
        guard place + 1 < tokens.count, factors[tokens[place + 1].lowercased()] != nil,
            let value = small[tokens[place].lowercased()]
        else { return nil }
        return (value, false, false)
    }

    private static let small: [String: Double] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "f\u{FC}nf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
        "zehn": 10, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
        "diez": 10, "un": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
    ]

    /// A number at the beginning of a token: `$69`, `1.2m`, `20,000`, `25%`.
    private static func amount(_ token: String) -> (value: Double, isMoney: Bool, isPercent: Bool)? {
        var rest = token[...]
        while let first = rest.first, "(\"'“‘".contains(first) { rest = rest.dropFirst() }
        for code in ["US$", "A$", "C$", "HK$"] where rest.hasPrefix(code) { rest = rest.dropFirst(code.count - 1) }
        let isMoney = rest.first.map { "$€£¥₹".contains($0) } ?? false
        if isMoney { rest = rest.dropFirst() }
        var digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "," || $0 == ".") }
        rest = rest.dropFirst(digits.count)
        while let last = digits.last, !last.isNumber { digits = digits.dropLast() }
        // `6.000 Stellen`: groups of three after points are thousands.
        let groups = digits.split(separator: ".", omittingEmptySubsequences: false)
        let hasPointsOfThousands =
            groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 } && groups[0].count <= 3
            && groups[0] != "0"
        guard let value = Double(digits.filter { $0 != "," && !($0 == "." && hasPointsOfThousands) }) else {
            return nil
        }
        let unit = rest.lowercased().prefix { $0.isLetter || $0 == "%" }
        return (value * (factors[String(unit)] ?? 1), isMoney, unit == "%")
    }

    private static let factors: [String: Double] = [
        "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9,
        "tn": 1e12, "trillion": 1e12, "millionen": 1e6, "millones": 1e6, "millions": 1e6, "mio": 1e6,
        "milliarden": 1e9, "milliards": 1e9, "mrd": 1e9, "mds": 1e9,
    ]
    private static let currencies: Set<String> = [
        "dollars", "dollar", "dolares", "dollarn", "euros", "euro", "pounds", "pound", "yen", "yuan", "francs",
        "rupees", "kronor",
    ]
    private static let workers: Set<String> = [
        "jobs", "job", "workers", "staff", "positions", "employees", "roles", "people", "stellen", "arbeitsplatze",
        "mitarbeiter", "empleos", "puestos", "trabajadores", "emplois", "postes", "salaries",
    ]
    private static let counted: Set<String> = [
        "vehicles", "cars", "trucks", "suvs", "customers", "users", "travellers", "passengers", "accounts", "guests",
        "homes",
    ]
    private static let spans: Set<String> = ["years", "decades", "months"]
}
