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

/// The numbers of terms and the articles in which each stands.
struct TermIndex {
    private var numbers: [String: Int] = [:]
    private(set) var postings: [[(article: Int, weight: Double)]] = []
    /// In how many clusters each term stands.
    private var spread: [Int] = []

    /// A term weighs less the more clusters it stands in when the article arrives.
    mutating func vector(_ terms: [Term], spread loss: Double) -> TermVector {
        TermVector(
            terms.map { term in
                let number = number(of: term.text)
                return (number, term.weight / (1 + Double(max(spread[number] - 1, 0)) * loss))
            })
    }

    private mutating func number(of term: String) -> Int {
        if let number = numbers[term] { return number }
        let number = postings.count
        numbers[term] = number
        postings.append([])
        spread.append(0)
        return number
    }

    mutating func count(_ terms: some Sequence<Int>, by step: Int) {
        for term in terms { spread[term] += step }
    }

    mutating func insert(_ vector: TermVector, of article: Int) {
        for (term, weight) in zip(vector.terms, vector.weights) { postings[term].append((article, weight)) }
    }
}
