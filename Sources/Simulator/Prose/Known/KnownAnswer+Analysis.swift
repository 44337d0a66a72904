internal import JSON

extension KnownAnswer {
    /// Concepts of the text with their passages, and how much of the goal's words it speaks of.
    var analysis: JSON {
        let text = sections["text"]
        let sentences = SourceSentences(text).all
        let goal = Stems.of(sections["goal"])
        // What the learner finds hard is what they came for.
        let wanted = goal.union(Stems.of(sections["weak concepts"]))
        let listed = (sections["weak concepts"] + "\n" + sections["known concepts"])
            .split(whereSeparator: \.isNewline).map(String.init)
        let concepts = ConceptFinder(sentences: sentences, listed: listed, goal: wanted).concepts
        let share = goal.isEmpty ? 0 : Double(goal.intersection(Stems.of(text)).count) / Double(goal.count)
        let direct = concepts.count { $0.bearing == "direct" }
        let score = min(1, ((share + 0.2 * Double(direct)) * 100).rounded() / 100)
        let reason =
            concepts.first.map { "The text speaks of \($0.name), held against the words of the goal." }
            ?? "The text teaches nothing that could be named."
        return [
            "concepts": .array(
                concepts.map { concept in
                    var body: JSON = [
                        "name": JSON(concept.name), "quote": JSON(concept.quote), "depth": JSON(concept.depth),
                        "bearing": JSON(concept.bearing),
                    ]
                    if listed.contains(concept.name) { body["same_as"] = JSON(concept.name) }
                    return body
                }),
            "relevance_score": JSON(score),
            "relevance_reasons": [JSON(prose(Phrases.marker)), JSON(reason)],
        ]
    }
}

/// Picks what a text speaks of: the learner's own concepts where it has them, else pairs of words that return.
private struct ConceptFinder {
    struct Concept {
        var name: String
        var quote: String
        var depth: String
        var bearing: String
    }

    private static let most = 6

    let sentences: [String]
    let listed: [String]
    let goal: Set<String>

    var concepts: [Concept] {
        let stems = sentences.map(Stems.of)
        var taken: Set<String> = []
        var concepts: [Concept] = []
        for name in listed + phrases where concepts.count < Self.most {
            let words = Stems.of(name)
            guard !words.isEmpty, words.isDisjoint(with: taken) else { continue }
            let places = stems.indices.filter { words.isSubset(of: stems[$0]) }
            guard let place = places.first else { continue }
            taken.formUnion(words)
            let around = places.reduce(into: Set<String>()) { $0.formUnion(stems[$1]) }
            let bearing =
                !words.isDisjoint(with: goal) ? "direct" : around.isDisjoint(with: goal) ? "none" : "partial"
            let length = sentences[place].split(separator: " ").count
            concepts.append(
                Concept(
                    name: name, quote: sentences[place],
                    depth: places.count > 1 ? "developed" : length >= 8 ? "explained" : "mentioned", bearing: bearing))
        }
        return concepts
    }

    /// Pairs of neighbouring words with a meaning, those first that the goal names, then those that return most often.
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
                    !Stems.common.contains(String(letters))
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
        let named = { (pair: String) in !Stems.of(pair).isDisjoint(with: goal) ? 1 : 0 }
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        return order.sorted { left, right in
            (named(left), counts[left] ?? 0, -(places[left] ?? 0)) > (
                named(right), counts[right] ?? 0, -(places[right] ?? 0)
            )
        }
    }
}
