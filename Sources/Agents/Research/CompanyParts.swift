internal import DataSources
internal import JSON
internal import JobQueue
internal import Synchronization

/// The parts of reports that are the same for every job on a company, whatever its persona and price: computed once.
final class CompanyParts: Sendable {
    let company: CompanyFundamentals
    /// Without a price.
    let history: CompanyHistory
    /// The lines that every report has.
    let sheet: FactSheet
    /// The ids of the figures of filings among them.
    let filed: Set<String>
    /// The lines as a prompt lists them.
    let promptFacts: JSON
    /// The figures as a result lists them.
    let facts: JSON
    /// The filings as a result lists them, newest first.
    let sources: JSON
    /// The company as the journal keeps it, the beginning of each job's first step.
    let journalled: SharedMembers

    init(_ company: CompanyFundamentals) {
        self.company = company
        history = CompanyHistory(company.fundamentals, price: nil)
        sheet = FactSheet(company.fundamentals, history: history)
        filed = Set(sheet.figures.map(\.id))
        promptFacts = .array(sheet.shared.map(\.promptJSON))
        facts = .array(
            sheet.figures.map { figure in
                var body = figure.json
                body["label"] = JSON(figure.concept.title)
                body["url"] = JSON(company.url(of: figure))
                return body
            })
        sources = Self.sources(of: sheet, company.company)
        journalled = SharedMembers(["company": company.json])
    }

    private static func sources(of sheet: FactSheet, _ company: Company) -> JSON {
        var seen: Set<String> = []
        let filings = sheet.figures.map(\.filing)
            .filter { seen.insert($0.accession).inserted }
            .sorted { $0.filed > $1.filed }
        return .array(
            filings.map { filing in
                [
                    "form": JSON(filing.form), "accession_number": JSON(filing.accession),
                    "filed": JSON("\(filing.filed)"), "url": JSON(filing.url(cik: company.cik)),
                ]
            })
    }
}

/// The parts of the companies that jobs asked for last.
final class CompanyPartsCache: Sendable {
    /// The most companies; the parts of one take about a megabyte.
    private static let most = 16

    /// The latest use last.
    private let known = Mutex<[CompanyParts]>([])

    /// The parts of a company with these very figures: those of an earlier filing are another's.
    func parts(of company: CompanyFundamentals) -> CompanyParts {
        let found = known.withLock { known -> CompanyParts? in
            guard let place = known.lastIndex(where: { $0.company == company }) else { return nil }
            let parts = known.remove(at: place)
            known.append(parts)
            return parts
        }
        if let found { return found }
        let parts = CompanyParts(company)
        known.withLock { known in
            if known.count >= Self.most { known.removeFirst() }
            known.append(parts)
        }
        return parts
    }
}
