package import Basics
package import JSON

/// A filing as the SEC's list of a company's submissions has it.
package struct FilingEntry: Sendable, Hashable {
    package let accession: String
    /// `10-K`, `10-Q`, `8-K`, `DEF 14A`, …
    package let form: String
    package let filed: CalendarDate
    /// The end of the period; of a proxy statement the day of the meeting. Some have none.
    package let period: CalendarDate?
    /// The numbers of the items of an 8-K: `2.02,9.01`.
    package let items: String
    package let size: Int64
    /// The name of the main document; empty in old filings.
    package let document: String

    /// Where the main document is, below the host.
    package func path(of cik: CIK) -> String { Self.folder(cik, accession) + document }

    /// The folder of a filing, below the host.
    static func folder(_ cik: CIK, _ accession: String) -> String {
        "/Archives/edgar/data/\(cik.number)/\(accession.filter { $0 != "-" })/"
    }

    /// Whether a text has the form of an accession number: `0000320193-24-000123`.
    package static func isAccession(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [10, 2, 6]
            && parts.joined().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// The filings of a company that a report reads, chosen from the SEC's list.
package struct FilingIndex: Sendable, Hashable {
    /// An older page of the list.
    struct Page: Sendable, Hashable {
        var name: String
        var from: CalendarDate
        var to: CalendarDate
    }

    /// Newest first.
    private(set) var entries: [FilingEntry]
    let pages: [Page]

    /// Reads `submissions/CIK##########.json`, or one of the older pages, which has the arrays alone.
    package init(_ json: JSON) {
        entries = Self.rows(json["filings"]?["recent"] ?? json)
        pages = (json["filings"]?["files"]?.array ?? []).compactMap { page in
            guard let name = page["name"]?.string, let from = page["filingFrom"]?.string.flatMap({ CalendarDate($0) }),
                let to = page["filingTo"]?.string.flatMap({ CalendarDate($0) })
            else { return nil }
            return Page(name: name, from: from, to: to)
        }
    }

    /// Takes the rows of an older page in.
    package mutating func add(_ older: FilingIndex) {
        let known = Set(entries.map(\.accession))
        entries += older.entries.filter { !known.contains($0.accession) }
    }

    private static func rows(_ columns: JSON) -> [FilingEntry] {
        func column(_ name: String) -> [JSON] { columns[name]?.array ?? [] }
        let (accessions, forms, filed) = (column("accessionNumber"), column("form"), column("filingDate"))
        let (periods, items, sizes) = (column("reportDate"), column("items"), column("size"))
        let documents = column("primaryDocument")
        func at(_ column: [JSON], _ row: Int) -> JSON { column.indices.contains(row) ? column[row] : .null }
        return accessions.indices.compactMap { row in
            guard let accession = accessions[row].string, FilingEntry.isAccession(accession),
                let form = at(forms, row).string, let date = at(filed, row).string.flatMap({ CalendarDate($0) })
            else { return nil }
            return FilingEntry(
                accession: accession, form: form, filed: date,
                period: at(periods, row).string.flatMap { CalendarDate($0) }, items: at(items, row).string ?? "",
                size: at(sizes, row).integer ?? 0, document: at(documents, row).string ?? "")
        }
    }

    // MARK: - The choice

    /// The newest annual report that was filed by a day.
    package func annualReport(asOf day: CalendarDate) -> FilingEntry? { annualReports(asOf: day).first }

    /// The annual report of the year before another one.
    package func priorReport(to report: FilingEntry) -> FilingEntry? {
        annualReports(asOf: report.filed).first { ($0.period ?? $0.filed) < (report.period ?? report.filed) }
    }

    /// By their years, newest first. Amendments are not among them: most have the third part alone.
    private func annualReports(asOf day: CalendarDate) -> [FilingEntry] {
        filed(["10-K", "10-KT"], by: day).sorted {
            ($1.period ?? $1.filed, $1.filed) < ($0.period ?? $0.filed, $0.filed)
        }
    }

    /// The newest quarterly report on a period after that of an annual one.
    package func quarterlyReport(after report: FilingEntry, asOf day: CalendarDate) -> FilingEntry? {
        let end = report.period ?? report.filed
        return filed(["10-Q"], by: day).filter { $0.period.map { $0 > end } ?? false }
            .max { ($0.period ?? $0.filed, $0.filed) < ($1.period ?? $1.filed, $1.filed) }
    }

    /// Announcements that can be releases of results, newest first. Some announce deliveries or the like under the same
    /// item; their exhibits tell.
    package func resultsReleases(asOf day: CalendarDate) -> [FilingEntry] {
        filed(["8-K"], by: day).filter { $0.items.split(separator: ",").contains("2.02") }
            .sorted { ($1.filed, $1.accession) < ($0.filed, $0.accession) }
    }

    /// The newest proxy statement. Of several on one day the larger is the statement, the other a notice.
    package func proxyStatement(asOf day: CalendarDate) -> FilingEntry? {
        filed(["DEF 14A"], by: day).max { ($0.filed, $0.size) < ($1.filed, $1.size) }
    }

    private func filed(_ forms: Set<String>, by day: CalendarDate) -> [FilingEntry] {
        entries.filter { forms.contains($0.form) && $0.filed <= day && !$0.document.isEmpty }
    }
}
