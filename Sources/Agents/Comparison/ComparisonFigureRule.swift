internal import Basics
internal import DataSources
internal import JSON
internal import LanguageModels
internal import Prompts

/// Finds figures and verdicts that a text on a comparison gives to the wrong company or persona. All figures of the table
/// are facts, so a check of figures alone would let a text exchange them.
///
/// A figure belongs to the name right behind it ("46.9% at Apple"), else to the nearest name before it in its clause.
/// What cannot be told apart is a fault, too: the text can say the name.
struct ComparisonFigureRule: Sendable {
    private let names: [[ComparisonSentence.Name]]
    private let kind: ComparisonTable.Kind
    private let verdicts: [Scorecard.Verdict]
    private let entries: [ComparisonTable.Entry]
    private let check: FigureCheck
    private let measures: ComparisonMeasures
    private let isEnglish: Bool
    /// Texts of the table that may name sites.
    private let sources: [String]

    init(_ table: ComparisonTable, language: Language) {
        isEnglish = language == .english
        (kind, entries) = (table.kind, table.entries)
        check = FigureCheck(facts: table.facts, quotable: table.quotable, language: language)
        measures = ComparisonMeasures(table.entries)
        verdicts = table.columns.map(\.scorecard.verdict)
        sources = table.columns.map(\.company.name)
        names = table.columns.map { column in
            let (whole, short) =
                table.kind == .companies
                ? (column.company.name, column.shortName)
                : (column.persona.name, String(column.persona.name.split(separator: " ").last ?? ""))
            var names = [whole, short].map {
                ComparisonSentence.Name(words: ComparisonSentence.words(of: $0).map(\.text))
            }
            if table.kind == .companies {
                let ticker = ComparisonSentence.words(of: column.company.ticker.description).map(\.text)
                names.append(ComparisonSentence.Name(words: ticker, isTicker: true))
            }
            return names.filter { !$0.words.isEmpty }
        }
    }

    /// The faults of an answer, with their places.
    func failures(in answer: JSON) -> [CheckFailure] {
        var texts = [("summary", answer["summary"]?.string ?? "")]
        var faults: [CheckFailure] = []
        for (place, difference) in (answer["differences"]?.array ?? []).enumerated() {
            texts.append(("differences[\(place)].detail", difference["detail"]?.string ?? ""))
            faults += plainness(difference["title"]?.string ?? "", "differences[\(place)].title")
        }
        for (path, text) in texts {
            faults += plainness(text, path)
            var before: [Int] = []
            for sentence in Sentences.places(in: text).map(\.text) {
                let read = ComparisonSentence(
                    sentence, names: names, before: before, hasPronouns: isEnglish && kind == .companies)
                if let message = problem(in: read, sentence) ?? verdictProblem(in: read, sentence) {
                    faults.append(CheckFailure(check: "figures-of-owner", path: path, message: message))
                }
                if !read.owners.isEmpty { before = read.owners }
            }
        }
        return faults
    }

    private func plainness(_ text: String, _ path: String) -> [CheckFailure] {
        PlainTextRule.fault(in: text, sources: sources, hasLines: true).map {
            [CheckFailure(check: "plain-text", path: path, message: $0)]
        } ?? []
    }

    // MARK: Figures

    private func problem(in sentence: ComparisonSentence, _ text: String) -> String? {
        let figures = check.statements(in: text).compactMap { figure in
            sentence.places(of: figure.range).map { (figure: figure, places: $0) }
        }.filter { !isOfScale($0.figure.figure, $0.places, sentence) }
        let inOrder = sentence.words.contains { $0.lower == "respectively" }
        let named = sentence.mentions.filter(\.isName)
        for (place, (figure, places)) in figures.enumerated() {
            let owner: Owner
            if inOrder {
                owner = named.count == figures.count ? Owner(named[place].owner) : .untold
            } else {
                owner = isEnglish ? self.owner(of: places, in: sentence) : onlyOwner(in: sentence)
            }
            if !fits(figure, owner) {
                return "gives \(figure.figure) to another column of the table than it belongs to, or leaves open "
                    + "to which; say each figure right beside its name: \"\(text.prefix(160))\""
            }
            guard isEnglish, case .column(let column) = owner,
                let said = measures.named(at: places, in: sentence)
            else { continue }
            let own = figure.facts.map { entries[$0] }.filter { $0.column == nil || $0.column == column }
            if let right = measures.conflict(own, said) {
                return "calls \(figure.figure) \(said.joined(separator: " ")), which is \(right): "
                    + "\"\(text.prefix(160))\""
            }
        }
        return nil
    }

    /// The column that a figure is said of.
    private enum Owner {
        case column(Int)
        /// Any: it is no figure of one column by its words.
        case any
        case untold

        init(_ owner: Int?) { self = owner.map { .column($0) } ?? .untold }
    }

