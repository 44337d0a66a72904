internal import Basics
internal import News

/// Writes calm sentences about a material, deterministic for a seed. Figures are quoted as the material gives them;
/// none is made up.
struct ProseWriter: Sendable {
    let material: Material
    let rules: WritingRules
    let phrases: Phrases
    /// Whether the source is in the language of the answer, so that its sentences may be repeated.
    let isReadable: Bool
    private var random: SeededRandom
    /// Facts in the order in which they will be used; filled again when it is used up.
    private var unusedFacts: [FactLine] = []
    private var unusedSentences: [String]
    private var excerpts: [String] = []
    private var usedPhrases: Set<String> = []
    /// Whether a text has yet to say that it is simulated.
    private var needsMark: Bool
    /// As a fault, an invented figure that goes into the next prose.
    private var pending: [String]
    /// The facts whose labels hold no figures of their own ("Score, of 10"), which may be none of the facts; all when
    /// there are no others.
    private let citable: [FactLine]

    init(
        _ material: Material, rules: WritingRules, random: SeededRandom, language: Language = .english,
        intrusion: String? = nil, isMarked: Bool = true
    ) {
        phrases = Phrases.of(language)
        isReadable = AnswerLanguage.of(material.source.text) == language
        self.material = material
        self.rules = rules
        self.random = random
        let plain = material.facts.filter { !$0.label.contains(where: \.isNumber) }
        citable = plain.isEmpty ? material.facts : plain
        let source = material.source.text
        let sentences = rules.isCalm ? Sentences.calm(in: source) : Sentences.neutral(in: source)
        // Long texts repeat themselves.
        var known: Set<Set<String>> = []
        let isReadable = isReadable
        unusedSentences = sentences.filter {
            isReadable && rules.allows($0) && known.insert(Words.stems(of: $0)).inserted
        }
        needsMark = isMarked
        pending = [intrusion].compactMap(\.self)
    }

    // MARK: Choosing

    mutating func number(below limit: Int) -> Int { limit < 2 ? 0 : Int.random(in: 0..<limit, using: &random) }

