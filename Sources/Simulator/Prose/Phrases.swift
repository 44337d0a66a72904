internal import JSON

/// The sentences and word lists of `phrases.json` that simulated prose is made with.
///
/// No sentence holds a figure, a number word or a call to act: figures come from the facts, in braces.
struct Phrases: Sendable {
    static let shared = Phrases(Resource.json(PackageResources.phrases_json))

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

    private let data: JSON
    let topics: [Topic]
    let plain: Topic
    /// Statements that a text is simulated.
    let markers: [String]
    /// Sentences for a fact without a period.
    let undated: [String]
    let bareTitles: [String]
    /// Words of sentences that are not quoted: addresses, orders to the reader.
    let unfit: [String]
    /// Words of sentences that do not suit a calm text.
    let restless: [String]
    /// Words of sentences that advise.
    let advice: [String]
    /// The word stems of fields such as business: they show that a text belongs to the field.
    let fields: [Set<String>]
    /// Words of direction and size with their opposites.
    let opposites: [String: String]
    let positive: Set<String>
    let negative: Set<String>

    private init(_ data: JSON) {
        self.data = data
        func list(_ value: JSON?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
        topics = (data["topics"]?.object ?? [:]).map { name, topic in
            Topic(
                name: name, names: list(topic["names"]), dated: list(topic["dated"]), bare: list(topic["bare"]),
                titles: list(topic["titles"]), bareTitles: list(topic["bare_titles"]),
                needsFacts: topic["needs_facts"] == true)
        }
        plain =
            topics.last
            ?? Topic(name: "plain", names: [], dated: [], bare: [], titles: [], bareTitles: [], needsFacts: false)
        (markers, undated, bareTitles) = (list(data["markers"]), list(data["undated"]), list(data["bare_titles"]))
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

    /// The topic of a property by its own name, else by the names around it, the nearest first.
    func topic(of name: String, within parents: [String]) -> Topic {
        for text in [name] + parents.reversed() {
            if let topic = topics.first(where: { topic in topic.names.contains { text.contains($0) } }) { return topic }
        }
        return plain
    }

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
