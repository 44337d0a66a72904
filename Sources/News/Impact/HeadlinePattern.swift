internal import Basics

/// A pattern of words by which a headline names an event.
///
/// Written as words in a row, with `|` between alternatives. `&` joins rows that are near each other in any order, `+`
/// rows anywhere in the headline, and `!` words that must be missing: `bank|lender & collapse|fail ! film`. Words
/// match by their stems, and `%up` stands for a class of words.
struct HeadlinePattern: Sendable, Hashable {
    /// The most words between the beginnings of two rows that are near each other.
    private static let reach = 6

    private struct Part: Sendable, Hashable {
        /// One set of stems for each word of the row.
        var row: [Set<String>]
        var isNear: Bool
    }

    private var parts: [Part] = []
    private var missing: Set<String> = []

    /// Reads one pattern; the words are those of the source code, so a pattern without any never matches.
    init(_ text: some StringProtocol) {
        var row: [Set<String>] = []
        var (isNear, isMissing) = (false, false)
        func finish(_ parts: inout [Part]) {
            if !row.isEmpty { parts.append(Part(row: row, isNear: isNear)) }
            row = []
        }
        for token in text.split(whereSeparator: \.isWhitespace) {
            switch token {
            case "&", "+":
                finish(&parts)
                (isNear, isMissing) = (token == "&", false)
            case "!":
                finish(&parts)
                isMissing = true
            default:
                let words = token.split(separator: "|").flatMap { Self.classes[String($0)] ?? [String($0)] }
                let stems = Set(words.map { Stemmer.stem($0) })
                if isMissing { missing.formUnion(stems) } else { row.append(stems) }
            }
        }
        finish(&parts)
    }

    /// Words that headlines use in place of each other.
    private static let classes: [String: [String]] = [
        "%up": words(
            """
            raise lift hike increase boost up jump rise climb gain surge soar rally advance tick leap rebound swell
            rocket strengthen bounce recover top high highest record spike skyrocket
            """),
        "%down": words(
            """
            cut lower trim slash reduce ease fall drop slide slip dip decline sink tumble plunge plummet dive slump
            crash tank retreat weaken nosedive shed cool crumble low lowest skid stumble devalue
            """),
        "%hold": words("hold keep leave pause unchanged steady alone maintain stand"),
        "%fail": words("collapse fail failure insolvent insolvency bust fold"),
        "%save": words("rescue bailout bail save nationalise nationalize seize prop rescued"),
        "%decide": words(
            """
            cut raise lift hike hold keep leave pause lower trim slash increase reduce reduction ease tighten loosen
            unchanged steady surprise surprises stand pat skip deliver
            """),
        // Central banks by the names and the abbreviations that headlines use for them.
        "%cb": words(
            """
            fed ecb ezb bce boe boj boc rba rbnz snb pboc rbi riksbank norges banxico copom sarb fomc bok bnm bsp tcmb
            nbp mnb cnb bcb bcrp cbn cbe bundesbank
            """),
        "%land": words(
            """
            lanka ghana zambia ethiopia ukraine argentina ecuador lebanon pakistan egypt kenya tunisia venezuela greece
            turkey suriname mozambique angola senegal bolivia belarus russia malawi laos maldives bangladesh nigeria
            """),
        "%stop": words("halt stop suspend pause ground shut close freeze disrupt cripple idle knock"),
    ]

    private static func words(_ text: String) -> [String] {
        text.listed
    }

    /// The stems that a match begins with.
    var first: Set<String> { parts.first?.row.first ?? [] }

    /// Patterns, one a line.
    static func list(_ text: String) -> [HeadlinePattern] { text.split(whereSeparator: \.isNewline).map { .init($0) } }

    /// Whether the stems of a headline's words match.
    func matches(_ stems: [String]) -> Bool {
        guard let first = parts.first, missing.isDisjoint(with: stems) else { return false }
        let places = Self.places(of: first.row, in: stems)
        guard !places.isEmpty else { return false }
        return parts.dropFirst().allSatisfy { part in
            let others = Self.places(of: part.row, in: stems)
            guard part.isNear else { return !others.isEmpty }
            return others.contains { other in places.contains { $0 != other && abs($0 - other) <= Self.reach } }
        }
    }

    private static func places(of row: [Set<String>], in stems: [String]) -> [Int] {
        guard stems.count >= row.count else { return [] }
        return (0...(stems.count - row.count)).filter { start in
            row.indices.allSatisfy { row[$0].contains(stems[start + $0]) }
        }
    }
}

extension [HeadlinePattern] {
    func match(_ stems: [String]) -> Bool { contains { $0.matches(stems) } }
}

/// The patterns of many events by the words that they begin with, so that a headline meets few of them.
struct PatternIndex<Event: Hashable & Sendable>: Sendable {
    private var byFirst: [String: [(event: Event, pattern: HeadlinePattern)]] = [:]

    init(_ patterns: [Event: [HeadlinePattern]]) {
        for (event, list) in patterns {
            for pattern in list {
                for stem in pattern.first { byFirst[stem, default: []].append((event, pattern)) }
            }
        }
    }

    /// The events of which a pattern matches.
    func events(of stems: [String]) -> Set<Event> {
        var found: Set<Event> = []
        for stem in stems {
            for (event, pattern) in byFirst[stem] ?? [] where !found.contains(event) && pattern.matches(stems) {
                found.insert(event)
            }
        }
        return found
    }
}