    private func fits(_ figure: FigureCheck.Statement, _ owner: Owner) -> Bool {
        let columns = figure.facts.map { entries[$0].column }
        if columns.contains(nil) { return true }
        switch owner {
        case .column(let column): return columns.contains(column)
        case .any: return true
        case .untold: return names.indices.allSatisfy { columns.contains($0) }
        }
    }

    /// `of 100`, `out of 10`: what a score is of.
    private func isOfScale(_ figure: String, _ places: Range<Int>, _ sentence: ComparisonSentence) -> Bool {
        ["100", "10"].contains(figure) && places.lowerBound > 0
            && sentence.words[places.lowerBound - 1].lower == "of"
    }

    /// The only column that a sentence in another language names.
    private func onlyOwner(in sentence: ComparisonSentence) -> Owner {
        sentence.owners.count == 1 ? .column(sentence.owners[0]) : .any
    }

    private func owner(of places: Range<Int>, in sentence: ComparisonSentence) -> Owner {
        if let behind = sentence.nameBehind(places.upperBound) { return Owner(behind.owner) }
        let clause = sentence.clause(at: places.lowerBound)
        let near = sentence.mentions.filter { clause.contains($0.place) }
        if let before = near.last(where: { $0.place < places.lowerBound }) { return Owner(before.owner) }
        if let after = near.first { return Owner(after.owner) }
        // "Apple has 416 billion of revenue and a gross margin of 46.9%".
        let border = sentence.border(of: clause)
        let isCarried =
            (border == nil || ["and", "but"].contains(border)) && sentence.owners.count == 1
            && sentence.mentions.contains { $0.place < places.lowerBound }
            && !sentence.words.contains { ["other", "others", "both", "each", "all"].contains($0.lower) }
        return isCarried ? .column(sentence.owners[0]) : .any
    }

    // MARK: Verdicts

    private static let denials: Set<String> = [
        "not", "no", "never", "neither", "nor", "would", "if", "without", "none", "nothing", "cannot",
    ]

    /// A column that is said to be walked away from, or to abstain, and is not.
    private func verdictProblem(in sentence: ComparisonSentence, _ text: String) -> String? {
        guard isEnglish else { return nil }
        for (place, word) in sentence.words.enumerated() {
            let next = place + 1 < sentence.words.count ? sentence.words[place + 1].lower : ""
            let verdict: Scorecard.Verdict
            if ["walk", "walks", "walked"].contains(word.lower), next == "away" {
                verdict = .walksAway
            } else if ["abstain", "abstains", "abstained"].contains(word.lower), next != "on" {
                verdict = .abstains
            } else {
                continue
            }
            let clause = sentence.clause(at: place)
            if sentence.words[clause].contains(where: { Self.denials.contains($0.lower) }) { continue }
            let end = verdict == .walksAway ? place + 2 : place + 1
            let owners: [Int]
            if kind == .companies, next == "away" || next == "from", let behind = sentence.name(from: end) {
                owners = [behind].compactMap(\.owner)
            } else if sentence.words.contains(where: { ["both", "all", "each"].contains($0.lower) }) {
                owners = sentence.owners
            } else {
                let before = sentence.mentions.last { clause.contains($0.place) && $0.place < place }
                owners = [before?.owner].compactMap(\.self)
            }
            if let wrong = owners.first(where: { verdicts[$0] != verdict }) {
                let name = names[wrong].first?.words.joined(separator: " ") ?? ""
                return "gives \(name) a verdict that is not its own in the table: \"\(text.prefix(160))\""
            }
        }
        return nil
    }
}

extension ComparisonSentence {
    /// Words between a figure and the name that it belongs to.
    private static let links: Set<String> = [
        "at", "of", "for", "by", "in", "from", "with", "the", "revenue", "revenues", "sales", "sale", "each", "every",
        "out", "points", "equity", "100", "10", "fiscal", "year", "its", "usd", "million", "billion",
    ]
    private static let openers: Set<String> = ["at", "of", "for", "by", "from", "with", "in"]

    /// The name right behind a figure: "46.9% at Apple", "46.9% of sales at Apple".
    fileprivate func nameBehind(_ end: Int) -> Mention? {
        var place = end
        while place < words.count, place < end + 7, !words[place].isAfterMark {
            if let mention = mentions.first(where: { $0.place == place && $0.isName }) {
                return place > end && Self.openers.contains(words[place - 1].lower)
                    || place > end + 1 && words[place - 1].lower == "the" ? mention : nil
            }
            let word = words[place].lower
            guard Self.links.contains(word) || word.hasPrefix("fy20") else { return nil }
            place += 1
        }
        return nil
    }

    /// The name behind "from", as in "walks away from Apple".
    fileprivate func name(from place: Int) -> Mention? {
        guard place < words.count, words[place].lower == "from" else { return nil }
        return mentions.first { $0.isName && (place + 1...place + 2).contains($0.place) }
    }
}
