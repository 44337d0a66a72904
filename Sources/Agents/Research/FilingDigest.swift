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

    /// The passages that a persona's questions are about. Of the annual report, those of the readings whose findings
    /// share most words with a question, and those that share words with it themselves.
    func passages(for questions: [ReadingQuestion], readings: [FilingReading] = []) -> [GivenPassage] {
        guard let annual else { return [] }
        let known = readings.isEmpty ? [:] : Self.passages(of: annual)
        var searches: [[String]: (read: FilingSearch, words: FilingSearch)] = [:]
        var found: [(passage: FilingSearch.Passage, text: FilingText, item: String?)] = []
        func add(_ passages: [FilingSearch.Passage], of text: FilingText, item: String? = nil) {
            for passage in passages where !found.contains(where: { $0.passage.id == passage.id }) {
                found.append((passage, text, item))
            }
        }
        for question in questions {
            let asked = ([question.question] + question.terms).joined(separator: " ")
            for (name, text) in [("release", release), ("proxy", proxy)] where question.items.contains(name) {
                guard let text else { continue }
                let passages = FilingSearch(text.filing).passages(for: asked, tokens: Self.tokensOfOthers)
                add(passages, of: text, item: Self.otherItems[name])
            }
            // What changed lately is also in the discussion of the quarter.
            if question.items.contains("release"), let quarterly {
                let search = FilingSearch(quarterly.filing, items: [Self.quarterlyDiscussion])
                add(
                    search.passages(for: asked, tokens: Self.tokensOfOthers), of: quarterly,
                    item: Self.quarterlyDiscussion)
            }
            let items = question.items.filter { Self.otherItems[$0] == nil }
            guard !items.isEmpty else { continue }
            let search =
                searches[items]
                ?? (Self.search(readings, items, known), FilingSearch(annual.filing, items: items))
            searches[items] = search
            let read = search.read.passages(for: asked, tokens: Self.tokensOfReading)
            let tokens = read.isEmpty ? Self.tokensOfWords : Self.tokensBesideReading
            add(read + search.words.passages(for: asked, tokens: tokens), of: annual)
        }
        let items = Dictionary(
            annual.filing.sections.flatMap { section in section.paragraphs.map { ($0.id, section.item) } }
        ) { first, _ in first }
        let changed = risks.passages
        for change in changed { add([change.passage], of: change.text, item: change.item) }
        let changes = Dictionary(changed.map { ($0.passage.id, $0.change) }) { first, _ in first }
        return found.enumerated().map { place, found in
            let (entry, item) = (found.text.entry, found.item ?? items[found.passage.id] ?? "")
            // Other documents than reports on a period are of the day on which they were filed.
            let day = entry.form.hasPrefix("10-") ? entry.period ?? entry.filed : entry.filed
            return GivenPassage(
                name: "p\(place + 1)", id: found.passage.id, item: item, text: found.passage.text,
                year: String(day.description.prefix(4)), isCurrent: found.item == nil,
                url: found.text.url(ofItem: item), change: changes[found.passage.id])
        }
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

    private static func passages(of text: FilingText) -> [String: FilingSearch.Passage] {
        let all = FilingSearch(text.filing, items: FilingReadings.items).all
        return Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }

    /// A search in the passages that findings are about, by the words of the findings.
    private static func search(
        _ readings: [FilingReading], _ items: [String], _ known: [String: FilingSearch.Passage]
    ) -> FilingSearch {
        let findings = readings.filter { items.contains($0.item) }.flatMap(\.findings)
        return FilingSearch(
            findings.compactMap { finding in
                known[finding.passage].map { ($0, "\(finding.theme) \(finding.says) \(finding.quote)") }
            })
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
