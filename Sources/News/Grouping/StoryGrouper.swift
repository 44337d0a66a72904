/// Groups the articles of a day into stories, article by article.
///
/// An article gets its story when it arrives and keeps it, except that two stories may become one: then the one that
/// began earlier keeps its name and its articles, and the other's follow. Stories are never split. What comes later
/// changes nothing that was decided, so articles one by one and in batches end in the same groups as long as they arrive
/// in the same order; within a batch they are taken by time and id, whatever the order of the batch.
package struct StoryGrouper: Sendable {
    let rules: GroupingRules
    private let reader: TermReader
    var index = TermIndex()
    private var articles: [StoryArticle] = []
    var vectors: [TermVector] = []
    var dense: [DenseVector?] = []
    /// The cluster of each article.
    var clusterOf: [Int] = []
    /// By the number of their first article; `nil` for those that became part of another.
    var clusters: [StoryCluster?] = []
    private var known: [String: Int] = [:]

    package init(rules: GroupingRules = GroupingRules()) {
        self.rules = rules
        reader = TermReader(rules: rules)
    }

    /// Takes the articles in, by time and id; those whose id is known already change nothing.
    ///
    /// - Parameters:
    ///   - batch: the articles, in any order.
    ///   - embeddings: by the articles' ids, as far as there are any.
    /// - Returns: what became of each article, and the merges that followed.
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
