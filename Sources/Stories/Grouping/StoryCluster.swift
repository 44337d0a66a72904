/// A group while it grows: its articles and the sum of their vectors.
struct StoryCluster {
    var articles: [Int] = []
    var absorbed: [Int] = []
    private var sum: [Int: Double] = [:]
    private var squaredLength = 0.0
    private(set) var dense = DenseSum()

    var terms: some Sequence<Int> { sum.keys }

    var length: Double { squaredLength.squareRoot() }

    /// - Returns: the terms that are new to the group.
    mutating func insert(_ article: Int, _ vector: TermVector, dense: DenseVector?) -> [Int] {
        articles.append(article)
        var fresh: [Int] = []
        for (term, weight) in zip(vector.terms, vector.weights) {
            let before = self.weight(of: term)
            if before == 0 { fresh.append(term) }
            squaredLength += weight * (2 * before + weight)
            sum[term] = before + weight
        }
        if let dense { self.dense.add(dense) }
        return fresh
    }

    /// The terms that weigh most, in an order that depends on nothing but the weights.
    func strongest(_ count: Int) -> [(term: Int, weight: Double)] {
        let entries = sum.map { (term: $0.key, weight: $0.value) }
        return Array(entries.sorted { ($1.weight, $0.term) < ($0.weight, $1.term) }.prefix(count))
    }

    func weight(of term: Int) -> Double { sum[term] ?? 0 }

    /// The cosine of an article and the group as a whole.
    func similarity(to vector: TermVector) -> Double {
        guard squaredLength > 0 else { return 0 }
        let dot = zip(vector.terms, vector.weights).reduce(0) { $0 + $1.1 * weight(of: $1.0) }
        return dot / length
    }
}
