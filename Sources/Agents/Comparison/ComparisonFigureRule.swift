internal import Basics
internal import DataSources
internal import JSON
internal import LanguageModels
internal import Prompts

/// Finds figures that a text on a comparison gives to the wrong company or persona. All figures of the table are facts,
/// so a check of figures alone would let a text exchange them.
struct ComparisonFigureRule: Sendable {
    private struct Owner: Sendable {
        /// Ways to write the name, as lists of words in small letters.
        var names: [[String]]
        /// What the table says of it and of all.
        var check: FigureCheck
    }

    private let owners: [Owner]
    private let all: FigureCheck
    private let isEnglish: Bool

    init(_ table: ComparisonTable, language: Language) {
        let facts = table.facts
        isEnglish = language == .english
        all = FigureCheck(facts: facts, quotable: table.quotable, language: language)
        owners = table.columns.enumerated().map { place, column in
            let own = zip(table.entries, facts).filter { $0.0.column == nil || $0.0.column == place }.map(\.1)
            let names =
                table.kind == .companies
                ? [column.company.name, column.shortName, column.company.ticker.description]
                : [column.persona.name, String(column.persona.name.split(separator: " ").last ?? "")]
            return Owner(
                names: names.map(Self.words).filter { !$0.isEmpty },
                check: FigureCheck(facts: own, quotable: table.quotable, language: language))
        }
    }

    /// The faults of an answer, with their places.
    func failures(in answer: JSON) -> [CheckFailure] {
        var texts = [("summary", answer["summary"]?.string ?? "")]
        for (place, difference) in (answer["differences"]?.array ?? []).enumerated() {
            texts.append(("differences[\(place)].detail", difference["detail"]?.string ?? ""))
        }
        return texts.flatMap { path, text in
            Sentences.places(in: text).flatMap { $0.text.clausesOfOneOwner }.compactMap { problem(in: $0, path) }
        }
    }

    private func problem(in clause: Substring, _ path: String) -> CheckFailure? {
        let words = Self.words(String(clause))
        let named = owners.filter { owner in owner.names.contains { words.has($0) } }
        guard !named.isEmpty, named.count < owners.count, named.count == 1 || isEnglish else { return nil }
        let known = Set(all.unsupported(in: String(clause)).map(\.figure))
        let strange = named.map { owner in
            Set(owner.check.unsupported(in: String(clause)).map(\.figure)).subtracting(known)
        }
        // A clause about several may state a figure of any of them.
        let shared = strange.dropFirst().reduce(strange[0]) { $0.intersection($1) }
        guard let figure = shared.sorted().first else { return nil }
        return CheckFailure(
            check: "figures-of-owner", path: path,
            message: "gives \(figure) to another column of the table than it belongs to; say each figure right beside "
                + "its name: \"\(clause.prefix(160))\"")
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { $0 != "s" }
    }
}

extension [String] {
    /// Whether other words stand in these, one after the other.
    fileprivate func has(_ name: [String]) -> Bool {
        guard count >= name.count else { return false }
        return (0...(count - name.count)).contains { self[$0..<($0 + name.count)].elementsEqual(name) }
    }
}

extension String {
    /// Words that set one company's figure against another's.
    private static let borders: Set<String> = [
        "against", "than", "while", "whereas", "and", "but", "versus", "above", "below", "beside", "where", "compared",
    ]

    /// The parts of a sentence between words that compare, each about one thing; the whole where it gives its figures in
    /// the order of the names.
    fileprivate var clausesOfOneOwner: [Substring] {
        if lowercased().contains("respectively") { return [Substring(self)] }
        var clauses: [Substring] = []
        var start = startIndex
        var place = startIndex
        while place < endIndex {
            let end = self[place...].firstIndex(of: " ") ?? endIndex
            let word = self[place..<end]
            let isBorder = Self.borders.contains(word.lowercased().filter(\.isLetter))
            if isBorder || word.last == ";" {
                clauses.append(self[start..<place])
                start = place
            }
            place = end < endIndex ? index(after: end) : endIndex
        }
        return clauses + [self[start...]]
    }
}
