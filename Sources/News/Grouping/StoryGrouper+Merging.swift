/// Which groups become one.
extension StoryGrouper {
    /// How many of a group's terms are looked up in others: what weighs less cannot make two groups one.
    private static let strongestTerms = 24

    /// Merges the cluster with those that it came close to, the closest first, until none is near enough.
    mutating func merges(around start: Int) -> [StoryChange] {
        var changes: [StoryChange] = []
        var home = start
        while let other = mergeable(with: home) {
            let (kept, lost) = (min(home, other), max(home, other))
            guard let moving = clusters[lost] else { break }
            clusters[lost] = nil
            index.release(moving.terms, from: lost)
            for article in moving.articles {
                clusterOf[article] = kept
                let fresh = clusters[kept]?.insert(article, vectors[article], dense: dense[article])
                index.hold(fresh ?? [], in: kept)
            }
            clusters[kept]?.absorb(lost, with: moving.absorbed)
            changes.append(.merged(name(of: lost), into: name(of: kept)))
            home = kept
        }
        return changes
    }

    private func mergeable(with home: Int) -> Int? {
        guard let cluster = clusters[home], cluster.evenLength > 0 else { return nil }
        var dots: [Int: Double] = [:]
        var largest: [Int: Double] = [:]
        for term in cluster.strongest(Self.strongestTerms) {
            let weight = cluster.evenWeight(of: term)
            for number in index.holders[term] where number != home {
                guard let other = clusters[number] else { continue }
                let part = weight * other.evenWeight(of: term)
                dots[number, default: 0] += part
                largest[number] = max(largest[number] ?? 0, part)
            }
        }
        var best: (cluster: Int, margin: Double)?
        for (number, dot) in dots {
            guard let other = clusters[number], other.evenLength > 0 else { continue }
            let isAlone = other.articles.count == 1 || cluster.articles.count == 1
            let shared = isAlone ? dot : dot - rules.soleTerm * (largest[number] ?? 0)
            let cosine = shared / (cluster.evenLength * other.evenLength)
            let margin = cosine - (isAlone ? rules.adopt : rules.merge)
            guard margin >= 0 else { continue }
            if let best, (best.margin, number) > (margin, best.cluster) { continue }
            best = (number, margin)
        }
        return best?.cluster
    }
}
