/// Which group an article joins.
extension StoryGrouper {
    /// The cluster that the article belongs to, if there is one; of equals the one that began first.
    func bestCluster(for vector: TermVector, _ embedding: DenseVector?) -> Int? {
        var cosines: [Int: Double] = [:]
        for (term, weight) in zip(vector.terms, vector.weights) {
            for posting in index.postings[term] { cosines[posting.article, default: 0] += weight * posting.weight }
        }
        var near: [Int: [Double]] = [:]
        for (article, cosine) in cosines { near[clusterOf[article], default: []].append(cosine) }
        if embedding != nil {
            for number in clusters.indices where clusters[number] != nil && near[number] == nil { near[number] = [] }
        }
        var best: (cluster: Int, score: Double)?
        for (number, cosines) in near {
            guard let cluster = clusters[number] else { continue }
            let score = score(cluster, vector, cosines, embedding)
            guard score >= rules.join else { continue }
            if let best, (best.score, number) > (score, best.cluster) { continue }
            best = (number, score)
        }
        return best?.cluster
    }

    private func score(
        _ cluster: StoryCluster, _ vector: TermVector, _ cosines: [Double], _ embedding: DenseVector?
    ) -> Double {
        let lexical = lexicalScore(cluster, vector, cosines)
        guard let embedding, let cosine = cluster.dense.cosine(embedding) else { return lexical }
        return (1 - rules.dense) * lexical + rules.dense * DenseScale.lexical(cosine)
    }

    private func lexicalScore(_ cluster: StoryCluster, _ vector: TermVector, _ cosines: [Double]) -> Double {
        guard !cosines.isEmpty else { return 0 }
        let overlap = cluster.overlap(with: vector)
        let closest = cosines.sorted(by: >).prefix(rules.closest)
        let pairs = closest.reduce(0, +) / Double(min(rules.closest, cluster.articles.count))
        let score = rules.centroid * overlap.cosine + (1 - rules.centroid) * pairs
        return overlap.words == 1 && vector.terms.count > 1 ? rules.oneWord * score : score
    }
}
