internal import Basics

/// Years, months, days of the week and quarters that an answer names and its material does not.
struct DateRule {
    private let years: Set<Int>
    private let months: Set<Int>
    private let weekdays: Set<Int>
    private let quarters: Set<Int>
    private let days: [Int: Set<Int>]

    init(material: [ParsedText]) {
        var (years, months, weekdays, quarters) = (Set<Int>(), Set<Int>(), Set<Int>(), Set<Int>())
        var days: [Int: Set<Int>] = [:]
        for text in material {
            let dates = DateReader(text.words, text.language, isMaterial: true)
            for date in dates.found {
                switch date.kind {
                case .year(let year): years.insert(year)
                case .month(let month, let day):
                    months.insert(month)
                    if let day { days[month, default: []].insert(day) }
                case .weekday(let day): weekdays.insert(day)
                case .quarter(let quarter): quarters.insert(quarter)
                }
            }
        }
        (self.years, self.months, self.weekdays, self.quarters, self.days) = (years, months, weekdays, quarters, days)
    }

    /// The first date that the material does not have; `nil` when it has all.
    func strayDate(in text: ParsedText, _ language: Language) -> String? {
        DateReader(text.words, language, isMaterial: false).found.first { date in
            switch date.kind {
            case .year(let year): !years.contains(year)
            case .month(let month, let day):
                !months.contains(month)
                    || day.map { day in days[month].map { !$0.contains(day) } ?? false } == true
            case .weekday(let day): !weekdays.contains(day)
            case .quarter(let quarter): !quarters.contains(quarter)
            }
        }?.text
    }
}

/// Finds the dates of a text.
private struct DateReader {
    struct Date {
        enum Kind {
            case year(Int)
            case month(Int, day: Int?)
            /// Monday is 1.
            case weekday(Int)
            case quarter(Int)
        }

        var kind: Kind
        var text: String
    }

    private(set) var found: [Date] = []
    private let words: [CalmWords.Word]
    private let language: Language?
    private let isMaterial: Bool

    /// Dates in numbers (`2026-11-18`) and the days of the week that they imply count in the material alone.
    init(_ words: [CalmWords.Word], _ language: Language?, isMaterial: Bool) {
        self.words = words
        self.language = language
        self.isMaterial = isMaterial
        for place in words.indices { read(place) }
    }

    private mutating func read(_ place: Int) {
        let word = words[place]
        if word.isNumber { return readNumber(place) }
        let folded = word.folded
        // FY2025 and Q3 are a run of letters and one of digits.
        if ["q", "t", "fy", "gj"].contains(folded) { return readLettered(place, folded) }
        if let quarter = quarter(place, folded) { found.append(quarter) }
        if let day = DateWords.weekdays[folded], isWritten(word, place) {
            found.append(Date(kind: .weekday(day), text: word.text))
        }
        if let month = DateWords.months[folded], isWritten(word, place), !isOtherWord(place, folded) {
            let day = day(beside: place)
            let text = day.map { "\($0.text)" } ?? word.text
            found.append(Date(kind: .month(month, day: day?.day), text: text))
        }
    }

    /// Whether the word has the capital that its language asks for. Spanish and French write months small.
    private func isWritten(_ word: CalmWords.Word, _ place: Int) -> Bool {
        word.isCapitalised || language == .spanish || language == .french
    }

    /// "May" and "March" at the start of a sentence, and those that are verbs.
    private func isOtherWord(_ place: Int, _ folded: String) -> Bool {
        if folded == "may" || folded == "march" { return words[place].startsSentence }
        return false
    }

    private mutating func readNumber(_ place: Int) {
        let word = words[place]
        guard word.text.count == 4, let value = Int(word.text), (1950...2099).contains(value) else { return }
        let next = place + 1 < words.count && !word.endsSentence ? words[place + 1] : nil
        // A date in numbers: 2026-11-18
        if isMaterial, let month = next.flatMap({ Int($0.text) }), (1...12).contains(month), next?.text.count == 2,
            place + 2 < words.count, let day = Int(words[place + 2].text), (1...31).contains(day)
        {
            found.append(Date(kind: .month(month, day: day), text: word.text))
            found.append(Date(kind: .weekday(Self.weekday(year: value, month: month, day: day)), text: word.text))
        }
        if !isMaterial, let next {
            let folded = next.folded
            if next.text == "%" || DateWords.units.contains(folded) { return }
        }
        found.append(Date(kind: .year(value), text: word.text))
    }

