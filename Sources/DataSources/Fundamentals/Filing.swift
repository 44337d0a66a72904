/// The filing that a figure was taken from.
package struct Filing: Sendable, Hashable {
    /// `10-K`, `10-Q`, `20-F`, … with `/A` for an amendment.
    package let form: String
    /// `0000320193-25-000079`.
    package let accession: String
    package let filed: CalendarDate

    package init(form: String, accession: String, filed: CalendarDate) {
        self.form = form
        self.accession = accession
        self.filed = filed
    }

    /// The folder of the filing at the SEC.
    package func url(cik: CIK) -> String {
        "https://www.sec.gov/Archives/edgar/data/\(cik.number)/\(accession.filter { $0 != "-" })/"
    }
}

extension Filing {
    /// Whether the form reports whole fiscal years with audited statements.
    var isAnnualReport: Bool {
        form.hasPrefix("10-K") || form.hasPrefix("20-F") || form.hasPrefix("40-F")
    }

    /// Whether the form is a regular report of a year or a quarter, not a prospectus or a current report.
    var isPeriodicReport: Bool { isAnnualReport || form.hasPrefix("10-Q") }
}
