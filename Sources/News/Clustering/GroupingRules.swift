/// The numbers that decide which articles make a story. `docs/stories.md` says how they were found.
package struct GroupingRules: Sendable, Hashable {
    /// The weight of a journalistic word (`report`, `shares`) relative to an ordinary one.
    package var generic = 0.5
    /// The weight of a number.
    package var number = 0.3
    /// The extra weight of a title's first word over one `leadWords` later; those between in proportion.
    package var lead = 0.6
    /// The number of words in a title after which words gain no weight by their place.
    package var leadWords = 8
    /// The weight of a word of the description relative to one of the title.
    package var description = 0.4
    /// The weight that a word loses for each further group with it when an article arrives.
    package var spread = 0.1
    /// The share of the group as a whole in a score; the rest is the mean of its closest articles.
    package var centroid = 0.4
    /// The number of a group's articles that count as its closest.
    package var closest = 4
    /// The factor for a score when an article of several words shares only one with the group: one word is no story.
    package var oneWord = 0.75
    /// The same when that word names nothing: a company's name elsewhere (`Gap in pay`, `Gap of nine points`), or, between
    /// news of a company and a text that names none, a word that the day's headlines write small (`CrowdStrike crash
    /// grounds flights`, `Crash on M25`).
    package var onePlainWord = 0.3
    /// The lowest score with which an article joins a group.
    package var join = 0.165
    /// The lowest cosine at which a single article joins another one or a group that grew.
    package var adopt = 0.24
    /// The lowest cosine at which two groups of several articles merge.
    package var merge = 0.16
    /// The part of the largest common term that is ignored when two groups are compared: one word is no story.
    package var soleTerm = 0.5
    /// What a score gains when article and group are about the same event of one company.
    package var sameEvent = 0.18
    /// What it gains when they are about an event that happens once on a day.
    package var oneEvent = 0.2
    /// The number of companies of a day from which on a word is wording: it names none of them.
    package var wordingFrom = 6
    /// The share of embeddings in a score, where both sides have one.
    package var dense = 0.5

    package init() {}
}

/// Cosines of embeddings, brought to the scale of cosines of words.
///
/// Models of embeddings put unrelated headlines at about a half and headlines of one story above 0.8; words put them at
/// 0 and above 0.17. These two points are assumptions, since nothing here was measured with embeddings.
enum DenseScale {
    private static let unrelated = 0.55
    private static let same = 0.85
    private static let sameInWords = 0.3

    static func lexical(_ cosine: Double) -> Double {
        min(1, max(0, (cosine - unrelated) / (same - unrelated) * sameInWords))
    }
}

/// A vector of unit length.
package struct DenseVector: Sendable, Hashable {
    let values: [Float]

    /// `nil` for a vector without length or with parts that are no numbers.
    package init?(_ values: [Float]) {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { return nil }
        self.values = values.map { $0 / length }
    }

    /// The cosine of the angle between two vectors; `nil` for vectors of different dimensions.
    package func cosine(_ other: DenseVector) -> Double? {
        guard values.count == other.values.count else { return nil }
        return Double(Self.dot(values, other.values))
    }

    /// The inner product of as many parts.
    static func dot(_ left: [Float], _ right: [Float]) -> Float {
        var dot: Float = 0
        for place in left.indices { dot += left[place] * right[place] }
        return dot
    }
}

/// The sum of the vectors of a group; the first decides the dimension, and others are left out.
struct DenseSum {
    private var values: [Float] = []
    private var count: Float = 0

    mutating func add(_ vector: DenseVector) {
        if values.isEmpty { values = Array(repeating: 0, count: vector.values.count) }
        guard values.count == vector.values.count else { return }
        count += 1
        for place in values.indices { values[place] += vector.values[place] }
    }

    /// The mean of the cosines with the group's vectors; `nil` where one side has no vector or another dimension.
    ///
    /// The cosine with the sum would grow with the group, since the parts common to all texts add up in it.
    func cosine(_ vector: DenseVector) -> Double? {
        guard count > 0, values.count == vector.values.count else { return nil }
        return Double(DenseVector.dot(values, vector.values) / count)
    }
}

