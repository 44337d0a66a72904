internal import Basics
internal import JSON

/// A kind of event that news are about, with texts that fit it: a recall, a quarterly report, a decision on rates.
///
/// The texts are named like the properties of an answer. Properties with other names are written by the general rules.
struct Occasion: Sendable {
    private let name: String
    private let words: [String]
    private let texts: JSON

    /// The last one is that of a material whose words show none.
    private static let all = (Resource.json(PackageResources.occasions_json).array ?? []).map { entry in
        Occasion(
            name: entry["name"]?.string ?? "", words: entry["words"]?.array?.compactMap(\.string) ?? [],
            texts: entry["texts"] ?? [:])
    }

    /// The texts in other languages, by the names of the occasions.
    private static let translated: [Language: JSON] = [
        .german: Resource.json(PackageResources.occasions_de_json),
        .spanish: Resource.json(PackageResources.occasions_es_json),
        .french: Resource.json(PackageResources.occasions_fr_json),
    ]

    /// The occasion whose words a material has most often, in a language; those of titles count more. `nil` for a
    /// material of facts or with a question.
    static func of(_ material: Material, in language: Language) -> Occasion? {
        guard material.facts.isEmpty, material.question == nil else { return nil }
        let found = shown(by: material)
        guard language != .english else { return found }
        let texts = translated[language]
        let own = found.flatMap { texts?[$0.name] } ?? texts?["other"]
        return own.map { Occasion(name: found?.name ?? "", words: [], texts: $0) }
    }

    private static func shown(by material: Material) -> Occasion? {
        let titles = material.sections.filter { $0.isTitle && !$0.isEarlier }.map(\.text).joined(separator: "\n")
        let (title, text) = (titles.lowercased(), material.source.text.lowercased())
        let counts = all.map { occasion in
            occasion.words.reduce(0) {
                $0 + (title.containsBytes(of: $1) ? 3 : 0) + (text.containsBytes(of: $1) ? 1 : 0)
            }
        }
        guard let most = counts.max(), most >= 3, let place = counts.firstIndex(of: most) else { return all.last }
        return all[place]
    }

    /// What such an event has to do with what somebody holds, which the titles name or do not name, as the rest of a
    /// sentence that begins with it; `nil` for none.
    func clause(forHoldersOfIt isNamed: Bool) -> String? {
        texts["holders"]?[isNamed ? "own" : "near"]?.string
    }

    /// The text for a property, by the names that lead to it and its place in the list around it; `nil` for none.
    func text(at path: [String], index: Int) -> String? {
        guard let first = path.first, var value = texts[first] else { return nil }
        if let list = value.array {
            guard list.indices.contains(index) else { return nil }
            value = list[index]
        }
        for name in path.dropFirst() {
            guard let member = value[name] else { return nil }
            value = member
        }
        return value.string
    }
}
