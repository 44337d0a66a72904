internal import Basics
internal import Filings
internal import JSON
internal import Prompts

/// A passage of a filing as a prompt gives it, under a short name that an answer can repeat.
struct GivenPassage: Sendable, Hashable {
    /// `p1`, `p2`, …
    let name: String
    /// The id of the first paragraph.
    let id: String
    let item: String
    let text: String
    /// The year of the report.
    let year: String
    /// Whether it is from the newest annual report, which is what a sentence without a year is about.
    let isCurrent: Bool
    /// Where the text is at the SEC.
    let url: String
    /// Whether reports on the company by every persona are given it.
    var isShared = false
    /// How a risk changed, for a paragraph that did.
    var change: String?

    var promptJSON: JSON {
        var body: JSON = ["id": JSON(name), "item": JSON(item), "year": JSON(year), "text": JSON(text)]
        body["change"] = change.map { JSON($0) }
        return body
    }
}

/// Holds what an answer claims against the passages that it names: by code, so that a reader can rely on a quote.
struct ClaimRules: Sendable {
    /// The member of the answer.
    static let path = "claims"
    /// Words of a quote.
    private static let fewestWords = 5
    private static let mostWords = 40
    /// Claims of one answer.
    private static let most = 20
    /// Characters of a claim.
    private static let longestText = 400

    private let passages: [String: GivenPassage]
    private let names: [String]
    private let language: Language

    /// - Parameters:
    ///   - passages: What the answer may cite.
    ///   - names: The names of the company, which every claim may use.
    ///   - language: The language of the answer, by which its figures, meanings and reservations are read. Filings are in
    ///     English.
    init(_ passages: [GivenPassage], names: [String] = [], language: Language = .english) {
        self.names = names
        self.passages = Dictionary(passages.map { ($0.name, $0) }) { first, _ in first }
        self.language = language
    }

    /// The faults of each claim, with their places.
    func failures(in answer: JSON) -> [CheckFailure] {
        guard !passages.isEmpty else { return [] }
        return (answer[Self.path]?.array ?? []).enumerated().flatMap { index, claim in
            let faults: [Fault] =
                index < Self.most
                ? failures(in: claim)
                : [("claims-few", "text", "is one of too many; make at most \(Self.most) claims, the weightiest")]
            return faults.map { check, field, message in
                CheckFailure(check: check, path: "\(Self.path)[\(index)].\(field)", message: message)
            }
        }
    }

    private typealias Fault = (check: String, field: String, message: String)

    private func failures(in claim: JSON) -> [Fault] {
        let names = (claim["passages"]?.array ?? []).compactMap(\.string)
        let (text, quote) = (claim["text"]?.string ?? "", claim["quote"]?.string ?? "")
        guard !names.isEmpty else {
            return [("claims-cited", "passages", "names no passage; leave the claim out or name the passages")]
        }
        let unknown = names.filter { passages[$0] == nil }
        guard unknown.isEmpty else {
            return [("passages-in-input", "passages", "names passages that were not given; use ids such as p1")]
        }
        let cited = names.compactMap { passages[$0] }
        if cited.contains(where: { MachineOrders.are(in: $0.text) }) {
            return [
                (
                    "passage-for-readers", "passages",
                    "rests on a passage that gives orders to programs; leave the claim out"
                )
            ]
        }
        guard text.contains(where: \.isLetter) else {
            return [("claim-said", "text", "says nothing; leave the claim out")]
        }
        if text.count > Self.longestText {
            return [("claim-short", "text", "has more than \(Self.longestText) characters; say it in one sentence")]
        }
        if let fault = PlainTextRule.fault(in: text, sources: cited.map(\.text), hasLines: false) {
            return [("claim-plain", "text", fault)]
        }
        let home = PassageText.home(of: quote, among: cited)
        return quoteFaults(quote, home?.passage) + textFaults(text, quote, home?.place, cited)
    }

    /// Whether a text is a quote of a passage: words of it in one piece, as many as a quote has, and no heading.
    static func isQuote(_ quote: String, of passage: String) -> Bool {
        (fewestWords...mostWords).contains(length(of: quote))
            && PassageText.place(of: quote, in: passage) != nil && !PassageText.isHeading(passage)
    }

