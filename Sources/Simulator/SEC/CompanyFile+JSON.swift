internal import JSON

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

    /// The body of `/submissions/CIK##########.json`, with the filings that the figures come from. What is not known
    /// of them is empty.
    var submissions: JSON {
        let recent = filings.sorted { $0.filed > $1.filed }
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
                    "filmNumber": column { _ in "" }, "items": column { _ in "" },
                    "core_type": column { _ in "XBRL" }, "size": column { _ in 0 }, "isXBRL": column { _ in 1 },
                    "isInlineXBRL": column { _ in 1 }, "primaryDocument": column { _ in "" },
                    "primaryDocDescription": column { JSON($0.form) },
                ],
                "files": [],
            ],
        ]
    }

    /// The end of the latest period that a filing reports on.
    private func reportDate(_ filing: Filing) -> String {
        concepts.lazy.flatMap(\.facts).filter { $0.filing.accession == filing.accession && $0.start != nil }
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
