internal import JSON

/// The subject of one object of an answer: a fact, or a topic of a text.
struct Subject: Sendable {
    var fact: FactLine?
    var name: String?
    /// A sentence of the source that shows it.
    var passage: String?
    /// The id of the entry of a list in the prompt.
    var identifier: String?
    /// True when the name comes from a list in the prompt.
    var isListed = false
    /// The number of sentences of the source about the subject.
    var occurrences = 1

    /// The fact's label or the name.
    var label: String? { fact?.label ?? name }
}

/// Finds the subjects of a text: names that the prompt lists, else pairs of words that return.
struct SubjectFinder {
    private static let limit = 6

    private let sentences: [String]
    private let material: Material
    /// The word stems of all sections that state the purpose of the answer.
    private let wanted: Set<String>

    init(_ material: Material) {
        self.material = material
        sentences = Sentences.quotable(in: material.source.text)
        wanted = Words.stems(of: material.context.map(\.text).joined(separator: " "))
    }

    /// Subjects with passages of their own, no two of which share a word; where that gives too few, other sentences
    /// under their first words.
    func inText(atLeast low: Int = 0) -> [Subject] {
        let stems = sentences.map(Words.stems)
        // The lists that come last are the most specific ones.
        let lists = material.context.filter { $0.name.hasSuffix("s") && !$0.isList }
        let listed = lists.reversed().flatMap { $0.text.split(whereSeparator: \.isNewline).map(String.init) }
        var taken: Set<String> = []
        var subjects: [Subject] = []
        for (place, name) in (listed + phrases).enumerated() where subjects.count < Self.limit {
            let words = Words.stems(of: name)
            guard !words.isEmpty, words.isDisjoint(with: taken) else { continue }
            let places = stems.indices.filter { words.isSubset(of: stems[$0]) }
            guard let first = places.first else { continue }
            taken.formUnion(words)
            subjects.append(
                Subject(
                    name: name, passage: sentences[first], isListed: place < listed.count, occurrences: places.count))
        }
        let passages = Set(subjects.compactMap(\.passage))
        for sentence in sentences where subjects.count < low && !passages.contains(sentence) {
            let name = sentence.split(separator: " ").prefix(3).joined(separator: " ").lowercasedFirst
            subjects.append(Subject(name: name, passage: sentence))
        }
        return subjects
    }

    /// The entries of a list in the prompt: objects with a name and, in one of their members, a passage of the source.
    var inLists: [Subject] {
        var passages: Set<String> = []
        return material.context.flatMap(\.elements).compactMap { element in
            guard let name = element["name"]?.string ?? element["title"]?.string ?? element.string else { return nil }
            let members = element.object?.values.compactMap(\.string) ?? []
            let quotes = members.filter { $0 != name && Words.count($0) > 2 && material.source.text.contains($0) }
            let quote = quotes.max { $0.utf8.count < $1.utf8.count }
            let passage = quote ?? sentences.first { $0.lowercased().contains(name.lowercased()) }
            guard let passage, passages.insert(passage).inserted else { return nil }
            return Subject(name: name, passage: passage, isListed: true)
        }
    }

    /// The entries with an id of the lists in the prompt, as far as the prompt requires them.
    var entries: [Subject] {
        material.context.flatMap(\.elements).compactMap { element in
            guard let id = element["id"]?.string, element["required"] != false else { return nil }
            return Subject(name: element["name"]?.string ?? id, identifier: id, isListed: true)
        }
    }

    /// The share of the section's words that the source contains, from 0 to 1.
    func share(of section: Material.Section) -> Double {
        let goal = Words.stems(of: section.text)
        guard !goal.isEmpty else { return 0 }
        return Double(goal.intersection(Words.stems(of: material.source.text)).count) / Double(goal.count)
    }

    /// Pairs of neighbouring words with a meaning: those first that the context names, then the most frequent.
    private var phrases: [String] {
        var counts: [String: Int] = [:]
        var order: [String] = []
        for sentence in sentences {
            var last: String?
            for word in sentence.lowercased().split(separator: " ") {
                let bare = word.drop { !$0.isLetter }
                let letters = bare.prefix { $0.isLetter }
                guard letters.count > 3,
                    letters.count == bare.count || !bare.dropFirst(letters.count).contains(where: \.isLetter),
                    Words.isTelling(String(letters))
                else {
                    last = nil
                    continue
                }
                if let last {
                    let pair = "\(last) \(letters)"
                    if counts.updateValue(counts[pair, default: 0] + 1, forKey: pair) == nil { order.append(pair) }
                }
                last = letters.count == bare.count ? String(letters) : nil
            }
        }
        let ranked = order.enumerated().map { place, pair in
            (pair: pair, isWanted: !Words.stems(of: pair).isDisjoint(with: wanted), count: counts[pair] ?? 0, place)
        }
        return ranked.sorted { left, right in
            (left.isWanted ? 1 : 0, left.count, -left.3) > (right.isWanted ? 1 : 0, right.count, -right.3)
        }.map(\.pair)
    }
}