    private mutating func readLettered(_ place: Int, _ folded: String) {
        guard place + 1 < words.count, words[place + 1].isNumber, let value = Int(words[place + 1].text) else { return }
        if (folded == "q" || folded == "t"), (1...4).contains(value) {
            found.append(Date(kind: .quarter(value), text: words[place].text + words[place + 1].text))
        }
    }

    private func quarter(_ place: Int, _ folded: String) -> Date? {
        guard ["quarter", "quartal", "quartals", "trimestre"].contains(folded), place > 0 else { return nil }
        let before = words[place - 1]
        let value = DateWords.ordinals[before.folded] ?? (before.isNumber ? Int(before.text) : nil)
        guard let value, (1...4).contains(value) else { return nil }
        return Date(kind: .quarter(value), text: before.text + " " + words[place].text)
    }

    /// `15 January`, `January 15`, `15. Januar`, `15 de enero`, `1er mars`
    private func day(beside place: Int) -> (day: Int, text: String)? {
        var before = place - 1
        while before >= 0, ["de", "er", "of", "th", "st", "nd", "rd"].contains(words[before].lower) { before -= 1 }
        if before >= 0, before >= place - 2, words[before].isNumber, let day = Int(words[before].text),
            (1...31).contains(day)
        {
            return (day, words[before...place].map(\.text).joined(separator: " "))
        }
        if place + 1 < words.count, !words[place].endsSentence, language == .english, words[place + 1].isNumber,
            let day = Int(words[place + 1].text), (1...31).contains(day)
        {
            return (day, words[place...(place + 1)].map(\.text).joined(separator: " "))
        }
        return nil
    }

    /// Zeller's congruence.
    private static func weekday(year: Int, month: Int, day: Int) -> Int {
        let (shifted, base) = month < 3 ? (month + 12, year - 1) : (month, year)
        let century = base / 100
        let rest = base % 100
        let result = (day + 13 * (shifted + 1) / 5 + rest + rest / 4 + century / 4 + 5 * century) % 7
        return (result + 5) % 7 + 1
    }
}

/// Words of dates in four languages, without accents.
enum DateWords {
    static func isMonthOrDay(_ folded: String) -> Bool { months[folded] != nil || weekdays[folded] != nil }

    static let months = numbered([
        "january januar janner enero janvier", "february februar febrero fevrier", "march marz marzo mars",
        "april abril avril", "may mai mayo", "june juni junio juin", "july juli julio juillet",
        "august agosto aout", "september septiembre septembre", "october oktober octubre octobre",
        "november noviembre novembre", "december dezember diciembre decembre",
    ])

    static let weekdays = numbered([
        "monday montag lunes lundi", "tuesday dienstag martes mardi", "wednesday mittwoch miercoles mercredi",
        "thursday donnerstag jueves jeudi", "friday freitag viernes vendredi",
        "saturday samstag sonnabend sabado samedi",
        "sunday sonntag domingo dimanche",
    ])

    static let ordinals = numbered([
        "first erste ersten erstes primer premier 1er", "second zweite zweiten zweites segundo deuxieme second",
        "third dritte dritten drittes tercer troisieme", "fourth vierte vierten viertes cuarto quatrieme",
    ])

    /// Words behind a number that make it no year.
    static let units: Set<String> = [
        "dollars", "dollar", "euros", "euro", "percent", "million", "millions", "millionen", "millones", "people",
        "employees", "workers", "jobs", "stores", "shares", "mitarbeiter", "stellen", "aktien", "empleados",
        "trabajadores", "personas", "acciones", "tiendas", "salaries", "actions", "magasins", "emplois", "personnes",
        "points", "punkte", "puntos", "companies", "homes", "cars", "megawatts",
    ]

    private static func numbered(_ lists: [String]) -> [String: Int] {
        var words: [String: Int] = [:]
        for (place, list) in lists.enumerated() {
            for word in list.split(separator: " ") { words[String(word)] = place + 1 }
        }
        return words
    }
}
