internal import Basics
internal import DataSources
internal import Filings
internal import JSON
internal import Prompts

/// What a report shows of a company's filings, each sentence as it stands there.
struct FilingDigest: Sendable {
    private static let mostBusiness = 3

    let json: JSON
    /// Whether every filing could be read.
    let isWhole: Bool
    /// Whether the company has an annual report.
    private let isListed: Bool
    private let annual: FilingText?
    private let quarterly: FilingText?
    private let release: FilingText?
    private let proxy: FilingText?
    private let risks: FilingRisks

    /// - Parameters:
    ///   - reports: The filings.
    ///   - texts: The text of each, in their order; `nil` where the time was over.
    init(_ reports: FiledReports, _ texts: [Result<FilingText, DataSourceError>?]) {
        isListed = reports.entries.contains { $0.role == "annual_report" }
        var read: [JSON] = []
        var byRole: [String: FilingText] = [:]
        for (report, text) in zip(reports.entries, texts) {
            var problem: String?
            switch text {
            case .success(let text)?: byRole[report.role] = text
            case .failure(let error)?: problem = error.description
            case nil: problem = "it was not read in time"
            }
            let found = byRole[report.role]
            let items = (found?.filing.sections ?? []).map { section -> JSON in
                ["item": JSON(section.item), "status": JSON(section.status.rawValue)]
            }
            read.append([
                "accession_number": JSON(report.entry.accession), "form": JSON(report.entry.form),
                "role": JSON(report.role), "filed": JSON(report.entry.filed.description),
                "period": JSON(report.entry.period?.description),
                "url": JSON(found?.url ?? "https://www.sec.gov" + report.entry.path(of: reports.company.cik)),
                "items": .array(items), "problem": JSON(problem),
            ])
        }
        isWhole = byRole.count == reports.entries.count
        annual = byRole["annual_report"]
        (release, proxy) = (byRole[FiledReports.release], byRole["proxy_statement"])
        quarterly = byRole["quarterly_report"]
        risks = FilingRisks(annual: annual, prior: byRole["prior_annual_report"], quarterly: quarterly)
        json = [
            "filings_read": .array(read), "business": .array(annual.map(Self.business) ?? []),
            "risk_changes": risks.changes ?? .null, "risk_updates": risks.updates ?? .null,
            "segments": annual.flatMap(Self.segments) ?? .null,
        ]
    }

    /// The members for a company whose filings could not be listed.
    static let nothing: JSON = [
        "filings_read": [], "business": [], "risk_changes": .null, "risk_updates": .null, "segments": .null,
    ]

    /// Tokens of the passages for one question: those of a reading and those that words find beside it, else those that
    /// words find alone. With 700 of these, the questions of a persona found 8 of 25 answers of real filings, with 1500
    /// 13 and with 2500 17 of them.
    private static let tokensOfReading = 700
    private static let tokensBesideReading = 500
    private static let tokensOfWords = 2500
    /// Tokens for a question about a release or a proxy statement.
    private static let tokensOfOthers = 400

    /// The names by which a question asks the last release of results and the proxy statement.
    private static let otherItems = ["release": "EX-99.1", "proxy": "DEF 14A"]
    private static let quarterlyDiscussion = "I-2"

    /// The passages for each persona of a bundle: what its questions are about, after what at least half of the personas
    /// are given. These come first for every persona, so that a provider's cache serves the next report on the company.
    func passages(
        for personas: [String: [ReadingQuestion]], readings: [FilingReading] = []
    ) -> [String: [GivenPassage]] {
        guard let annual else { return [:] }
        var searches = Searches(annual, readings)
        let found = personas.mapValues { self.found(for: $0, in: annual, &searches) }
        let asking = personas.filter { !$0.value.isEmpty }.keys.sorted()
        var votes: [String: Int] = [:]
        for id in asking { for found in found[id] ?? [] { votes[found.passage.id, default: 0] += 1 } }
        var shared: [Found] = []
        for id in asking {
            for found in found[id] ?? []
            where votes.removeValue(forKey: found.passage.id).map({ $0 * 2 >= asking.count }) == true {
                shared.append(found)
            }
        }
        let items = Dictionary(
            annual.filing.sections.flatMap { section in section.paragraphs.map { ($0.id, section.item) } }
        ) { first, _ in first }
        let changes = Dictionary(risks.passages.map { ($0.passage.id, $0.change) }) { first, _ in first }
        let common = Set(shared.map(\.passage.id))
        return found.mapValues { own in
            (shared + own.filter { !common.contains($0.passage.id) }).enumerated().map { place, found in
                let (entry, item) = (found.text.entry, found.item ?? items[found.passage.id] ?? "")
                // Other documents than reports on a period are of the day on which they were filed.
                let day = entry.form.hasPrefix("10-") ? entry.period ?? entry.filed : entry.filed
                return GivenPassage(
                    name: "p\(place + 1)", id: found.passage.id, item: item, text: found.passage.text,
                    year: String(day.description.prefix(4)), isCurrent: found.item == nil,
                    url: found.text.url(ofItem: item), isShared: place < shared.count,
                    change: changes[found.passage.id])
            }
        }
    }