/// Weighted terms of unit length, by the terms' numbers.
struct TermVector {
    var terms: [Int] = []
    var weights: [Double] = []

    init(_ entries: [(term: Int, weight: Double)]) {
        let length = entries.reduce(0) { $0 + $1.weight * $1.weight }.squareRoot()
        guard length > 0 else { return }
        terms = entries.map(\.term)
        weights = entries.map { $0.weight / length }
    }
}

/// The numbers of terms, the articles and the clusters that contain each.
struct TermIndex {
    private var numbers: [String: Int] = [:]
    private(set) var postings: [[(article: Int, weight: Double)]] = []
    /// The clusters with each term.
    private(set) var holders: [Set<Int>] = []
    /// Whether each term can name a subject.
    private var isSpecific: [Bool] = []
    /// The companies in whose headlines each term is, as far as it matters.
    private var companies: [Set<TickerSymbol>] = []
    /// How much more often headlines of the day write each term as a plain word than as a name.
    private var plainness: [Int] = []
    private var ordinary: Set<Int> = []
    private var countries: Set<Int> = []
    private var generic: Set<Int> = []

    /// The vector of an article that arrives. A term weighs less the more clusters hold it by then.
    mutating func vector(_ terms: [Term], spread loss: Double) -> TermVector {
        TermVector(
            terms.map { term in
                let number = number(of: term.text)
                switch term.letterCase {
                case .plain: plainness[number] += 1
                case .name: plainness[number] -= 1
                case .unknown: break
                }
                return (number, term.weight / (1 + Double(max(holders[number].count - 1, 0)) * loss))
            })
    }

    private mutating func number(of term: String) -> Int {
        if let number = numbers[term] { return number }
        let number = postings.count
        numbers[term] = number
        postings.append([])
        holders.append([])
        isSpecific.append(Wording.isSpecific(term))
        companies.append([])
        plainness.append(0)
        if KnownTopics.countryTerms.contains(term) { countries.insert(number) }
        if term.hasSuffix(Term.ordinary) { ordinary.insert(number) }
        if CommonWords.generic.contains(term) || term.utf8.count == 1 { generic.insert(number) }
        return number
    }

    /// The numbers of those terms that are known.
    func numbers(of terms: [String]) -> [Int] { terms.compactMap { numbers[$0] } }

    /// Whether a term is journalistic, or a single character.
    func isGeneric(_ term: Int) -> Bool { generic.contains(term) }

    /// Whether a term is a plain word that is a company's name elsewhere.
    func isOrdinary(_ term: Int) -> Bool { ordinary.contains(term) }

    /// Whether a term is a country.
    func isCountry(_ term: Int) -> Bool { countries.contains(term) }

    /// Whether the day's headlines write a term as a plain word.
    func isPlain(_ term: Int) -> Bool { plainness[term] > 0 }

    /// Whether a term names something: it is no wording by the list, nor by the number of companies that it is said of.
    func names(_ term: Int, wordingFrom limit: Int) -> Bool { isSpecific[term] && companies[term].count < limit }

    /// Notes that a headline about these companies has the terms.
    mutating func note(_ companies: Set<TickerSymbol>, with terms: [Int]) {
        for term in terms where isSpecific[term] && self.companies[term].count < 8 {
            self.companies[term].formUnion(companies)
        }
    }

    mutating func hold(_ terms: some Sequence<Int>, in cluster: Int) {
        for term in terms { holders[term].insert(cluster) }
    }

    mutating func release(_ terms: some Sequence<Int>, from cluster: Int) {
        for term in terms { holders[term].remove(cluster) }
    }

    mutating func insert(_ vector: TermVector, of article: Int) {
        for (term, weight) in zip(vector.terms, vector.weights) { postings[term].append((article, weight)) }
    }
}
