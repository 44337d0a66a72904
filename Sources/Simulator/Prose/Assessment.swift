internal import Basics
internal import JSON

/// An assessment that the prompt gives and asks to be explained: a verdict, a score, and a checklist with what it found.
///
/// Any prompt may hold one: it is a JSON object with `verdict` and `items`, each of which has a `value` such as
/// `Median gross margin: 40.4 %` and, where it has a value, a `score`.
struct Assessment: Sendable {
    struct Item: Sendable {
        /// `Median gross margin`
        var title: String
        /// `40.4 %`
        var value: String
        /// From 0 to 10.
        var score: Double
        var weight: Double
        /// `the median gross margin (40.4 %)`
        var named: String { "\(title.hasPrefix("What ") ? "" : "the ")\(title.lowercasedFirst) (\(value))" }
        /// Whether the first noun of the title is a plural, as in `Years with a profit`.
        var isPlural: Bool {
            let noun = title.split(separator: " ").prefix { !Self.prepositions.contains(String($0)) }.last ?? ""
            return noun.hasSuffix("s") && !noun.hasSuffix("ss")
        }
        /// `the median gross margin (40.4 %), which counts 8.0 of 10`
        var counted: String { "\(named), which \(verb("counts", "count")) \(points)" }
        /// `The median gross margin (40.4 %) counts 8.0 of 10 on this checklist.`
        var sentence: String {
            "\(named.uppercasedFirst) \(verb("counts", "count")) \(points) on this checklist."
        }
        func verb(_ singular: String, _ plural: String) -> String { isPlural ? plural : singular }

        private static let prepositions: Set<String> = ["as", "for", "of", "on", "over", "to", "with"]
        /// Whether it speaks for the company.
        var isStrong: Bool { score >= 6.5 }
        var points: String { "\((score * 10).rounded() / 10) of 10" }
    }

    private let verdict: String
    private let score: String?
    private let confidence: String?
    /// Whose way of judging it is; `nil` where the prompt names nobody.
    private let reader: String?
    private let subject: String
    private let items: [Item]
    /// Reasons why a point is open.
    private let open: [String]
    private let findings: [String]
    private let price: FactLine?
    private let worth: FactLine?

    /// `nil` for a material without an assessment.
    init?(_ material: Material) {
        let objects = material.sections.lazy.filter { !$0.isEarlier && $0.text.first == "{" }.compactMap {
            try? JSON(parsing: $0.text)
        }
        guard let card = objects.first(where: { $0["verdict"]?.string != nil && $0["items"]?.array != nil }) else {
            return nil
        }
        verdict = card["verdict"]?.string ?? ""
        score = card["score"]?.number.map { JSON.number($0).compact }
        confidence = card["confidence"]?.number.map { JSON.number($0).compact }
        reader = material.reader
        subject = material.subject ?? "the company"
        items = (card["items"]?.array ?? []).compactMap { item in
            guard let score = item["score"]?.double, let value = item["value"]?.string,
                let colon = value.firstRange(of: ": ")
            else { return nil }
            return Item(
                title: String(value[..<colon.lowerBound]), value: String(value[colon.upperBound...]), score: score,
                weight: item["weight"]?.double ?? 1)
        }
        open = (card["items"]?.array ?? []).filter { $0["score"] == nil || $0["score"]?.isNull == true }
            .compactMap { $0["note"]?.string }
        findings = card["walk_aways"]?.array?.compactMap(\.string) ?? []
        price = material.facts.first { $0.id == "price" }
        worth = material.facts.first { $0.id == "market_cap" }
    }

    /// Those that speak most for it first.
    private var strong: [Item] {
        items.filter(\.isStrong).sorted { $0.score * $0.weight > $1.score * $1.weight }
    }
    /// Those that speak most against it first.
    private var weak: [Item] {
        items.filter { !$0.isStrong }.sorted { (10 - $0.score) * $0.weight > (10 - $1.score) * $1.weight }
    }

    // MARK: Texts

    /// The sentences of a text by its subject, in paragraphs; `nil` for another subject, or without an item for it.
    func paragraphs(_ topic: String, at index: Int?) -> [[String]]? {
        let found: [[String]]
        switch (topic, index) {
        case ("summary", nil): found = [summary]
        case ("thesis", nil): found = thesis
        case ("valuation", nil): found = valuation
        case ("thesis", let index?): found = strong.dropFirst(index).prefix(1).map { [strength($0)] }
        case ("risk", let index?): found = risks.dropFirst(index).prefix(1).map { [$0.detail] }
        case ("change", let index?):
            found = deciding.dropFirst(index).prefix(1).map {
                [change($0)]
            }
        default: return nil
        }
        return found.first?.isEmpty == false ? found : nil
    }

    /// The title of an element of a list; `nil` where there is none for it.
    func title(_ topic: String, at index: Int) -> String? {
        switch topic {
        case "thesis": strong.dropFirst(index).first?.title
        case "risk": risks.dropFirst(index).first?.title
        default: nil
        }
    }

