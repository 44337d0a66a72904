internal import Foundation
internal import JobQueue
internal import JSON
internal import Prompts

/// The step that looks for what an answer may rest on, once in the life of the job.
struct PassageStep: Sendable {
    /// What is looked at more closely, and what a model is given to read of it.
    private static let candidates = 60
    private static let articleCandidates = 12
    private static let most = 6
    private static let characters = 9000
    /// A question of so few words of its own goes with the one before it ("And why?").
    private static let fewWords = 2

    let repository: any PassageRepository
    let articles: any ArticleSearchRepository
    /// `nil` where nothing makes vectors: words alone decide then.
    let meaning: MeaningSearch?

    /// The passages nearest to a question, by its words and by its meaning; none when nothing is near enough.
    func search(
        _ question: String, after history: History, in context: JobContext
    ) async throws(AgentError) -> [CitedPassage] {
        let asked = Self.text(question, after: history)
        let query = PassageQuery(asked)
        let user = context.job.user.rawValue
        var vectors: QuestionVectors?
        // What is about nothing is near to nothing.
        if let meaning, !query.terms.isEmpty { vectors = try await meaning.vectors(of: asked, in: context) }
        // Vectors stand in a step before, so whoever reads the journal again needs nothing that makes them.
        let entry = try await context.journal.step("search", input: ["terms": JSON(query.terms)]) {
            [vectors] () async throws(AgentError) in
            do throws(StoreError) {
                var found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                found += try await articles.articles(holdingAnyOf: query.words, limit: Self.articleCandidates)
                    .map { Passage($0) }
                var lists = [query.nearest(of: found)]
                if let meaning, let vectors { lists.append(try await meaning.nearest(to: vectors, for: user)) }
                let chosen = Self.bounded(RankFusion.merge(lists))
                return (.array(chosen.enumerated().map { CitedPassage($1, number: $0 + 1).json }), [])
            } catch {
                throw AgentError(error)
            }
        }
        do {
            var passages: [CitedPassage] = []
            for field in try JSONField(entry.output).array() { passages.append(try CitedPassage(field)) }
            return passages
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled search cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }

    /// What is looked for: the question, with the one before it where it is short.
    private static func text(_ question: String, after history: History) -> String {
        guard PassageQuery(question).terms.count <= fewWords, let last = history.turns.last else { return question }
        return last.question + " " + question
    }

    private static func bounded(_ passages: [Passage]) -> [Passage] {
        var room = characters
        return Array(
            passages.prefix(most).prefix { passage in
                defer { room -= passage.text.count }
                return room > 0
            })
    }
}

/// A passage as an answer refers to it.
struct CitedPassage: Sendable, Hashable {
    /// `p1`, `p2`, …: what the model calls it.
    let id: String
    let kind: String
    /// The source among those of its kind.
    let source: String
    let title: String
    let url: String?
    let text: String

    init(_ passage: Passage, number: Int) {
        id = "p\(number)"
        kind = passage.kind.rawValue
        source = passage.source
        title = passage.title
        url = passage.url
        text = passage.text
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        id = try field["id"].string()
        kind = try field["kind"].string()
        source = try field["source"].string()
        title = try field["title"].string()
        url = try field["url"].optional?.string()
        text = try field["text"].string()
    }

    var json: JSON {
        [
            "id": JSON(id), "kind": JSON(kind), "source": JSON(source), "title": JSON(title), "url": JSON(url),
            "text": JSON(text),
        ]
    }

    var promptInput: JSON { ["id": JSON(id), "title": JSON(title), "text": JSON(text)] }

    /// As the app shows it below an answer.
    var citation: JSON {
        [
            "kind": JSON(kind), "id": JSON(source), "title": JSON(title), "url": JSON(url),
            "quote": JSON(Excerpt(of: text, limit: 280).text),
        ]
    }
}

/// The words of a question that tell what it is about, and how near passages are to it.
struct PassageQuery: Sendable {
    /// A passage answers when it holds words that make up more than this share of the question's weight.
    private static let enough = 0.5
    /// Passages this much less near than the nearest one are left out.
    private static let share = 0.6

    /// Stems, in order of the alphabet.
    let terms: [String]
    /// The words themselves, for an index that has stems of its own.
    let words: [String]

    init(_ question: String) {
        terms = ContentWords(question).stems.subtracting(Self.askingWords).sorted()
        let wanted = Set(terms)
        words = question.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { !wanted.isDisjoint(with: ContentWords($0).stems) }
    }

    /// The passages that are near enough, the nearest first.
    ///
    /// A word weighs the more the fewer of the passages hold it: one that none holds, such as the name of something that
    /// nothing is known of, weighs most, and keeps a question about it from being answered by what is near to the rest.
    func nearest(of passages: [Passage]) -> [Passage] {
        guard !terms.isEmpty else { return [] }
        let words = passages.map { Set($0.terms.split(separator: " ").map(String.init)) }
        let weights = Dictionary(
            uniqueKeysWithValues: terms.map { term -> (String, Double) in
                let holders = Double(words.count { $0.contains(term) })
                return (term, log(1 + (Double(words.count) + 1) / (holders + 0.5)))
            })
        let total = weights.values.reduce(0, +)
        let scored = zip(passages, words).map { passage, words -> (passage: Passage, cover: Double, rank: Double) in
            let title = ContentWords(passage.title).stems
            func weight(of terms: some Sequence<String>) -> Double { terms.reduce(0) { $0 + (weights[$1] ?? 0) } }
            let cover = weight(of: terms.filter(words.contains)) / total
            // What a passage is called says more of what it is about than a word within it.
            return (passage, cover, cover + 0.3 * weight(of: terms.filter(title.contains)) / total)
        }
        guard let best = scored.map(\.cover).max(), best > Self.enough else { return [] }
        return scored.filter { $0.cover > Self.enough * Self.share && $0.cover >= best * Self.share }
            .sorted { ($1.rank, $0.passage.naturalKey) < ($0.rank, $1.passage.naturalKey) }
            .map(\.passage)
    }

    /// Words by which people ask, whatever they ask about.
    private static let askingWords = ContentWords(
        """
        tell me i my mine we our ours us about mean meaning means meant differ difference differences different between work
        works working important importance example examples give simple simply term terms word words define defined
        definition understand know known need should shall could would may might must good bad better worse use used useful
        help learn if get got much many more most less least than there also make makes made so really actually please like
        think say says said concept idea question answer thing things something someone people person beginner basic basics
        investor investors investing invest matter matters then now just not no yes any some all ever never always often let
        look looking talk true false right wrong kind type sort too same s t m d ll re ve
        """
    ).stems
}

/// Makes one list of several, each of which has what fits best first (reciprocal rank fusion).
///
/// Places alone count, since what lists are sorted by cannot be compared. A single list stays as it is.
enum RankFusion {
    /// Keeps the first places from outweighing all others.
    private static let damping = 60.0

    static func merge(_ lists: [[Passage]]) -> [Passage] {
        var scores: [String: Double] = [:]
        var order: [Passage] = []
        for list in lists {
            for (place, passage) in list.enumerated() {
                if scores[passage.naturalKey] == nil { order.append(passage) }
                scores[passage.naturalKey, default: 0] += 1 / (damping + Double(place + 1))
            }
        }
        // Of equal scores the one that was met first; the sort keeps no order of its own.
        return order.enumerated()
            .sorted { one, other in
                let (first, second) = (scores[one.element.naturalKey] ?? 0, scores[other.element.naturalKey] ?? 0)
                return (second, one.offset) < (first, other.offset)
            }
            .map(\.element)
    }
}