    private typealias Found = (passage: FilingSearch.Passage, text: FilingText, item: String?)

    /// What the questions of one persona are about. Of the annual report, the passages of the readings whose findings
    /// share most words with a question, and those that share words with it themselves.
    private func found(
        for questions: [ReadingQuestion], in annual: FilingText, _ searches: inout Searches
    ) -> [Found] {
        var found: [Found] = []
        var known: Set<String> = []
        func add(_ passages: [FilingSearch.Passage], of text: FilingText, item: String? = nil) {
            for passage in passages where known.insert(passage.id).inserted { found.append((passage, text, item)) }
        }
        for question in questions {
            let asked = ([question.question] + question.terms).joined(separator: " ")
            for (name, text) in [("release", release), ("proxy", proxy)] where question.items.contains(name) {
                guard let text else { continue }
                let passages = searches.of(text).passages(for: asked, tokens: Self.tokensOfOthers)
                add(passages, of: text, item: Self.otherItems[name])
            }
            // What changed lately is also in the discussion of the quarter.
            if question.items.contains("release"), let quarterly {
                let search = searches.of(quarterly, items: [Self.quarterlyDiscussion])
                add(
                    search.passages(for: asked, tokens: Self.tokensOfOthers), of: quarterly,
                    item: Self.quarterlyDiscussion)
            }
            let items = question.items.filter { Self.otherItems[$0] == nil }
            guard !items.isEmpty else { continue }
            let read = searches.ofReadings(items).passages(for: asked, tokens: Self.tokensOfReading)
            let tokens = read.isEmpty ? Self.tokensOfWords : Self.tokensBesideReading
            add(read + searches.of(annual, items: items).passages(for: asked, tokens: tokens), of: annual)
        }
        for change in risks.passages { add([change.passage], of: change.text, item: change.item) }
        return found
    }

    /// What could not be read of the annual report, in sentences for readers.
    var gaps: [String] {
        guard let annual else {
            return isListed ? ["The annual report could not be read; what is said rests on the figures alone."] : []
        }
        let titles = [("1", "on the business"), ("1A", "on risks"), ("7", "with management's discussion")]
        return titles.compactMap { item, title in
            let reason: String? =
                switch annual.filing[item]?.status {
                case .found: nil
                case .byReference: "it only points to another document, which was not read"
                case .omitted: "the company says that it does not apply"
                case .uncertain: "where it begins or ends is in doubt"
                case .missing, nil: "the report has no heading of it"
                }
            return reason.map { "Item \(item) of the annual report, \(title), was not read: \($0)." }
        }
    }

    /// The members of a report that come from filings by code alone.
    static let members = ["filings_read", "business", "risk_changes", "risk_updates", "segments"]

    /// The segments with the filing that they are from.
    private static func segments(_ text: FilingText) -> JSON? {
        guard var table = text.segments?.json else { return nil }
        table["accession_number"] = JSON(text.entry.accession)
        table["url"] = JSON(text.url)
        return table
    }

    /// The first paragraphs of prose about the business.
    private static func business(_ text: FilingText) -> [JSON] {
        guard let section = text.filing["1"], section.status == .found else { return [] }
        return section.paragraphs.filter { !$0.isRow && (150...2000).contains($0.text.utf8.count) }
            .filter { !$0.text.lowercased().contains("forward-looking") }
            .prefix(mostBusiness).map { FilingRisks.passage($0, item: "1", in: text) }
    }
}

/// Searches in a company's filings, each indexed once for all questions.
private struct Searches {
    private let readings: [FilingReading]
    private let annual: FilingText
    private var known: [String: FilingSearch.Passage]?
    private var byText: [String: FilingSearch] = [:]
    private var byItems: [[String]: FilingSearch] = [:]

    init(_ annual: FilingText, _ readings: [FilingReading]) { (self.annual, self.readings) = (annual, readings) }

    /// A search in a whole text, or in some of its items.
    mutating func of(_ text: FilingText, items: [String]? = nil) -> FilingSearch {
        let key = "\(text.entry.accession) \(items?.joined(separator: " ") ?? "")"
        if let search = byText[key] { return search }
        let search = items.map { FilingSearch(text.filing, items: $0) } ?? FilingSearch(text.filing)
        byText[key] = search
        return search
    }

    /// A search in the passages that findings are about, by the words of the findings.
    mutating func ofReadings(_ items: [String]) -> FilingSearch {
        if let search = byItems[items] { return search }
        let passages = readings.isEmpty ? [:] : known ?? Self.passages(of: annual)
        known = passages
        let findings = readings.filter { items.contains($0.item) }.flatMap(\.findings)
        let search = FilingSearch(
            findings.compactMap { finding in
                passages[finding.passage].map { ($0, "\(finding.theme) \(finding.says) \(finding.quote)") }
            })
        byItems[items] = search
        return search
    }

    private static func passages(of text: FilingText) -> [String: FilingSearch.Passage] {
        let all = FilingSearch(text.filing, items: FilingReadings.items).all
        return Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }
}
