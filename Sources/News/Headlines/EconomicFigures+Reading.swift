internal import Basics

extension EconomicFigures {
    /// Reads a headline of an economy; one without such an event has none.
    init(of title: String, events: Set<EventKind>) {
        guard !events.isDisjoint(with: Self.kinds) else { return }
        let tokens = Token.tokens(of: title)
        readAmounts(tokens)
        readDirections(tokens.map { ($0.word, $0.endsClause) })
    }

    private static let kinds: Set<EventKind> = [.inflation, .employment, .claims, .growth, .trade, .activity]

    /// A part of the headline between spaces.
    private struct Token {
        /// In English, lower case.
        var word: String
        /// As the headline's language has it.
        var plain: String
        /// As written, without the signs around it.
        var written: Substring
        /// Whether a comma or another such sign follows it.
        var endsClause: Bool
        var number: Number?

        /// The tokens of a headline; a name of two words in the glossary is two of them.
        static func tokens(of title: String) -> [Token] {
            var parts: [(written: Substring, word: Word, endsClause: Bool)] = []
            for part in title.split(whereSeparator: { $0.isWhitespace || $0 == "–" || $0 == "—" }) {
                let isNumber = part.contains(where: \.isNumber)
                let words = isNumber ? [] : Words.of(String(part)).flatMap(Elision.split)
                let endsClause = part.last.map { ",;:".contains($0) } ?? false
                if words.isEmpty { parts.append((part, Word(written: String(part), folded: String(part)), endsClause)) }
                for (place, word) in words.enumerated() {
                    parts.append((part, word, endsClause && place == words.count - 1))
                }
            }
            let glossary = HeadlineWords.glossary(of: parts.map(\.word.folded))
            let meanings = glossary?.meanings(of: parts.map(\.word.folded)) ?? [:]
            return parts.indices.map { place in
                let part = parts[place]
                let next = place + 1 < parts.count ? parts[place + 1].word.folded : ""
                return Token(
                    word: meanings[place] ?? part.word.folded, plain: part.word.folded, written: part.written,
                    endsClause: part.endsClause, number: Number(part.written, before: next))
            }
        }
    }

    // MARK: - Amounts

    private mutating func readAmounts(_ tokens: [Token]) {
        var found: [(measure: Measure, amount: Amount, isEarlier: Bool, isReached: Bool)] = []
        var subject: (noun: Noun, isRate: Bool)?
        var isCore = false
        for place in tokens.indices {
            if let named = Self.noun(at: place, in: tokens) {
                subject = named
                if [.prices, .producerPrices].contains(named.noun) { isCore = Self.isCore(at: place, in: tokens) }
            } else if ["core", "underlying"].contains(tokens[place].word) {
                isCore = true
            }
            guard let number = tokens[place].number, !Self.isLimit(at: place, in: tokens) else { continue }
            let ahead = Self.nounBehind(place, in: tokens)
            guard let (noun, isRate) = ahead ?? subject,
                let unit = number.unit(of: noun, isStatedAs: place > 0 ? tokens[place - 1].word : "")
            else { continue }
            let before = place > 0 ? tokens[place - 1] : nil
            let isReached = before.map { Self.reached.contains($0.plain) } ?? false
            var measure = Measure(noun: noun, unit: unit, isCore: noun == .prices && isCore)
            var amount = number.amount
            if unit == .percent, noun != .unemployment {
                measure.isShort =
                    Self.period(around: place, in: tokens) ?? (!isRate && amount.thousandths < 1_000)
                if !isReached, Self.falls(before: place, in: tokens) { amount.thousandths.negate() }
            } else if unit == .count || unit == .money {
                let moves = before.map { Self.direction(of: $0.word) != nil || $0.plain == "by" } ?? false
                measure.isChange = noun == .jobs ? !isReached : moves && !isReached
                if noun == .jobs, Self.falls(before: place, in: tokens) { amount.thousandths.negate() }
            }
            found.append((measure, amount, Self.isEarlier(place, in: tokens), isReached))
        }
        for (measure, figures) in Dictionary(grouping: found, by: \.measure) {
            let main = figures.first { $0.isReached && !$0.isEarlier } ?? figures.first { !$0.isEarlier }
            for figure in figures { insert(figure.amount, of: measure, isMain: figure.amount == main?.amount) }
        }
    }

