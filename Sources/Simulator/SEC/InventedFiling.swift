internal import HTTPServer
internal import JSON

/// The documents of a company's filings: invented texts in the form of real ones, which say that they are invented.
struct InventedFiling: Sendable {
    let company: CompanyFile
    let filing: CompanyFile.Filing
    let period: String

    private static let notice =
        "This document was invented for a simulation. It is no filing of any company, and nothing in it is true."

    /// Answers an address below `/Archives/edgar/data/`; `nil` where nothing is.
    static func answer(_ path: String, companies: [CompanyFile]) -> Answer? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 6, parts[0] == "Archives", let cik = Int(parts[3]),
            let company = companies.first(where: { $0.cik == cik }),
            let filing = company.listedFilings.first(where: { $0.accession.filter { $0 != "-" } == parts[4] })
        else { return nil }
        let invented = InventedFiling(company: company, filing: filing, period: company.reportDate(filing))
        let text: String
        switch parts[5] {
        case filing.accession + "-index.html": text = invented.page
        case company.document(of: filing): text = invented.document
        case "release.htm" where filing.form == "8-K": text = invented.release
        default: return nil
        }
        return Answer(text: text, type: "text/html")
    }

    private var year: Int { Int(period.prefix(4)) ?? filing.year }

    // MARK: - Documents

    private var document: String {
        switch filing.form {
        case "10-K":
            Self.html(
                title: "Annual report", body: report(annualItems), hidden: segments?.contexts ?? "")
        case "10-Q": Self.html(title: "Quarterly report", body: report(quarterlyItems))
        case "8-K":
            Self.html(title: "Announcement", body: "<p>Item 2.02 Results of Operations. See Exhibit 99.1.</p>")
        default:
            Self.html(
                title: "Proxy statement",
                body: """
                    <p>The board of \(company.name) asks its shareholders to vote at the annual meeting.</p>
                    <p>Two thirds of what executives may earn depend on the return on capital over three years.</p>
                    """)
        }
    }

    private var release: String {
        Self.html(
            title: "Release",
            body: """
                <p>\(company.name) today announced financial results for its fourth quarter of \(year).</p>
                <p>\(revenueSentence)</p>
                <p>Earnings per share of the quarter rose compared with the year before, because prices rose and because
                the company had bought back shares.</p>
                """)
    }

    /// The page of a filing with the table of its documents.
    private var page: String {
        let folder = "/Archives/edgar/data/\(company.cik)/\(filing.accession.filter { $0 != "-" })/"
        var documents = [(filing.form, company.document(of: filing))]
        if filing.form == "8-K" { documents.append(("EX-99.1", "release.htm")) }
        let rows = documents.enumerated().map { place, document in
            "<tr><td>\(place + 1)</td><td>\(document.0)</td>"
                + "<td><a href=\"/ix?doc=\(folder)\(document.1)\">\(document.1)</a> iXBRL</td>"
                + "<td>\(document.0)</td><td>1000</td></tr>"
        }.joined()
        return Self.html(
            title: "Filing Detail",
            body: """
                <table class="tableFile" summary="Document Format Files">
                <tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>\(rows)</table>
                """)
    }

    private static func html(title: String, body: String, hidden: String = "") -> String {
        """
        <!DOCTYPE html><html><head><title>\(title) (simulated)</title></head><body>
        <div style="display:none"><ix:header><ix:hidden>Text that no reader sees.</ix:hidden>\(hidden)</ix:header></div>
        <p>\(title)</p><p>\(notice)</p>
        \(body)
        </body></html>
        """
    }

    /// A table of contents, and each item with its heading and paragraphs; every page has a foot.
    private func report(_ items: [(number: String, title: String, paragraphs: [String])]) -> String {
        let contents = items.map { item in
            "<tr><td><a href=\"#i\(item.number)\">Item \(item.number).</a></td><td>\(item.title)</td></tr>"
        }.joined()
        let body = items.enumerated().map { place, item in
            "<div id=\"i\(item.number)\"><b>Item \(item.number). \(item.title)</b></div>"
                + item.paragraphs.map { "<p>\($0)</p>" }.joined()
                + "<div>\(company.name) | \(year) Form \(filing.form) | \(place + 1)</div>"
                + "<hr style=\"page-break-after:always\">"
        }.joined()
        return "<table>\(contents)</table>" + body
    }

    // MARK: - Items

    private var annualItems: [(number: String, title: String, paragraphs: [String])] {
        [
            ("1", "Business", FilingPhrases.business(company)),
            ("1A", "Risk Factors", FilingPhrases.risks(company, year)),
            ("1B", "Unresolved Staff Comments", ["None."]),
            ("2", "Properties", ["The company owns its headquarters and leases the rest of its offices."]),
            ("3", "Legal Proceedings", ["The company is party to ordinary routine litigation and to nothing else."]),
            ("4", "Mine Safety Disclosures", ["Not applicable."]),
            (
                "5", "Market for Registrant’s Common Equity, Related Stockholder Matters and Issuer Purchases",
                ["The common stock is traded on \(company.exchange) under the symbol \(company.ticker)."]
            ),
            ("6", "[Reserved]", ["Reserved."]),
            (
                "7", "Management’s Discussion and Analysis of Financial Condition and Results of Operations",
                [revenueSentence] + FilingPhrases.discussion(company, year)
            ),
            (
                "7A", "Quantitative and Qualitative Disclosures About Market Risk",
                ["A rise of interest rates by one point would not change the results by a material amount."]
            ),
            (
                "8", "Financial Statements and Supplementary Data",
                FilingPhrases.statements(company, year) + (segments.map { [$0.note] } ?? [])
            ),
            ("9", "Changes in and Disagreements with Accountants on Accounting and Financial Disclosure", ["None."]),
            ("9A", "Controls and Procedures", ["Management found that the controls and procedures were effective."]),
        ]
    }

    private var quarterlyItems: [(number: String, title: String, paragraphs: [String])] {
        [
            ("1", "Financial Statements", FilingPhrases.statements(company, year)),
            (
                "2", "Management’s Discussion and Analysis of Financial Condition and Results of Operations",
                [revenueSentence] + FilingPhrases.discussion(company, year)
            ),
            (
                "3", "Quantitative and Qualitative Disclosures About Market Risk",
                ["Market risks have not changed in a material way since the last annual report."]
            ),
            ("4", "Controls and Procedures", ["Management found that the controls and procedures were effective."]),
            ("1", "Legal Proceedings", ["The company is party to ordinary routine litigation and to nothing else."]),
            ("1A", "Risk Factors", FilingPhrases.risks(company, year) + [FilingPhrases.riskOfTheQuarter]),
            ("6", "Exhibits", ["The exhibits are listed in the index, which is part of this report."]),
        ]
    }

    /// The revenue of the period, as the figures have it.
    private var revenueSentence: String {
        guard let value = revenue.flatMap({ Double($0.value) }) else {
            return "Revenue of the period ended \(period) is reported in the financial statements."
        }
        return "Revenue of the period ended \(period) was $\(Int(value / 1e6)) million, mostly from repeat customers."
    }

    private var revenue: CompanyFile.Fact? {
        let names = ["Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet"]
        let facts = company.concepts.filter { names.contains($0.name) }.flatMap(\.facts)
            .filter { $0.filing.accession == filing.accession && $0.end == period }
        return facts.max { ($1.start ?? "") < ($0.start ?? "") }
    }

    /// Two invented segments that add up to the revenue, in inline XBRL.
    private var segments: (contexts: String, note: String)? {
        guard let revenue, let start = revenue.start, let value = Double(revenue.value), value >= 1e6 else {
            return nil
        }
        let millions = Int(value / 1e6)
        let products = millions * 2 / 3
        func context(_ id: String, _ member: String?) -> String {
            let segment = member.map {
                "<xbrli:segment><xbrldi:explicitMember dimension=\"us-gaap:StatementBusinessSegmentsAxis\">\($0)"
                    + "</xbrldi:explicitMember></xbrli:segment>"
            }
            return "<xbrli:context id=\"\(id)\"><xbrli:entity><xbrli:identifier>\(company.cik)</xbrli:identifier>"
                + "\(segment ?? "")</xbrli:entity><xbrli:period><xbrli:startDate>\(start)</xbrli:startDate>"
                + "<xbrli:endDate>\(period)</xbrli:endDate></xbrli:period></xbrli:context>"
        }
        func fact(_ id: String, _ millions: Int) -> String {
            "<ix:nonFraction name=\"us-gaap:Revenues\" contextRef=\"\(id)\" unitRef=\"usd\" decimals=\"-6\" scale=\"6\" "
                + "format=\"ixt:num-dot-decimal\">\(millions)</ix:nonFraction>"
        }
        let contexts =
            context("all", nil) + context("products", "sim:ProductsSegmentMember")
            + context("services", "sim:ServicesSegmentMember")
            + "<xbrli:unit id=\"usd\"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>"
        let note =
            "The segment for products had revenue of \(fact("products", products)) million dollars and that for services "
            + "\(fact("services", millions - products)) million, of \(fact("all", millions)) million in all."
        return (contexts, note)
    }
}

extension CompanyFile {
    /// Its filings and, beside them, an announcement of results and a proxy statement for each annual report of late.
    var listedFilings: [Filing] {
        let annual = filings.filter { $0.form == "10-K" }.sorted { $0.filed > $1.filed }.prefix(2)
        return filings
            + annual.flatMap { report -> [Filing] in
                let start = report.accession.dropLast(6)
                var (announced, proxy) = (report, report)
                (announced.form, announced.accession) = ("8-K", start + "900001")
                (proxy.form, proxy.accession) = ("DEF 14A", start + "900002")
                return [announced, proxy]
            }
    }

    /// The name of a filing's main document.
    func document(of filing: Filing) -> String {
        let form = filing.form.lowercased().filter { $0.isLetter || $0.isNumber }
        return "\(ticker.lowercased())-\(form)-\(filing.filed.filter { $0 != "-" }).htm"
    }
}
