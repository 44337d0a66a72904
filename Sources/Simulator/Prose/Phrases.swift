internal import Basics
internal import JSON

/// The sentences and word lists of `phrases.json` that simulated prose is made with.
///
/// No sentence holds a figure, a number word or a call to act: figures come from the facts, in braces.
struct Phrases: Sendable {
    /// Those in English, with the lists that hold for every language.
    static let shared = Phrases(.english, Resource.json(PackageResources.phrases_json))

    private static let german = shared.translated(.german, Resource.json(PackageResources.phrases_de_json))
    private static let spanish = shared.translated(.spanish, Resource.json(PackageResources.phrases_es_json))
    private static let french = shared.translated(.french, Resource.json(PackageResources.phrases_fr_json))

    static func of(_ language: Language) -> Phrases {
        switch language {
        case .english: shared
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private func translated(_ language: Language, _ texts: JSON) -> Phrases {
        Phrases(language, data.withoutTexts.overlaid(with: texts))
    }

    /// The subject of a piece of prose, by words in the name of the property that it fills.
    struct Topic: Sendable {
        var name: String
        /// Parts of property names that belong to the topic.
        var names: [String]
        /// Sentences for a fact of a known period.
        var dated: [String]
        /// Sentences without a fact.
        var bare: [String]
        var titles: [String]
        /// Titles without a fact.
        var bareTitles: [String]
        /// True when the sentences are about a business.
        var needsFacts: Bool
    }

    let language: Language
    private let data: JSON
    let topics: [Topic]
    let plain: Topic
    /// Statements that a text is simulated.
    let markers: [String]
    /// The same behind the words of a short text.
    let mark: String
    /// What a company without a name is called.
    let company: String
    /// The beginning of a sentence to the holders of something, where it is none of the prompt.
    let holding: String?
    /// Words of the notes at the end of the simulator's own articles, which say nothing of their subject.
    let notes: [String]
    /// Sentences for a fact without a period.
    let undated: [String]
    let bareTitles: [String]
    /// Words of sentences that are not quoted: addresses, orders to the reader.
    let unfit: [String]
    /// Words of sentences that do not suit a calm text.
    let restless: [String]
    /// English verbs and adverbs, which are no part of the name of a subject.
    let verbs: Set<String>
    /// Words of sentences that advise.
    let advice: [String]
    /// The word stems of fields such as business: they show that a text belongs to the field.
    let fields: [Set<String>]
    /// Words of direction and size with their opposites.
    let opposites: [String: String]
    let positive: Set<String>
    let negative: Set<String>

    private init(_ language: Language, _ data: JSON) {
        (self.language, self.data) = (language, data)
        func list(_ value: JSON?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
        topics = (data["topics"]?.object ?? [:]).map { name, topic in
            Topic(
                name: name, names: list(topic["names"]), dated: list(topic["dated"] ?? data["dated"]),
                bare: list(topic["bare"]), titles: list(topic["titles"] ?? ["{label}"]),
                bareTitles: list(topic["bare_titles"]),
                needsFacts: topic["needs_facts"] == true)
        }
        plain =
            topics.last
            ?? Topic(name: "plain", names: [], dated: [], bare: [], titles: [], bareTitles: [], needsFacts: false)
        (markers, undated, bareTitles) = (list(data["markers"]), list(data["undated"]), list(data["bare_titles"]))
        (mark, company) = (data["mark"]?.string ?? "", data["the_company"]?.string ?? "")
        holding = data["holding"]?.string
        (notes, verbs) = (list(data["notes"]), Set(list(data["verbs"])))
        (unfit, restless, advice) = (list(data["unfit"]), list(data["restless"]), list(data["advice"]))
        fields = (data["fields"]?.object ?? [:]).map { Words.stems(of: $0.value.string ?? "") }
        opposites = (data["opposites"]?.object ?? [:]).reduce(into: [:]) { opposites, pair in
            guard let right = pair.value.string else { return }
            opposites[pair.key] = opposites[pair.key] ?? right
            opposites[right] = opposites[right] ?? pair.key
        }
        positive = Words.stems(of: data["tones"]?["positive"]?.string ?? "")
        negative = Words.stems(of: data["tones"]?["negative"]?.string ?? "")
    }

    /// The phrases of a kind such as `thresholds`, or of a kind within a group such as `questions`.
    func list(_ name: String, in group: String? = nil) -> [String] {
        (group.map { data[$0]?[name] } ?? data[name])?.array?.compactMap(\.string) ?? []
    }

    /// Pairs of texts, such as a verb with its denial.
    func pairs(_ name: String) -> [(first: String, second: String)] {
        (data[name]?.array ?? []).compactMap { pair in
            guard let first = pair[0]?.string, let second = pair[1]?.string else { return nil }
            return (first, second)
        }
    }

    /// A text of a group, with values in the place of names in braces.
    func text(_ name: String, in group: String, _ values: [String: String] = [:]) -> String {
        var text = data[group]?[name]?.string ?? ""
        for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
        return text
    }

    /// A text of its own.
    func text(_ name: String) -> String { data[name]?.string ?? "" }

    /// The label of a fact in the language; as it is where no translation is known.
    func label(_ label: String) -> String { data["labels"]?[label]?.string ?? label }

    /// Forms of questions, each with the marks of the sentences that answer them.
    var asked: [JSON] { data["asked"]?.array ?? [] }

    /// Beginnings of words in all languages, by what they mean.
    var meanings: JSONObject { data["meanings"]?.object ?? [:] }

    /// Beginnings of words that mean much the same, in all languages.
    var synonyms: JSONObject { data["synonyms"]?.object ?? [:] }

    /// The topic of a property by its own name, else by the names around it, the nearest first.
    func topic(of name: String, within parents: [String]) -> Topic {
        for text in [name] + parents.reversed() {
            if let topic = topics.first(where: { topic in topic.names.contains { text.contains($0) } }) { return topic }
        }
        return plain
    }

    /// The topic with the texts of this language.
    func own(_ topic: Topic) -> Topic { topics.first { $0.name == topic.name } ?? plain }

    /// The role of a string by the last word of its property's name, such as `ticker` or `title`.
    func role(ofName name: String) -> String? {
        let last = name.split(separator: "_").last.map(String.init) ?? name
        return data["names"]?.object?.first { $0.value.array?.contains(JSON(last)) == true }?.key
    }
}

extension Phrases.Topic {
    /// Whether a fact fits: debts and costs are no strength, and rather a risk than earnings are.
    func suits(_ fact: FactLine) -> Bool {
        switch name {
        case "thesis", "valuation": !fact.isBurden
        case "risk": fact.isBurden
        default: true
        }
    }
}

extension JSON {
    /// Members that another language replaces as a whole, so that none of the texts stays English.
    fileprivate var withoutTexts: JSON {
        guard var members = object else { return self }
        for (name, topic) in members["topics"]?.object ?? [:] {
            var kept = topic.object ?? [:]
            for text in ["dated", "titles", "bare_titles"] { kept[text] = nil }
            members["topics"] = JSON.object((members["topics"]?.object ?? [:]).with(name, .object(kept)))
        }
        return .object(members)
    }

    /// Members of the other object take the place of those with the same name, at any depth.
    fileprivate func overlaid(with other: JSON) -> JSON {
        guard var members = object, let others = other.object else { return other }
        for (name, value) in others { members[name] = members[name].map { $0.overlaid(with: value) } ?? value }
        return .object(members)
    }
}

extension JSONObject {
    fileprivate func with(_ name: String, _ value: JSON) -> JSONObject {
        var members = self
        members[name] = value
        return members
    }
}
