internal import JSON

/// The figures of a company in the SEC's form: a subset of what it reported, or invented ones (`InventedCompany`).
struct CompanyFile: Sendable {
    struct Filing: Sendable {
        var accession: String
        var form: String
        var filed: String
        var year: Int
        var period: String
    }

    struct Fact: Sendable {
        /// `nil` for a figure at a point in time.
        var start: String?
        var end: String
        /// As the SEC writes it.
        var value: String
        var filing: Filing
        var frame: String?
    }

    struct Concept: Sendable {
        var taxonomy: String
        var name: String
        var unit: String
        /// Empty where the SEC has none.
        var label: String
        var facts: [Fact]
    }

    var cik: Int
    var name: String
    var ticker: String
    var exchange: String
    var sic: String
    var sicDescription: String
    var filings: [Filing]
    var concepts: [Concept]

    /// The companies that the simulator knows.
    static let all = real + InventedCompany.all.compactMap(\.file)

    private static let real = [PackageResources.AAPL_tsv, PackageResources.SNOW_tsv].compactMap { bytes in
        CompanyFile(tsv: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the table that `Scripts/company-facts` writes; `nil` where it is malformed.
    ///
    /// The first column of a row names its kind: `company` (CIK, name, ticker, exchange, SIC code and its description),
    /// `filing` (accession number, form, filing date, fiscal year, fiscal period), `period` (start and end; the start
    /// is empty for a point in time) and `concept` (taxonomy, name, unit, label). Below a concept, each row is one of
    /// its facts: the number of a period, the value, the number of a filing and, where the SEC has one, the frame.
    /// Periods and filings count from 0.
    init?(tsv: String) {
        var periods: [(start: String?, end: String)] = []
        var company: [String]?
        filings = []
        concepts = []
        for line in tsv.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            switch (fields[0], fields.count) {
            case ("company", 7): company = fields
            case ("filing", 6):
                filings.append(
                    Filing(
                        accession: fields[1], form: fields[2], filed: fields[3], year: Int(fields[4]) ?? 0,
                        period: fields[5]))
            case ("period", 3): periods.append((fields[1].isEmpty ? nil : fields[1], fields[2]))
            case ("concept", 5):
                concepts.append(
                    Concept(taxonomy: fields[1], name: fields[2], unit: fields[3], label: fields[4], facts: []))
            case (let period, 3...4):
                guard let period = Int(period), periods.indices.contains(period), !concepts.isEmpty,
                    let filing = Int(fields[2]), filings.indices.contains(filing)
                else { return nil }
                concepts[concepts.count - 1].facts.append(
                    Fact(
                        start: periods[period].start, end: periods[period].end, value: fields[1],
                        filing: filings[filing], frame: fields.count > 3 ? fields[3] : nil))
            default: return nil
            }
        }
        guard let company, let cik = Int(company[1]) else { return nil }
        self.cik = cik
        (name, ticker, exchange) = (company[2], company[3], company[4])
        (sic, sicDescription) = (company[5], company[6])
    }
}

extension CompanyFile {
    var paddedCIK: String { String(repeating: "0", count: max(0, 10 - String(cik).count)) + String(cik) }

    /// The body of `/api/xbrl/companyfacts/CIK##########.json`. Descriptions of the concepts are left out.
    var companyFacts: JSON {
        var taxonomies = JSONObject()
        for concept in concepts {
            var entry =
                taxonomies[concept.taxonomy]?[concept.name] ?? [
                    "label": concept.label.isEmpty ? nil : JSON(concept.label), "description": nil,
                ]
            var units = entry["units"] ?? [:]
            units[concept.unit] = .array(concept.facts.map(\.json))
            entry["units"] = units
            var taxonomy = taxonomies[concept.taxonomy] ?? [:]
            taxonomy[concept.name] = entry
            taxonomies[concept.taxonomy] = taxonomy
        }
        return ["cik": JSON(cik), "entityName": JSON(name), "facts": .object(taxonomies)]
    }

    /// The body of `/submissions/CIK##########.json`, with the filings that the figures come from. Unknown members
    /// are empty.
    var submissions: JSON {
        let recent = listedFilings.sorted { $0.filed > $1.filed }
        func column(_ value: (Filing) -> JSON) -> JSON { .array(recent.map(value)) }
        let lastYear = filings.filter { $0.form == "10-K" }.max { $0.filed < $1.filed }
        let yearEnd = lastYear.map(reportDate)?.replacing("-", with: "").suffix(4) ?? ""
        return [
            "cik": JSON(paddedCIK), "entityType": "operating", "sic": JSON(sic),
            "sicDescription": JSON(sicDescription), "name": JSON(name), "tickers": [JSON(ticker)],
            "exchanges": [JSON(exchange)], "description": "", "website": "", "investorWebsite": "",
            "fiscalYearEnd": JSON(String(yearEnd)), "formerNames": [],
            "filings": [
                "recent": [
                    "accessionNumber": column { JSON($0.accession) }, "filingDate": column { JSON($0.filed) },
                    "reportDate": column { JSON(reportDate($0)) }, "acceptanceDateTime": column { _ in "" },
                    "act": column { _ in "34" }, "form": column { JSON($0.form) }, "fileNumber": column { _ in "" },
                    "filmNumber": column { _ in "" }, "items": column { $0.form == "8-K" ? "2.02,9.01" : "" },
                    "core_type": column { _ in "XBRL" }, "size": column { _ in 0 }, "isXBRL": column { _ in 1 },
                    "isInlineXBRL": column { _ in 1 }, "primaryDocument": column { JSON(document(of: $0)) },
                    "primaryDocDescription": column { JSON($0.form) },
                ],
                "files": [],
            ],
        ]
    }

    /// The end of the latest period that a filing reports on.
    func reportDate(_ filing: Filing) -> String {
        // An announcement and a proxy statement have no figures.
        if ["8-K", "DEF 14A"].contains(filing.form) { return filing.filed }
        return concepts.lazy.flatMap(\.facts).filter { $0.filing.accession == filing.accession && $0.start != nil }
            .map(\.end).max() ?? ""
    }

    /// The body of `/files/company_tickers.json`.
    static func tickers(of companies: [CompanyFile]) -> JSON {
        .object(
            JSONObject(
                companies.enumerated().map { place, company in
                    (
                        String(place),
                        ["cik_str": JSON(company.cik), "ticker": JSON(company.ticker), "title": JSON(company.name)]
                    )
                }))
    }
}

extension CompanyFile.Fact {
    var json: JSON {
        var fields = JSONObject()
        if let start { fields["start"] = JSON(start) }
        fields["end"] = JSON(end)
        fields["val"] = JSONNumber(literal: value).map(JSON.number) ?? .null
        fields["accn"] = JSON(filing.accession)
        fields["fy"] = JSON(filing.year)
        fields["fp"] = JSON(filing.period)
        fields["form"] = JSON(filing.form)
        fields["filed"] = JSON(filing.filed)
        if let frame { fields["frame"] = JSON(frame) }
        return .object(fields)
    }
}