    /// The words and numbers of a quote.
    private static func length(of quote: String) -> Int { quote.split { !$0.isLetter && !$0.isNumber }.count }

    private func quoteFaults(_ quote: String, _ home: GivenPassage?) -> [Fault] {
        let words = Self.length(of: quote)
        guard (Self.fewestWords...Self.mostWords).contains(words) else {
            return [
                (
                    "quote-in-passage", "quote",
                    "has \(words) words; copy \(Self.fewestWords) to \(Self.mostWords) words of a passage"
                )
            ]
        }
        guard let home else {
            return [
                (
                    "quote-in-passage", "quote",
                    "does not stand in a passage that the claim names; copy it letter by letter, without leaving words out"
                )
            ]
        }
        if PassageText.isHeading(home.text) {
            return [("quote-in-passage", "quote", "is of a heading, which proves nothing; quote a sentence")]
        }
        return []
    }

    private func textFaults(
        _ text: String, _ quote: String, _ place: PassageText.Place?, _ cited: [GivenPassage]
    ) -> [Fault] {
        var faults: [Fault] = []
        if ClaimFigures(cited, language: language).hasStrange(in: text) {
            faults.append(
                ("figures-in-passage", "text", "has figures that the passages it names do not have; take them out"))
        }
        for passage in cited where !passage.isCurrent {
            if !text.contains(passage.year) {
                faults.append(("year-named", "text", "rests on a report on \(passage.year) and does not say so"))
            }
        }
        if faults.isEmpty, language == .english, let home = place?.text, !Self.isAbout(text, quote, home) {
            faults.append(
                ("claim-of-quote", "text", "shares no word with its quote; say what the quote says, or quote another"))
        }
        if ClaimReservations.areLost(from: quote, at: place, in: text, language) {
            faults.append(
                ("negation-kept", "text", "drops a not, may or could of its quote; say it with the same reservation"))
        }
        if faults.isEmpty, let place, let fault = disagreement(of: text, with: place, cited) { faults.append(fault) }
        return faults
    }

    /// What a claim says otherwise than the sentence of its quote, in whatever language it is.
    private func disagreement(of text: String, with place: PassageText.Place, _ cited: [GivenPassage]) -> Fault? {
        let quoted = QuotedClaim(
            sentence: String(place.sentences), passages: cited.map(\.text), years: cited.map(\.year), names: names)
        return switch quoted.disagreement(with: text, language) {
        case .opposite: ("claim-of-quote", "text", "says the opposite of its quote; say what the quote says")
        case .denial:
            ("negation-kept", "text", "has a not that its quote does not have; state what the quote states")
        case .date(let date):
            ("dates-in-passage", "text", "names \(date), which the passages it names do not have; take it out")
        case .name(let name):
            ("names-in-passage", "text", "names \(name), which the passages it names do not have; take it out")
        case .otherMatter:
            ("claim-of-quote", "text", "speaks of nothing that its quote speaks of; say what the quote says")
        case nil: nil
        }
    }

    /// Whether a claim speaks of what its quote speaks of: it shares a word with the quote, or two with the passage. Words
    /// count by their beginnings, and those that any claim may have do not.
    private static func isAbout(_ text: String, _ quote: String, _ passage: String) -> Bool {
        func beginnings(_ text: String) -> Set<String> {
            Set(
                PassageText.words(text).filter { $0.count >= 4 && !wordsOfAnyClaim.contains($0) }
                    .map { String($0.prefix(5)) })
        }
        let said = beginnings(text)
        return !said.isDisjoint(with: beginnings(quote)) || said.intersection(beginnings(passage)).count >= 2
            || said.isEmpty
    }

    private static let wordsOfAnyClaim: Set<String> = [
        "company", "companies", "company's", "business", "that", "this", "these", "those", "with", "from", "their",
        "they", "them", "have", "been", "will", "would", "could", "which", "what", "when", "where", "says", "said",
        "year", "years", "report", "reports", "reported", "annual", "management", "also", "more", "most", "other",
        "some",
        "such", "than", "into", "over", "about", "many", "very", "does", "were", "there", "because", "while", "both",
    ]
}
