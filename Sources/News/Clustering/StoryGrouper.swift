/// Groups the articles of a day into stories, article by article.
///
/// An article gets its story when it arrives and keeps it, except that two stories may merge: then the one that began
/// earlier keeps its name and its articles, and the other's follow. Stories are never split. Later articles change
/// no earlier decision, so articles one by one and in batches end in the same groups as long as they arrive in the
/// same order; within a batch they are taken by time and id, in any order of the batch.
package struct StoryGrouper: Sendable {
    let rules: GroupingRules
    private let reader: TermReader
    private let recognizer: TickerRecognizer
    var index = TermIndex()
    private var articles: [StoryArticle] = []
    var vectors: [TermVector] = []
    var dense: [DenseVector?] = []
    var readings: [HeadlineReading] = []
    /// The cluster of each article.
    var clusterOf: [Int] = []
    /// By the number of their first article; `nil` for absorbed ones.
    var clusters: [StoryCluster?] = []
    private var known: [String: Int] = [:]
    /// The articles about each subject.
    var bySubject: [HeadlineReading.Subject: [Int]] = [:]
    /// The terms of each company's names in the headlines until now.
    private var namesOf: [HeadlineReading.Subject: Set<Int>] = [:]

    package init(rules: GroupingRules = GroupingRules(), recognizer: TickerRecognizer = TickerRecognizer()) {
        self.rules = rules
        self.recognizer = recognizer
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
        let reading = HeadlineReading(article, recognizer: recognizer)
        let vector = index.vector(reader.terms(of: article, ordinary: reading.ordinary), spread: rules.spread)
        for company in reading.companies {
            let subject = HeadlineReading.subject(of: company)
            namesOf[subject, default: []].formUnion(index.numbers(of: reader.terms(ofName: company.words)))
        }
        for actor in reading.subjects {
            switch actor {
            case .centralBank(let key), .institution(let key):
                namesOf[actor, default: []].formUnion(index.numbers(of: [key]))
            case .company, .market, .country: break
            }
        }
        let best = bestCluster(for: vector, embedding, reading)
        let home = best ?? number
        known[article.id] = number
        articles.append(article)
        vectors.append(vector)
        dense.append(embedding)
        readings.append(reading)
        for subject in reading.subjects { bySubject[subject, default: []].append(number) }
        index.note(Set(reading.companies.map(\.ticker)), with: vector.terms)
        clusterOf.append(home)
        clusters.append(best == nil ? StoryCluster() : nil)
        let fresh = clusters[home]?.insert(number, vector, dense: embedding, reading)
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
    func bestCluster(for vector: TermVector, _ embedding: DenseVector?, _ reading: HeadlineReading) -> Int? {
        var cosines: [Int: (all: Double, named: Double)] = [:]
        for (term, weight) in zip(vector.terms, vector.weights) {
            let isName = names(term)
            for posting in index.postings[term] {
                let part = weight * posting.weight
                cosines[posting.article, default: (0, 0)].all += part
                if isName { cosines[posting.article, default: (0, 0)].named += part }
            }
        }
        var near: [Int: [(all: Double, named: Double)]] = [:]
        for (article, cosine) in cosines { near[clusterOf[article], default: []].append(cosine) }
        // `GM lifts its outlook` and `General Motors raises its guidance` have a subject and an event, but no word, in
        // common.
        for subject in reading.subjects where !reading.events.isEmpty && subject.kind != .market {
            for article in bySubject[subject] ?? [] where near[clusterOf[article]] == nil {
                near[clusterOf[article]] = []
            }
        }
        if embedding != nil {
            for number in clusters.indices where clusters[number] != nil && near[number] == nil { near[number] = [] }
        }
        let own = GroupReading(reading)
        lazy var areSeveral = haveSeveralEvents(own.companies)
        var best: (cluster: Int, score: Double)?
        for (number, cosines) in near {
            guard let cluster = clusters[number] else { continue }
            let score = score(cluster, vector, cosines, embedding, between: own, and: cluster.subjects.reading) {
                areSeveral
            }
            guard score >= rules.join else { continue }
            if let best, (best.score, number) > (score, best.cluster) { continue }
            best = (number, score)
        }
        return best?.cluster
    }

    /// Whether a term names something, as far as the day's articles until now tell.
    func names(_ term: Int) -> Bool { index.names(term, wordingFrom: rules.wordingFrom) }

    private func score(
        _ cluster: StoryCluster, _ vector: TermVector, _ cosines: [(all: Double, named: Double)],
        _ embedding: DenseVector?, between own: GroupReading, and other: GroupReading, areSeveral: () -> Bool
    ) -> Double {
        let soleWord = { factor(ofSoleWord: $0, between: own, and: other) }
        let lexical: Double
        switch SubjectRelation(own, other) {
        case .barred: return 0
        case .apart: lexical = lexicalScore(cluster, vector, cosines.map(\.named), soleWord, counting: names)
        case .gated where !cosines.contains { $0.named > 0 }: return 0
        case .related where cluster.overlap(with: vector, counting: names).words < 2: return 0
        case .named where !shareMore(cluster, vector, own) && areSeveral(): return 0
        case .oneOfSeveral where !shareMore(cluster, vector, own): return 0
        case .sameKind where !shareMore(cluster, vector, own): return 0
        case .open, .gated, .named, .oneOfSeveral, .related:
            lexical = lexicalScore(cluster, vector, cosines.map(\.all), soleWord)
        case .sameEvent, .sameKind:
            lexical = lexicalScore(cluster, vector, cosines.map(\.all), soleWord) + rules.sameEvent
        case .oneEvent: lexical = lexicalScore(cluster, vector, cosines.map(\.all), soleWord) + rules.oneEvent
        }
        guard let embedding, let cosine = cluster.dense.cosine(embedding) else { return lexical }
        return (1 - rules.dense) * lexical + rules.dense * DenseScale.lexical(cosine)
    }

    private func lexicalScore(
        _ cluster: StoryCluster, _ vector: TermVector, _ cosines: [Double], _ soleWord: (Int) -> Double,
        counting: (Int) -> Bool = { _ in true }
    ) -> Double {
        guard !cosines.isEmpty else { return 0 }
        let overlap = cluster.overlap(with: vector, counting: counting)
        let closest = cosines.sorted(by: >).prefix(rules.closest)
        let pairs = closest.reduce(0, +) / Double(min(rules.closest, cluster.articles.count))
        let score = rules.centroid * overlap.cosine + (1 - rules.centroid) * pairs
        guard overlap.words == 1, vector.terms.count > 1, let term = overlap.last else { return score }
        return soleWord(term) * score
    }

    /// Whether the day has stories of several events of a company.
    private func haveSeveralEvents(_ companies: Set<HeadlineReading.Subject>) -> Bool {
        companies.contains { company in
            var first: Int?
            for article in bySubject[company] ?? [] where clusterOf[article] != first {
                let number = clusterOf[article]
                guard clusters[number]?.subjects.reading.events.contains(where: { !$0.isEconomic }) == true else {
                    continue
                }
                if first != nil { return true }
                first = number
            }
            return false
        }
    }

    /// Whether an article shares a word with a group that is not its company's name, or two words that name something.
    private func shareMore(_ cluster: StoryCluster, _ vector: TermVector, _ own: GroupReading) -> Bool {
        cluster.overlap(with: vector) { tells($0, beside: own.actors) }.words > 0
            || cluster.overlap(with: vector, counting: names).words > 1
    }

    /// Whether a word tells something beside the names of these actors.
    private func tells(_ term: Int, beside actors: Set<HeadlineReading.Subject>) -> Bool {
        !index.isGeneric(term) && !actors.contains { namesOf[$0]?.contains(term) ?? false }
    }

    /// The factor for a score that rests on one word in common.
    private func factor(ofSoleWord term: Int, between one: GroupReading, and other: GroupReading) -> Double {
        isNoName(term, between: one, and: other) ? rules.onePlainWord : rules.oneWord
    }

    /// Whether a word is a plain one: a company's name elsewhere, or what news of a company shares with a text that names
    /// none.
    private func isNoName(_ term: Int, between one: GroupReading, and other: GroupReading) -> Bool {
        index.isOrdinary(term)
            || one.has(.company) != other.has(.company) && (index.isPlain(term) || index.isCountry(term))
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
                let fresh = clusters[kept]?.insert(
                    article, vectors[article], dense: dense[article], readings[article])
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
        let own = cluster.subjects.reading
        var neighbours: [Int: Neighbour] = [:]
        for term in cluster.strongest(Self.strongestTerms) {
            let weight = cluster.evenWeight(of: term)
            let isName = names(term)
            for number in index.holders[term] where number != home {
                guard let other = clusters[number] else { continue }
                var neighbour = neighbours[number] ?? Neighbour(own, other.subjects.reading)
                defer { neighbours[number] = neighbour }
                switch neighbour.relation {
                case .barred: continue
                case .apart where !isName: continue
                case .apart, .gated, .related, .named, .oneOfSeveral, .open, .sameEvent, .sameKind, .oneEvent: break
                }
                neighbour.share(
                    weight * other.evenWeight(of: term), isName: isName, tells: tells(term, beside: own.actors),
                    isPlain: isNoName(term, between: own, and: neighbour.reading))
            }
        }
        lazy var areSeveral = haveSeveralEvents(own.companies)
        var best: (cluster: Int, margin: Double)?
        for (number, neighbour) in neighbours where neighbour.words > 0 {
            guard let other = clusters[number], other.evenLength > 0 else { continue }
            if neighbour.names < neighbour.relation.leastNames { continue }
            if [.oneOfSeveral, .sameKind].contains(neighbour.relation), neighbour.isAlikeInNameOnly { continue }
            if neighbour.relation == .named, neighbour.isAlikeInNameOnly, areSeveral { continue }
            let isAlone = other.articles.count == 1 || cluster.articles.count == 1
            var shared = isAlone ? neighbour.dot : neighbour.dot - rules.soleTerm * neighbour.largest
            if neighbour.words == 1, neighbour.plainWords == 1 { shared *= rules.onePlainWord }
            let cosine = shared / (cluster.evenLength * other.evenLength)
            let margin = cosine - (isAlone ? rules.adopt : rules.merge)
            guard margin >= 0 else { continue }
            if let best, (best.margin, number) > (margin, best.cluster) { continue }
            best = (number, margin)
        }
        return best?.cluster
    }
}

/// What a group shares with one that grew.
private struct Neighbour {
    let reading: GroupReading
    let relation: SubjectRelation
    private(set) var words = 0
    private(set) var plainWords = 0
    private(set) var names = 0
    /// The words beside the company's name.
    private(set) var telling = 0
    private(set) var dot = 0.0
    /// The largest part of it.
    private(set) var largest = 0.0

    /// Whether nothing but the company's name is shared.
    var isAlikeInNameOnly: Bool { telling == 0 && names < 2 }

    init(_ own: GroupReading, _ reading: GroupReading) {
        self.reading = reading
        relation = SubjectRelation(own, reading)
    }

    mutating func share(_ part: Double, isName: Bool, tells: Bool, isPlain: Bool) {
        words += 1
        if tells { telling += 1 }
        if isName { names += 1 }
        if isPlain { plainWords += 1 }
        dot += part
        largest = max(largest, part)
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