/// The sentence that answers the question of a prompt.
struct Evidence: Sendable {
    var sentence: String
    /// The name of the passage that holds it.
    var identifier: String?

    /// The sentence that shares the most words with the question; `nil` when none shares any. Of several passages only
    /// those count that hold more than half of the question's words: others may be about anything.
    init?(for question: String, in material: Material) {
        let isForAdvice = AdviceQuestion.matches(question)
        let wanted = isForAdvice ? AdviceQuestion.stems(of: question) : Words.stems(of: question)
        guard !material.passages.isEmpty else {
            // "What happened?" shares no word with the article that tells it.
            let opening = wanted.count < 2 ? Self.sentences(of: material.source.text).first : nil
            guard let sentence = Self.best(in: material.source.text, wanted)?.sentence ?? opening else { return nil }
            self.init(sentence: sentence, identifier: nil)
            return
        }
        var title = ""
        var found: (sentence: String, shared: Int, identifier: String)?
        for section in material.sections where !section.isEarlier {
            guard section.hasIdentifier else {
                title = section.isTitle ? section.text : ""
                continue
            }
            let held = Words.stems(of: title + " " + section.text).intersection(wanted).count
            // Whether to invest at all: a lesson on it, where no company is named.
            let isLesson = isForAdvice && wanted.isEmpty && Words.stems(of: title).contains("invest")
            let text = section.text.replacing("\n", with: " ")
            // The title alone may name the company that advice is asked on.
            let opening = isForAdvice ? Self.sentences(of: text).first.map { (sentence: $0, shared: 1) } : nil
            guard isLesson || held * 2 > wanted.count, let best = Self.best(in: text, wanted) ?? opening,
                best.shared > found?.shared ?? 0
            else { continue }
            found = (best.sentence, best.shared, section.name)
        }
        guard let found else { return nil }
        self.init(sentence: found.sentence, identifier: found.identifier)
    }

    private init(sentence: String, identifier: String?) {
        self.sentence = sentence
        self.identifier = identifier
    }

    /// Without the note at the end of each of the simulator's articles, which answers nothing, and without what only
    /// says what an article tells: "What drove the third quarter."
    private static func sentences(of text: String) -> [String] {
        Sentences.neutral(in: text).filter {
            !$0.contains("article is simulated") && !$0.contains("made it up")
                && ($0.hasSuffix("?") || !["What ", "How ", "Why "].contains(where: $0.hasPrefix))
        }
    }

    private static func best(in text: String, _ wanted: Set<String>) -> (sentence: String, shared: Int)? {
        let scored = sentences(of: text).map { ($0, Words.stems(of: $0).intersection(wanted).count) }
        guard let most = scored.map(\.1).max(), most > 0, let best = scored.first(where: { $0.1 == most }) else {
            return nil
        }
        return (best.0, best.1)
    }
}

/// Questions for advice, to which the answer is not whether, but what is known and what one could look at.
enum AdviceQuestion {
    static func matches(_ question: String) -> Bool {
        let words = question.lowercased().split { !$0.isLetter }.map(String.init)
        let isOffer = zip(words, words.dropFirst()).contains { $0 == "a" && ["buy", "sell", "hold"].contains($1) }
        return isOffer || !trades.isDisjoint(with: words) && !askings.isDisjoint(with: words)
    }

    /// The stems of what a question for advice is about.
    static func stems(of question: String) -> Set<String> {
        Words.stems(of: question).subtracting(Words.stems(of: trades.union(askings).joined(separator: " ")))
            .subtracting(things)
    }

    private static let trades: Set<String> = [
        "buy", "buying", "sell", "selling", "hold", "holding", "invest", "investing", "kaufen", "verkaufen", "halten",
        "investieren", "anlegen", "comprar", "vender", "invertir", "acheter", "vendre", "investir",
    ]
    private static let askings: Set<String> = [
        "should", "shall", "now", "worth", "time", "soll", "sollte", "debo", "deber\u{ED}a", "dois",
        "devrais",
    ]
    /// Words of such questions that say nothing of the company.
    private static let things: Set<String> = [
        "good", "better", "right", "start", "money", "whether", "market", "stock", "share", "shar", "today", "ich",
        "jetzt", "aktie",
        "aktien", "geld", "ahora", "dinero", "argent", "maintenant",
    ]
}
