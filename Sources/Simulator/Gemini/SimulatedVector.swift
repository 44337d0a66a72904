internal import Basics
internal import News

/// Vectors in which texts with a meaning in common are close, and all others as far apart as real models put them.
///
/// Each word that carries meaning goes to a place and a sign of its own; all texts have the first place in common. For
/// grouping, what a headline is about and what happened count as much as all of its words, as in the vectors of a real
/// model: two headlines of one event have few words in common, and by words alone the vectors kept them apart.
struct SimulatedVector {
    let size: Int
    private var values: [Double]

    static func values(of text: String, size: Int, forGrouping: Bool) -> [Double] {
        var vector = SimulatedVector(size: size, values: [Double](repeating: 0, count: size))
        let words = Words.allStems(of: text)
        if forGrouping {
            vector.add(Array(Set(words)).sorted())
            let headline = String(text.prefix { !$0.isNewline })
            let reading = HeadlineReading(title: headline)
            let subjects = reading.subjects.map { "\($0)" }.sorted()
            let events = reading.events.map(\.rawValue).sorted()
            vector.add(subjects)
            vector.add(subjects.flatMap { subject in events.map { subject + " " + $0 } })
        } else {
            for word in words { vector.add(word, 1) }
        }
        return vector.scaled
    }

    /// Adds features that weigh 1 together.
    private mutating func add(_ features: [String]) {
        for feature in features { add(feature, 1 / Double(features.count).squareRoot()) }
    }

    private mutating func add(_ feature: String, _ weight: Double) {
        let digest = Array(SHA256.hex(Array(feature.utf8)).utf8)
        let place = digest.prefix(12).reduce(0) { ($0 * 31 + Int($1)) % max(size - 1, 1) }
        values[min(place + 1, size - 1)] += (digest.last ?? 0) % 2 == 0 ? weight : -weight
    }

    private var scaled: [Double] {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, size > 1 else { return [1] + values.dropFirst() }
        var scaled = values.map { $0 / length * 0.45.squareRoot() }
        scaled[0] = 0.55.squareRoot()
        return scaled
    }
}