    /// The number of elements that a list about a subject can have; `nil` for another subject.
    func count(_ topic: String) -> Int? {
        switch topic {
        case "thesis": min(strong.count, 4)
        case "risk": min(risks.count, 3)
        case "change": max(1, min(deciding.count, 3))
        default: nil
        }
    }

    /// What the verdict rests on: of a good one what speaks for it, of a bad one what speaks against it.
    private var deciding: [Item] {
        let all = items.sorted { $0.weight > $1.weight }
        let leading =
            switch verdict {
            case "fits": all.filter(\.isStrong)
            case "does_not_fit", "walks_away": all.filter { !$0.isStrong }
            default: all
            }
        return leading.isEmpty ? all : leading
    }

    private func change(_ item: Item) -> String {
        let happened = item.isStrong ? "did not last" : "got better and stayed so"
        return "The view would change if \(item.named) \(happened) through the next reports."
    }

    private var summary: [String] {
        let read = reader.map { "Read as \($0) would, " } ?? "By this checklist, "
        let scored = score.map { ": a score of \($0) of 100" } ?? ""
        let sure = confidence.map { ", at a confidence of \($0) of 100" } ?? ""
        let view =
            switch verdict {
            case "fits": "\(subject) fits this way of investing\(scored)\(sure)."
            case "mixed": "\(subject) is a mixed case\(scored)\(sure)."
            case "does_not_fit": "\(subject) does not fit this way of investing\(scored)\(sure)."
            case "walks_away": "\(subject) ends the reading early\(scored)\(sure)."
            default: "\(subject) cannot be assessed yet, since too much is missing\(sure)."
            }
        var sentences = [read + view]
        if let finding = findings.first { sentences.append("What ended it: \(finding.lowercasedFirst.trimmingStop).") }
        if let best = strong.first {
            sentences.append("What speaks for it most \(best.verb("is", "are")) \(best.counted).")
        }
        if let worst = weak.first {
            sentences.append("What speaks against it most \(worst.verb("is", "are")) \(worst.counted).")
        } else if let note = open.first {
            sentences.append("One point stays open: \(note.lowercasedFirst.trimmingStop).")
        }
        return sentences
    }

    private var thesis: [[String]] {
        let first = strong.prefix(3).map(\.sentence)
        let second = weak.prefix(2).map {
            "\($0.named.uppercasedFirst) \($0.verb("is", "are")) where it falls short, with \($0.points)."
        }
        let third = open.prefix(2).enumerated().map { place, note in
            "\(place == 0 ? "One" : "Another") point stays open: \(note.lowercasedFirst.trimmingStop)."
        }
        let opening =
            first.isEmpty
            ? "Little in the filings speaks for \(subject) by this checklist."
            : "The case for \(subject) rests on what the filings show, one finding at a time."
        let closing =
            second.isEmpty && third.isEmpty
            ? [
                "Nothing on the checklist speaks clearly against it, which is rare and worth checking against later reports."
            ]
            : [
                second.count + third.count == 1
                    ? "This point keeps its weight in the score beside the good ones."
                    : "These points keep their weight in the score beside the good ones."
            ]
        return [[opening] + first, second + third + closing]
    }

    private func strength(_ item: Item) -> String {
        "\(item.title) \(item.verb("stands", "stand")) at \(item.value), which counts \(item.points) by this checklist."
    }

    private var risks: [(title: String, detail: String)] {
        weak.map {
            (
                $0.title,
                "\($0.title) \($0.verb("stands", "stand")) at \($0.value), and that counts only \($0.points) by this checklist."
            )
        }
            + open.map {
                ("An open point", "This could not be read from the filings: \($0.lowercasedFirst.trimmingStop).")
            }
            + strong.suffix(1).map {
                ($0.title, "The reading leans on \($0.named), and a good past is no promise that it lasts.")
            }
    }

    private var valuation: [[String]] {
        let priced = items.filter { $0.title.lowercased().containsBytes(of: "price") }
        guard let price else {
            return [
                [
                    "No share price was available, so no valuation is made.",
                    "A reader would look first at what the owners earn for each share beside its price.",
                ]
            ]
        }
        var sentences = [
            "A share costs \(price.value)" + (worth.map { ", and the whole company \(Self.rounded($0.value))." } ?? ".")
        ]
        sentences += priced.prefix(2).map(\.sentence)
        if priced.isEmpty { sentences.append("No item of this checklist sets the price against the business.") }
        if price.label.containsBytes(of: "simulated") { sentences.append("The price is simulated, as is this text.") }
        return [sentences]
    }
}

extension Assessment {
    /// `3,426,200 million USD` as `3.43 trillion USD`; other values as they are.
    private static func rounded(_ amount: String) -> String {
        let parts = amount.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("million "),
            let millions = Int(parts[0].filter { $0 != "," }), millions >= 1000
        else { return amount }
        let (divisor, scale) = millions >= 1_000_000 ? (10_000, "trillion") : (10, "billion")
        let shown = Double((millions + divisor / 2) / divisor) / 100
        return "\(shown) \(scale) \(parts[1].dropFirst("million ".count))"
    }
}

extension String {
    /// Without a full stop at the end.
    fileprivate var trimmingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
