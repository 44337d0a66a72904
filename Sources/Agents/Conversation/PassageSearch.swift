internal import Foundation
internal import JobQueue
internal import JSON
internal import Prompts

/// The step that searches for passages that an answer can rest on.
struct PassageStep: Sendable {
    /// The number of passages and articles that are compared with the question.
    private static let candidates = 60
    private static let articleCandidates = 12
    /// The number of passages that a model reads, and the number of their characters.
    private static let most = 6
    private static let characters = 9000
    /// A question with at most this many words of its own is searched for together with the one before it ("And why?").
    private static let fewWords = 2

    let repository: any PassageRepository
    let articles: any ArticleSearchRepository
    /// `nil` where nothing makes vectors: words alone decide then.
    let meaning: MeaningSearch?

    /// The passages nearest to a question, by its words and by its meaning; none when nothing is near enough.
    func search(
        _ question: String, after history: ConversationHistory, in context: JobContext
    ) async throws(AgentError) -> [CitedPassage] {
        let asked = Self.text(question, after: history)
        let query = PassageQuery(asked)
        let asksWhether = WhetherToInvest.isAsked(by: question)
        // Of such a question alone, the words say nothing: half of all passages speak of time, money and shares.
        let isOnItsOwn = asksWhether && history.turns.isEmpty
        let user = context.job.user
        var vectors: QuestionVectors?
        // A question without a word of its own has no meaning to compare.
        if let meaning, !query.terms.isEmpty { vectors = try await meaning.vectors(of: asked, in: context) }
        // The vectors are journalled in a step of their own, so that a replay of this one needs no model.
        var input: JSON = ["terms": JSON(query.terms)]
        if asksWhether { input["whether_to_invest"] = true }
        let entry = try await context.journal.step("search", input: input) { [vectors] in
            var lists: [[Passage]] = []
            if !isOnItsOwn {
                var found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                found += try await articles.articles(holdingAnyOf: query.words, limit: Self.articleCandidates)
                    .map { Passage($0) }
                lists.append(query.nearest(of: found))
            }
            if asksWhether {
                let query = WhetherToInvest.query
                let found = try await repository.passages(holding: query.terms, for: user, limit: Self.candidates)
                lists.append(query.nearest(of: found.filter { $0.kind == .document }))
            }
            if let meaning, let vectors { lists.append(try await meaning.nearest(to: vectors, for: user)) }
            let chosen = Self.bounded(RankFusion.merge(lists))
            return JSON.array(chosen.enumerated().map { CitedPassage($1, number: $0 + 1).json })
        }
        return try entry.decoded("search") { try $0.array().map { try CitedPassage($0) } }
    }

    /// The text to search for: the question, after the one before it where it is short.
    private static func text(_ question: String, after history: ConversationHistory) -> String {
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
    /// The name that the model uses: `p1`, `p2`, …
    let id: String
    let kind: String
    /// The id of the source, unique within its kind.
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

    /// The form in which apps show it below an answer.
    var citation: JSON {
        [
            "kind": JSON(kind), "id": JSON(source), "title": JSON(title), "url": JSON(url),
            "quote": JSON(Excerpt(of: text, limit: 280).text),
        ]
    }
}

/// The words of a question that name its subject, and the distance of passages from it.
struct PassageQuery: Sendable {
    /// A passage answers a question when the words that it holds make up more than this share of the question's weight.
    private static let enough = 0.5
    /// Passages with less than this share of the best passage's weight are left out.
    private static let share = 0.6

    /// Stems in alphabetical order.
    let terms: [String]
    /// The words themselves, for an index that has stems of its own.
    let words: [String]

    /// - Parameters:
    ///   - question: The text.
    ///   - keepsAll: Whether words count that occur in questions on any subject, as for the title of a page.
    init(_ question: String, keepsAll: Bool = false) {
        terms = ContentWords(question).stems.subtracting(keepsAll ? [] : Self.askingWords).sorted()
        let wanted = Set(terms)
        words = question.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { !wanted.isDisjoint(with: ContentWords($0).stems) }
    }

    /// The passages that are near enough, the nearest first.
    ///
    /// The fewer passages hold a word, the more it weighs. A word that none holds, such as an unknown name, weighs
    /// most: that keeps passages that are near to the rest of the question from answering it.
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
            // A word of a passage's title shows its subject better than a word within it.
            return (passage, cover, cover + 0.3 * weight(of: terms.filter(title.contains)) / total)
        }
        guard let best = scored.map(\.cover).max(), best > Self.enough else { return [] }
        return scored.filter { $0.cover > Self.enough * Self.share && $0.cover >= best * Self.share }
            .sorted { ($1.rank, $0.passage.naturalKey) < ($0.rank, $1.passage.naturalKey) }
            .map(\.passage)
    }

    /// Words that occur in questions on any subject, in the four languages of readers.
    static let askingWords = ContentWords(
        """
        tell me i my mine we our ours us about mean meaning means meant differ difference differences different between work
        works working important importance example examples give simple simply term terms word words define defined
        definition understand know known need should shall could would may might must good bad better worse use used useful
        help learn if get got much many more most less least than there also make makes made so really actually please like
        think say says said concept idea question answer thing things something someone people person beginner basic basics
        investor investors investing invest matter matters then now just not no yes any some all ever never always often let
        look looking talk true false right wrong kind type sort too same s t m d ll re ve
        ist sind ein eine einer eines einem einen der die das den dem des was wie warum wieso welche welcher welches wozu
        heißt bedeutet funktioniert lese liest lesen und oder mit im in beim für von zu erkläre erklären mir bitte man unter
        qué es son un una unos unas el la los las lo del de al por para cómo cuál cuáles significa funciona leer y
        o en explica explícame qu est ce que quoi sont le les du au aux d l une comment pourquoi quel quelle quels quelles
        signifie fonctionne lire et ou dans explique moi
        """
    ).stems
}

/// Merges several lists, each with its best passage first, into one (reciprocal rank fusion).
///
/// Only ranks count, since the scores of different lists cannot be compared. A single list stays as it is.
enum RankFusion {
    /// Keeps the first ranks from outweighing all others.
    private static let damping = 60.0

    static func merge(_ lists: [[Passage]]) -> [Passage] {
        var scores: [String: Double] = [:]
        var merged: [Passage] = []
        for list in lists {
            for (place, passage) in list.enumerated() {
                if scores[passage.naturalKey] == nil { merged.append(passage) }
                scores[passage.naturalKey, default: 0] += 1 / (damping + Double(place + 1))
            }
        }
        // Equal scores keep the order of the lists; the sort is not stable.
        return merged.enumerated()
            .sorted { one, other in
                let (first, second) = (scores[one.element.naturalKey] ?? 0, scores[other.element.naturalKey] ?? 0)
                return (second, one.offset) < (first, other.offset)
            }
            .map(\.element)
    }
}
