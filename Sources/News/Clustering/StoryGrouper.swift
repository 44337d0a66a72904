/// Groups the articles of a day into stories, article by article.
///
/// An article gets its story when it arrives and keeps it, except that two stories may merge: then the one that began
/// earlier keeps its name and its articles, and the other's follow. Stories are never split. Later articles change
/// no earlier decision, so articles one by one and in batches end in the same groups as long as they arrive in the
/// same order; within a batch they are taken by time and id, in any order of the batch.
package struct StoryGrouper: Sendable {
    let rules: GroupingRules
    private let reader: TermReader
    var index = TermIndex()
    private var articles: [StoryArticle] = []
    var vectors: [TermVector] = []
    var dense: [DenseVector?] = []
    /// The cluster of each article.
    var clusterOf: [Int] = []
    /// By the number of their first article; `nil` for absorbed ones.
    var clusters: [StoryCluster?] = []
    private var known: [String: Int] = [:]

    package init(rules: GroupingRules = GroupingRules()) {
        self.rules = rules
        reader = TermReader(rules: rules)
    }

    /// Adds articles, by time and id; articles with a known id change nothing.
    ///
    /// - Parameters:
    ///   - batch: the articles, in any order.
    ///   - embeddings: by the articles' ids, as far as there are any.
    /// - Returns: the story of each article, and the merges that followed.
    @discardableResult
    package mutating func add(_ batch: [StoryArticle], embeddings: [String: DenseVector] = [:]) -> [StoryChange] {
        var changes: [StoryChange] = []
        for article in batch.sorted(by: { ($0.publishedAt, $0.id) < ($1.publishedAt, $1.id) }) {
            changes += add(article, embedding: embeddings[article.id])
        }
        return changes
    }

    /// The story of an article; `nil` for one that was never added.
    package func story(of articleID: String) -> StoryID? { known[articleID].map { name(of: clusterOf[$0]) } }

    /// The stories, in the order in which they began.
    package var stories: [Story] {
        clusters.indices.compactMap { number in
            clusters[number].map { cluster in
                Story(
                    id: name(of: number),
                    members: cluster.articles.map {
                        Story.Member(
                            article: articles[$0],
                            similarity: cluster.articles.count == 1
                                ? 1 : min(1, max(0, cluster.similarity(to: vectors[$0]))))
                    },
                    absorbed: cluster.absorbed.map(name(of:)))
            }
        }
    }

    func name(of cluster: Int) -> StoryID { StoryID(articles[cluster].id) }

    // MARK: - One article

    private mutating func add(_ article: StoryArticle, embedding: DenseVector?) -> [StoryChange] {
        guard known[article.id] == nil else { return [] }
        let number = articles.count
        let vector = index.vector(reader.terms(of: article), spread: rules.spread)
        let best = bestCluster(for: vector, embedding)
        let home = best ?? number
        known[article.id] = number
        articles.append(article)
        vectors.append(vector)
        dense.append(embedding)
        clusterOf.append(home)
        clusters.append(best == nil ? StoryCluster() : nil)
        let fresh = clusters[home]?.insert(number, vector, dense: embedding)
        index.hold(fresh ?? [], in: home)
        index.insert(vector, of: number)
        let change: StoryChange =
            best == nil ? .began(name(of: home), article: article.id) : .joined(name(of: home), article: article.id)
        return [change] + merges(around: home)
    }
}

/// The group that an article joins.
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

/// The groups that merge.
extension StoryGrouper {
    /// The number of a group's terms that are looked up in other groups: lighter terms cannot merge two groups.
    private static let strongestTerms = 24

    /// Merges the cluster with its neighbours, the closest first, until none is near enough.
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

/// The effect of an article on the stories of its day.
package enum StoryChange: Sendable, Hashable {
    /// The article began a story.
    case began(StoryID, article: String)
    case joined(StoryID, article: String)
    /// The earlier story absorbed the later one and keeps its name.
    case merged(StoryID, into: StoryID)
}
