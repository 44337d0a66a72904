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
        /// Whether the first noun of an English title is a plural, as in `Years with a profit`.
        var isPlural: Bool {
            let noun = title.split(separator: " ").prefix { !Self.prepositions.contains(String($0)) }.last ?? ""
            return noun.hasSuffix("s") && !noun.hasSuffix("ss")
        }
        func verb(_ singular: String, _ plural: String) -> String { isPlural ? plural : singular }

        private static let prepositions: Set<String> = ["as", "for", "of", "on", "over", "to", "with"]
        /// Whether it speaks for the company.
        var isStrong: Bool { score >= 6.5 }
    }

    private let phrases: Phrases
    private let verdict: String
    private let score: String?
    private let confidence: String?
    /// Whose way of judging it is; `nil` where the prompt names nobody.
    private let reader: String?
    private let subject: String
    private let items: [Item]
    /// Those that set the price against the business.
    private let priced: [Item]
    /// Reasons why a point is open.
    private let open: [String]
    private let findings: [String]
    private let price: FactLine?
    private let worth: FactLine?

    /// `nil` for a material without an assessment.
    init?(_ material: Material, _ phrases: Phrases) {
        self.phrases = phrases
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
        subject = material.subject ?? phrases.company
        items = (card["items"]?.array ?? []).compactMap { item in
            guard let score = item["score"]?.double, let value = item["value"]?.string,
                let colon = value.firstRange(of: ": ")
            else { return nil }
            return Item(
                title: phrases.label(String(value[..<colon.lowerBound])),
                value: LocalValue(String(value[colon.upperBound...]), phrases).text, score: score,
                weight: item["weight"]?.double ?? 1)
        }
        priced = zip(items, card["items"]?.array?.filter { $0["score"]?.double != nil && $0["value"] != nil } ?? [])
            .filter { $1["value"]?.string?.lowercased().containsBytes(of: "price") == true }.map(\.0)
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

    private func change(_ item: Item) -> String { text(item.isStrong ? "change_strong" : "change_weak", item) }

    /// A sentence with the values of an item in the place of names in braces.
    private func text(_ name: String, _ item: Item? = nil, _ others: [String: String] = [:]) -> String {
        var values = others.merging(["subject": subject]) { own, _ in own }
        if let item {
            let isEnglish = phrases.language == .english
            values["title"] = item.title
            values["value"] = item.value
            values["points"] = phrases.text(
                "points", in: "assessment",
                ["points": LocalValue("\((item.score * 10).rounded() / 10)", phrases).text])
            values["named"] =
                phrases.text(
                    "named", in: "assessment",
                    [
                        "the": item.title.hasPrefix("What ") ? "" : "the", "value": item.value,
                        "title": isEnglish ? item.title.lowercasedFirst : item.title,
                    ]
                ).trimmed
            values["is"] = item.verb("is", "are")
            values["counts"] = item.verb("counts", "count")
            values["stands"] = item.verb("stands", "stand")
        }
        return phrases.text(name, in: "assessment", values)
    }

    private func note(_ name: String, _ note: String) -> String {
        text(name, nil, ["note": note.lowercasedFirst.trimmingStop])
    }

    private var summary: [String] {
        let read = reader.map { text("read", nil, ["reader": $0]) } ?? text("by_checklist")
        let view = text(
            verdicts.contains(verdict) ? verdict : "abstains", nil,
            [
                "score": score.map { text("score", nil, ["score": $0]) } ?? "",
                "confidence": confidence.map { text("confidence", nil, ["confidence": $0]) } ?? "",
            ])
        var sentences = [read + view]
        if let finding = findings.first { sentences.append(note("finding", finding)) }
        if let best = strong.first { sentences.append(text("best", best)) }
        if let worst = weak.first {
            sentences.append(text("worst", worst))
        } else if let open = open.first {
            sentences.append(note("open", open))
        }
        return sentences
    }

    private var verdicts: Set<String> { ["fits", "mixed", "does_not_fit", "walks_away"] }

    private var thesis: [[String]] {
        let first = strong.prefix(3).map { text("counted", $0).uppercasedFirst }
        let second = weak.prefix(2).map { text("short", $0).uppercasedFirst }
        let third = open.prefix(2).enumerated().map { place, open in
            note(place == 0 ? "open" : "another_open", open)
        }
        let count = second.count + third.count
        let closing = text(count == 0 ? "clear" : count == 1 ? "keeps_one" : "keeps_more")
        return [[text(first.isEmpty ? "little" : "rests")] + first, second + third + [closing]]
    }

    private func strength(_ item: Item) -> String { text("strength", item) }

    private var risks: [(title: String, detail: String)] {
        weak.map { ($0.title, text("weakness", $0)) } + open.map { (text("open_title"), note("unread", $0)) }
            + strong.suffix(1).map { ($0.title, text("leans", $0)) }
    }

    private var valuation: [[String]] {
        guard let price else { return [[text("no_price"), text("look_first")]] }
        let company = worth.map { text("company", nil, ["worth": LocalValue(Self.rounded($0.value), phrases).text]) }
        var sentences = [
            text("share", nil, ["price": LocalValue(price.value, phrases).text, "worth": company ?? ""])
        ]
        sentences += priced.prefix(2).map { text("counted", $0).uppercasedFirst }
        if priced.isEmpty { sentences.append(text("no_priced")) }
        if price.label.containsBytes(of: "simulated") { sentences.append(text("simulated")) }
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