    mutating func element<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &random) }

    /// A number within a hint.
    mutating func count(_ hint: LengthHint?) -> Int? { hint.map { $0.low + number(below: $0.high - $0.low + 1) } }

    /// A fact that suits the name of a property, or else the next that suits the topic.
    mutating func fact(for name: String, _ topic: Phrases.Topic) -> FactLine? {
        if unusedFacts.isEmpty { unusedFacts = citable.shuffled(using: &random) }
        let words = name.split(separator: "_").filter { $0.count > 3 }.map { String($0.prefix(6)) }
        let suits = { (fact: FactLine) in words.contains { fact.plainLabel.containsBytes(of: $0) } }
        if let place = unusedFacts.firstIndex(where: suits) ?? unusedFacts.firstIndex(where: topic.suits) {
            return unusedFacts.remove(at: place)
        }
        // Rather one that was used before than one that does not suit.
        return citable.filter(topic.suits).randomElement(using: &random) ?? unusedFacts.popLast()
    }

    /// A passage of the source, as it is there, at most 40 words long.
    mutating func excerpt() -> String? {
        if excerpts.isEmpty {
            let quotable = Sentences.quotable(in: material.source.text)
            excerpts = (quotable.isEmpty ? Sentences.all(in: material.source.text) : quotable).reversed()
        }
        guard let sentence = excerpts.popLast() else { return nil }
        let words = sentence.split(separator: " ")
        return words.count > 40 ? words.prefix(25).joined(separator: " ") : sentence
    }

    // MARK: Sentences

    /// A text with the sentences before it that the next prose has to have.
    mutating func prefixed(_ text: String, isPoint: Bool = false) -> String {
        defer { pending = [] }
        guard isPoint else { return (statements() + [text]).joined(separator: " ") }
        return marked((pending + [text]).joined(separator: " "))
    }

    /// The sentences that the next prose has to have.
    private mutating func statements() -> [String] {
        defer { (pending, needsMark) = ([], false) }
        let marker = needsMark ? phrases.markers.first(where: rules.allows) ?? phrases.markers.first : nil
        return (marker.map { [$0] } ?? []) + pending
    }

    /// One of several points, which the statement would crowd out: a word says that it is simulated.
    private mutating func marked(_ text: String) -> String {
        guard needsMark, let last = text.last else { return text }
        needsMark = false
        let isEnd = ".!?".contains(last)
        return (isEnd ? String(text.dropLast()) : text) + " " + phrases.mark + (isEnd ? String(last) : "")
    }

    /// The requirements for a piece of prose.
    struct Specification: Sendable {
        var topic: Phrases.Topic
        var name: String
        var sentences: LengthHint
        /// The number of words that fit; obligatory content is written even without room.
        var room = Int.max
        var subject: Subject?
        /// The beginning of the text.
        var opening: String?
        /// True where the prompt asks for the number of sentences.
        var isCounted = false
        /// The answer to a question.
        var statement: String?
        /// True where sentences of the source may be repeated.
        var mayRepeat = false
        /// True for one of several points.
        var isPoint = false
        /// The sentences of the source that one of several paragraphs takes, so that each of them has one; `nil` for a
        /// text of its own. Such a paragraph says nothing that the source does not.
        var share: Int?
    }

    /// Prose of a number of sentences.
    mutating func prose(_ specification: Specification) -> String {
        let (low, high) = (specification.sentences.low, specification.sentences.high)
        let first = specification.isPoint ? pending : statements()
        pending = []
        let wanted = specification.room < 60 ? min(high, low + first.count) : low + number(below: high - low + 1)
        var written: [String] = []
        var left = specification.room
        func add(_ sentence: String) {
            written.append(sentence)
            left -= Words.count(sentence)
        }
        if let opening = specification.opening { add(opening) }
        for sentence in first where written.count < high { add(sentence) }
        if let statement = specification.statement, written.count < max(high, 2) { add(statement) }
        let passage = isReadable ? specification.subject?.passage : nil
        if let passage, written.count < high || written.isEmpty { add(passage) }
        var holdsFigure = false
        if let fact = specification.subject?.fact, written.count < wanted {
            add(sentence(specification.topic, quoting: fact))
            holdsFigure = true
        }
        let isComplete = specification.statement != nil || passage != nil
        var repeated = 0
        if !isReadable, !isComplete, specification.mayRepeat, written.count < wanted, let sentence = about() {
            add(sentence)
        }
        while written.count < (isComplete && !specification.isCounted ? 1 : wanted) {
            // Every other sentence without a figure: a text is no table.
            let wantsFact = !holdsFigure || specification.topic.name == "summary"
            holdsFigure = wantsFact
            if wantsFact, let fact = fact(for: specification.name, specification.topic) {
                add(sentence(specification.topic, quoting: fact))
            } else if specification.mayRepeat, repeated < specification.share ?? .max, let sentence = next(room: left) {
                add(sentence)
                repeated += 1
            } else if specification.mayRepeat, repeated == 0, specification.share == nil, !specification.isPoint,
                let sentence = headline()
            {
                add(sentence)
                repeated += 1
            } else if specification.share != nil, repeated > 0 {
                break
            } else if specification.share != nil, let sentence = headline() {
                add(sentence)
                break
            } else if repeated > 0, specification.mayRepeat, !specification.isPoint, material.facts.isEmpty {
                // A sentence of its own would say what the source does not.
                add(phrase("spent"))
            } else {
                add(fill(fresh(bare(specification.topic)), nil))
            }
        }
        let text = written.joined(separator: " ")
        return specification.isPoint ? marked(text) : text
    }

    /// Sentences without a fact: of the topic, except those about a business that is not in the material.
    private func bare(_ topic: Phrases.Topic) -> [String] {
        let topic = phrases.own(topic)
        return topic.needsFacts && material.facts.isEmpty ? phrases.plain.bare : topic.bare
    }

    /// The next sentence of the source that there is room for.
    private mutating func next(room: Int) -> String? {
        let limit = min(room, rules.sentenceLimit)
        guard let place = unusedSentences.firstIndex(where: { Words.count($0) <= limit }) else { return nil }
        // Earlier sentences are dropped, so that the order of the source is kept.
        defer { unusedSentences.removeSubrange(...place) }
        return unusedSentences[place]
    }

    /// The number of sentences of the source that were not repeated yet.
    var sentencesLeft: Int { unusedSentences.count }

    /// A sentence on the company of a source in another language, once, and then on the names of each of its sentences.
    mutating func about() -> String? {
        if let company = aboutCompany() { return company }
        guard !phrases.list("mentions").isEmpty else { return nil }
        for sentence in Sentences.all(in: material.source.text) {
            guard let names = QuotedNames(sentence).list(phrases), usedPhrases.insert(names).inserted else { continue }
            return phrase("mentions", name: names)
        }
        return nil
    }

    private mutating func aboutCompany() -> String? {
        let titles = material.sections.filter { $0.name == "title" && !$0.isEarlier }.map(\.text)
        let named = TickerRecognizer().mentions(in: titles.first ?? "").first { !$0.words.isEmpty }
        guard let name = named?.words.joined(separator: " "), !phrases.list("about").isEmpty,
            usedPhrases.insert(name).inserted
        else { return nil }
        return phrase("about", name: name)
    }

    /// A sentence about the source's title, once.
    private mutating func headline() -> String? {
        guard isReadable,
            let title = material.sections.first(where: { $0.name == "title" && !$0.isEarlier })?.text.trimmed,
            !title.isEmpty, rules.allows(title), usedPhrases.insert(title).inserted
        else { return nil }
        return phrase("headline", name: title)
    }

    mutating func title(_ topic: Phrases.Topic, about subject: Subject?) -> String {
        let topic = phrases.own(topic)
        if let fact = subject?.fact { return fill(fresh(topic.titles), fact) }
        return subject?.name ?? fresh(topic.bareTitles.isEmpty ? phrases.bareTitles : topic.bareTitles)
    }

    /// One of the phrases of a kind, about a name.
    mutating func phrase(_ kind: String, in group: String? = nil, name: String = "") -> String {
        fresh(phrases.list(kind, in: group)).replacing("{name}", with: name)
    }

    private mutating func sentence(_ topic: Phrases.Topic, quoting fact: FactLine) -> String {
        fill(fresh(fact.period.isEmpty ? phrases.undated : phrases.own(topic).dated), fact)
    }

    /// A phrase that was not used yet, as long as there is one that the rules allow.
    private mutating func fresh(_ phrases: [String]) -> String {
        let allowed = phrases.filter(rules.allows)
        let candidates = allowed.isEmpty ? phrases : allowed
        var unused = candidates.filter { !usedPhrases.contains($0) }
        if unused.isEmpty {
            usedPhrases.subtract(candidates)
            unused = candidates
        }
        let phrase = unused.randomElement(using: &random) ?? ""
        usedPhrases.insert(phrase)
        return phrase
    }

    private func fill(_ phrase: String, _ fact: FactLine?) -> String {
        let label = phrases.label(fact?.label ?? "")
        if phrases.language != .english {
            return phrase.replacing("{label}", with: label)
                .replacing("{value}", with: fact.map { LocalValue($0.value, phrases).text } ?? "")
                .replacing("{period}", with: fact?.period ?? "")
                .replacing("{subject}", with: material.subject ?? phrases.company)
        }
        let inner = label.dropFirst().first?.isLowercase == true ? label.lowercasedFirst : label
        return phrase.replacing("{label}", with: inner).replacing("{Label}", with: label.uppercasedFirst)
            .replacing("{value}", with: fact?.value ?? "").replacing("{period}", with: fact?.period ?? "")
            .replacing("{subject}", with: material.subject ?? phrases.company)
    }
}

extension String {
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