    /// What a word measures, and whether the figure is a rate of a year by itself, as inflation is.
    private static func noun(at place: Int, in tokens: [Token]) -> (noun: Noun, isRate: Bool)? {
        let before = place > 0 ? tokens[place - 1].word : ""
        switch tokens[place].word {
        case "inflation", "deflation":
            return (["producer", "wholesale", "factory"].contains(before) ? .producerPrices : .prices, true)
        case "cpi": return (.prices, false)
        case "ppi": return (.producerPrices, false)
        case "prices" where before == "consumer": return (.prices, false)
        case "prices" where ["producer", "wholesale"].contains(before): return (.producerPrices, false)
        case "claims": return (before == "continuing" ? .continuingClaims : .claims, false)
        case "unemployment", "jobless": return (.unemployment, true)
        case "payrolls", "employment", "jobs": return (.jobs, false)
        case "pay", "wage", "wages", "earnings": return (.pay, false)
        case "gdp", "economy": return (.growth, false)
        case "growth" where !["job", "jobs", "pay", "wage"].contains(before): return (.growth, false)
        case "sales" where before == "retail": return (.sales, false)
        case "output", "production": return (.output, false)
        case "orders": return (.orders, false)
        case "pmi":
            let around = [before, place > 1 ? tokens[place - 2].word : ""]
            if around.contains(where: ["manufacturing", "factory"].contains) { return (.factoryIndex, false) }
            return (around.contains(where: ["services", "service"].contains) ? .servicesIndex : .index, false)
        case "exports": return (.exports, false)
        case "imports": return (.imports, false)
        case "deficit", "surplus", "gap": return (.balance, false)
        default: return nil
        }
    }

    /// `4.1% unemployment`, `163,000 new jobs`: the measure directly behind its figure.
    private static func nounBehind(_ place: Int, in tokens: [Token]) -> (noun: Noun, isRate: Bool)? {
        guard !tokens[place].endsClause else { return nil }
        for next in tokens.indices[(place + 1)...].prefix(2) {
            if let noun = noun(at: next, in: tokens) { return noun }
            guard
                Number.scales[tokens[next].plain] != nil
                    || ["new", "more", "annual", "core"].contains(tokens[next].word)
            else { return nil }
        }
        return nil
    }

    private static func isCore(at place: Int, in tokens: [Token]) -> Bool {
        tokens[max(0, place - 2)..<place].contains { ["core", "underlying", "subyacente"].contains($0.word) }
            || tokens[(place + 1)...].prefix(1).contains { ["subyacente", "sous"].contains($0.word) }
    }

    /// `below 3%`, `nearly 3%`, `2% target`: no figure of what happened.
    private static func isLimit(at place: Int, in tokens: [Token]) -> Bool {
        let before = tokens[..<place].suffix(2).map(\.word)
        let isRough =
            before.last.map { rough.contains($0) } ?? false
            || before == ["more", "than"] || before == ["less", "than"] || before == ["close", "to"]
        return isRough
            || tokens[(place + 1)...].prefix(2).contains { ["target", "goal", "objetivo"].contains($0.word) }
    }

    /// A figure that the one of the day is compared with: what it was before, or what was expected.
    private static func isEarlier(_ place: Int, in tokens: [Token]) -> Bool {
        tokens[..<place].suffix(2).contains { compared.contains($0.plain) }
            || !tokens[place].endsClause
                && tokens[(place + 1)...].first.map { ["forecast", "forecasts", "expected"].contains($0.word) } == true
    }

    /// Whether the figure is of a month or a quarter (`true`) or of a year (`false`), where words near it say so.
    private static func period(around place: Int, in tokens: [Token]) -> Bool? {
        let end = tokens[(place + 1)...].firstIndex { $0.number != nil } ?? tokens.endIndex
        let start = tokens[..<place].lastIndex { $0.number != nil } ?? tokens.startIndex
        for range in [place..<end, start..<place] {
            for (at, token) in zip(range, tokens[range]) {
                let before = at > 0 ? tokens[at - 1].word : ""
                let isFrom = ["on", "in", "a", "over", "from", "un", "uber"].contains(before)
                if shortWords.contains(token.plain) || isFrom && ["month", "quarter"].contains(token.word) {
                    return true
                }
                if yearWords.contains(token.plain) || isFrom && ["year", "an", "ano"].contains(token.plain) {
                    return false
                }
            }
        }
        return nil
    }

    private static func falls(before place: Int, in tokens: [Token]) -> Bool {
        tokens[..<place].suffix(3).compactMap { direction(of: $0.word) }.last == .fall
    }

    private static let reached: Set<String> = [
        "to", "at", "of", "auf", "bei", "a", "al", "en", "hits", "hit", "reaches",
    ]
    private static let rough: Set<String> = [
        "below", "above", "under", "over", "nearly", "almost", "about", "around", "near", "nears", "past", "tops",
        "exceeds", "toward", "towards", "unter", "uber", "fast", "rund", "sous", "pres", "casi", "rompe",
    ]
    private static let compared: Set<String> = [
        "from", "vs", "versus", "than", "forecast", "forecasts", "expected", "estimate", "estimates", "against", "von",
        "nach", "statt", "contre", "apres", "frente", "desde", "tras",
    ]
    private static let shortWords: Set<String> = [
        "monthly", "monthonmonth", "mom", "quarterly", "quarteronquarter", "qoq", "vormonat", "vorquartal",
    ]
    private static let yearWords: Set<String> = [
        "annual", "annually", "annualized", "annualised", "yearly", "yearonyear", "yoy", "interanual", "vorjahr",
    ]
}
