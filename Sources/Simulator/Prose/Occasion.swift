internal import Basics
internal import JSON

/// A kind of event that news are about, with texts that fit it: a recall, a quarterly report, a decision on rates.
///
/// The texts are named like the properties of an answer. Properties with other names are written by the general rules.
struct Occasion: Sendable {
    private let words: [String]
    private let texts: JSON

    private static let all = (Resource.json(PackageResources.occasions_json).array ?? []).map { entry in
        Occasion(words: entry["words"]?.array?.compactMap(\.string) ?? [], texts: entry["texts"] ?? [:])
    }

    /// The occasion whose words a material has most often; those of titles count more. `nil` for none.
    static func of(_ material: Material) -> Occasion? {
        guard material.facts.isEmpty, material.question == nil else { return nil }
        let titles = material.sections.filter { $0.isTitle && !$0.isEarlier }.map(\.text).joined(separator: "\n")
        let (title, text) = (titles.lowercased(), material.source.text.lowercased())
        let counts = all.map { occasion in
            occasion.words.reduce(0) {
                $0 + (title.containsBytes(of: $1) ? 3 : 0) + (text.containsBytes(of: $1) ? 1 : 0)
            }
        }
        guard let most = counts.max(), most >= 3, let place = counts.firstIndex(of: most) else { return nil }
        return all[place]
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
