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

/// The numbers of terms, the articles in which each stands and the clusters that hold it.
struct TermIndex {
    private var numbers: [String: Int] = [:]
    private(set) var postings: [[(article: Int, weight: Double)]] = []
    /// The clusters in which each term stands.
    private(set) var holders: [Set<Int>] = []

    /// A term weighs less the more clusters hold it when the article arrives.
    mutating func vector(_ terms: [Term], spread loss: Double) -> TermVector {
        TermVector(
            terms.map { term in
                let number = number(of: term.text)
                return (number, term.weight / (1 + Double(max(holders[number].count - 1, 0)) * loss))
            })
    }

    private mutating func number(of term: String) -> Int {
        if let number = numbers[term] { return number }
        let number = postings.count
        numbers[term] = number
        postings.append([])
        holders.append([])
        return number
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
