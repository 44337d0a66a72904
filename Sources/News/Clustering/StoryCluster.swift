/// Articles about the same event.
package struct Story: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var article: StoryArticle
        /// The similarity of the article to the whole story, 0 to 1; 1 for a single article.
        package var similarity: Double

        package init(article: StoryArticle, similarity: Double) {
            self.article = article
            self.similarity = similarity
        }
    }

    package var id: StoryID
    /// In the order of their arrival.
    package var members: [Member]
    /// The stories that became part of this one, in the order in which they did.
    package var absorbed: [StoryID]

    package init(id: StoryID, members: [Member], absorbed: [StoryID] = []) {
        self.id = id
        self.members = members
        self.absorbed = absorbed
    }
}

/// The name of a story: the id of the article that began it.
package struct StoryID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    package static func < (left: StoryID, right: StoryID) -> Bool { left.text < right.text }
}

/// A group while it grows: its articles and the sum of their vectors.
struct StoryCluster {
    private(set) var articles: [Int] = []
    private(set) var absorbed: [Int] = []
    private var sum: [Int: Double] = [:]
    private var squaredLength = 0.0
    /// The sum of the weights, which is the squared length of their roots.
    private var evenSquaredLength = 0.0
    private(set) var dense = DenseSum()
    private(set) var subjects = GroupSubjects()

    var terms: some Sequence<Int> { sum.keys }

    /// The length of the group's evened weights.
    var evenLength: Double { evenSquaredLength.squareRoot() }

    /// - Returns: the terms that are new to the group.
    mutating func insert(_ article: Int, _ vector: TermVector, dense: DenseVector?, _ reading: HeadlineReading) -> [Int]
    {
        articles.append(article)
        subjects.insert(reading)
        var fresh: [Int] = []
        for (term, weight) in zip(vector.terms, vector.weights) {
            let before = self.weight(of: term)
            if before == 0 { fresh.append(term) }
            squaredLength += weight * (2 * before + weight)
            evenSquaredLength += weight
            sum[term] = before + weight
        }
        if let dense { self.dense.add(dense) }
        return fresh
    }

    /// Absorbs another group, and the groups that it had absorbed.
    mutating func absorb(_ other: Int, with others: [Int]) { absorbed += [other] + others }

    /// The terms that weigh most, in an order that depends on nothing but the weights.
    ///
    /// A large group has thousands of terms and is compared with each article, so they are not sorted as a whole.
    func strongest(_ count: Int) -> [Int] {
        func isStronger(_ one: (term: Int, weight: Double), _ other: (term: Int, weight: Double)) -> Bool {
            (other.weight, one.term) < (one.weight, other.term)
        }
        var strongest: [(term: Int, weight: Double)] = []
        for (term, weight) in sum {
            if strongest.count == count {
                guard let last = strongest.last, isStronger((term, weight), last) else { continue }
                strongest.removeLast()
            }
            let place = strongest.firstIndex { isStronger((term, weight), $0) } ?? strongest.count
            strongest.insert((term, weight), at: place)
        }
        return strongest.map(\.term)
    }

    func weight(of term: Int) -> Double { sum[term] ?? 0 }

    /// The root of a term's weight.
    ///
    /// The words that a large group repeats in every title would outweigh its others; by their roots, the other words
    /// count when groups are compared.
    func evenWeight(of term: Int) -> Double { weight(of: term).squareRoot() }

    /// The cosine of an article and the group as a whole.
    func similarity(to vector: TermVector) -> Double { overlap(with: vector).cosine }

    /// What an article and a group share.
    struct Overlap {
        var cosine = 0.0
        /// The number of words.
        var words = 0
        /// The last of the words.
        var last: Int?
    }

    /// The cosine of an article and the group as a whole, and the words that they share; of all words, or of those that
    /// name something.
    func overlap(with vector: TermVector, counting: (Int) -> Bool = { _ in true }) -> Overlap {
        guard squaredLength > 0 else { return Overlap() }
        var (dot, overlap) = (0.0, Overlap())
        for (term, weight) in zip(vector.terms, vector.weights) where counting(term) {
            guard let inGroup = sum[term] else { continue }
            dot += weight * inGroup
            overlap.words += 1
            overlap.last = term
        }
        overlap.cosine = dot / squaredLength.squareRoot()
        return overlap
    }
}
