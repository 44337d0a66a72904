/// Writes calm sentences about a material, deterministic for a seed. Figures are quoted as the material gives them;
/// none is made up.
struct ProseWriter: Sendable {
    let material: Material
    private var random: SeededRandom
    /// Facts in the order in which they will be used; begins anew when it is used up.
    private var deck: [FactLine] = []
    private var excerpts: [String] = []
    private var usedPhrases: Set<String> = []
    private(set) var owesMarker = true
    /// A sentence to put into the next prose: a fault.
    private var intrusion: String?

    /// The facts whose labels hold no figures of their own ("Score, of 10"), which may be none of the facts; all when
    /// there are no others.
    private let citable: [FactLine]

    init(_ material: Material, random: SeededRandom, intrusion: String? = nil) {
        self.material = material
        let plain = material.facts.filter { !$0.label.contains(where: \.isNumber) }
        citable = plain.isEmpty ? material.facts : plain
        self.random = random
        self.intrusion = intrusion
    }

    /// For what must not carry the remark that it is simulated, such as the arguments of a tool.
    mutating func omitMarker() { owesMarker = false }

    // MARK: Choosing

    mutating func number(below limit: Int) -> Int { limit < 2 ? 0 : Int.random(in: 0..<limit, using: &random) }

    mutating func element<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    /// A fact that suits the name of a property, or else the next that suits the topic.
    mutating func fact(for name: String, _ topic: Topic = .plain) -> FactLine? {
        if deck.isEmpty { deck = citable.shuffled(using: &random) }
        let words = name.split(separator: "_").filter { $0.count > 3 }
        let suits = { (fact: FactLine) in
            let label = fact.label.lowercased()
            return words.contains { label.contains($0.prefix(6)) }
        }
        if let place = deck.firstIndex(where: suits) ?? deck.firstIndex(where: topic.suits) {
            return deck.remove(at: place)
        }
        // Rather one that was used before than one that does not suit.
        return citable.filter(topic.suits).randomElement(using: &random) ?? deck.popLast()
    }

    // MARK: Writing

    /// Prose of a number of sentences.
    mutating func prose(_ topic: Topic, name: String, sentences: Int, about focus: FactLine? = nil) -> String {
        var written: [String] = []
        var lastHoldsFigure = false
        if owesMarker {
            owesMarker = false
            written.append(Phrases.marker)
        }
        if let sentence = intrusion {
            intrusion = nil
            written.append(sentence)
        }
        if let focus, written.count < sentences {
            written.append(sentence(topic, quoting: focus))
            lastHoldsFigure = true
        }
        while written.count < sentences {
            // Every other sentence without a figure: a text is no table.
            let wantsFact = !lastHoldsFigure || topic == .summary
            lastHoldsFigure = wantsFact
            if wantsFact, let fact = fact(for: name, topic) {
                written.append(sentence(topic, quoting: fact))
            } else if wantsFact, let excerpt = excerpt() {
                written.append(fresh(Phrases.quoting).replacing("{quote}", with: excerpt))
            } else {
                written.append(fresh(Phrases.bare(topic)))
            }
        }
        return written.joined(separator: " ")
    }

    mutating func title(_ topic: Topic, about focus: FactLine?) -> String {
        if let focus { return fill(fresh(Phrases.titles(topic)), focus) }
        if material.facts.isEmpty, let excerpt = excerpt() {
            return excerpt.split(separator: " ").prefix(7).joined(separator: " ")
        }
        return fresh(Phrases.bareTitles)
    }

    /// A passage of the source text, as it stands there, without its closing mark.
    mutating func excerpt() -> String? {
        if excerpts.isEmpty { excerpts = material.sentences.reversed() }
        guard var words = excerpts.popLast()?.split(separator: " ") else { return nil }
        if words.count > Self.longestExcerpt { words = Array(words.prefix(Self.longestExcerpt)) }
        var text = words.joined(separator: " ")
        while let last = text.last, ".!?,;:".contains(last) { text.removeLast() }
        return text.isEmpty ? nil : text
    }

    private static let longestExcerpt = 25

    private mutating func sentence(_ topic: Topic, quoting fact: FactLine) -> String {
        fill(fresh(fact.period.isEmpty ? Phrases.undated : Phrases.dated(topic)), fact)
    }

    /// A phrase that was not used yet, as long as there is one.
    private mutating func fresh(_ phrases: [String]) -> String {
        var unused = phrases.filter { !usedPhrases.contains($0) }
        if unused.isEmpty {
            usedPhrases.subtract(phrases)
            unused = phrases
        }
        let phrase = unused.randomElement(using: &random) ?? ""
        usedPhrases.insert(phrase)
        return phrase
    }

    private func fill(_ phrase: String, _ fact: FactLine) -> String {
        let label = fact.label.dropFirst().first?.isLowercase == true ? fact.label.lowercasedFirst : fact.label
        return phrase.replacing("{label}", with: label).replacing("{Label}", with: fact.label.uppercasedFirst)
            .replacing("{value}", with: fact.value).replacing("{period}", with: fact.period)
            .replacing("{subject}", with: material.subject ?? "the company")
    }
}

extension String {
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
