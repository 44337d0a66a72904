package import JSON

extension Fundamentals {
    /// The whole value, fit to be kept in a journal: `init(_:)` gives an equal one.
    package var json: JSON {
        [
            "currency": JSON(currency), "fiscal_years": JSON(fiscalYears),
            "latest_period_end": JSON(latestPeriodEnd.map { "\($0)" }), "splits": .array(splits.map(\.json)),
            "announced_splits": .array(announcedSplits.map(\.json)), "figures": .array(figures.map(\.json)),
        ]
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            currency: try field["currency"].string(), fiscalYears: try field["fiscal_years"].strings(),
            latestPeriodEnd: try field["latest_period_end"].map { field throws(JSONFieldError) in try field.date() },
            splits: try field["splits"].array().map { field throws(JSONFieldError) in try StockSplit(field) },
            announcedSplits: try field["announced_splits"].array().map { field throws(JSONFieldError) in
                try AnnouncedSplit(field)
            },
            figures: try field["figures"].array().map { field throws(JSONFieldError) in try Figure(field) })
    }
}

extension AnnouncedSplit {
    var json: JSON {
        var members = filing.members
        members["ratio"] = ratio.json
        members["date"] = JSON("\(date)")
        return .object(members)
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(ratio: try field["ratio"].decimal(), date: try field["date"].date(), filing: try Filing(field))
    }
}

extension CompanyFundamentals {
    package var json: JSON { ["company": company.json, "fundamentals": fundamentals.json] }

    package init(_ field: JSONField) throws(JSONFieldError) {
        self.init(company: try Company(field["company"]), fundamentals: try Fundamentals(field["fundamentals"]))
    }
}

extension Company {
    package var json: JSON {
        [
            "ticker": JSON(ticker.text), "cik": JSON(cik.number), "name": JSON(name),
            "industry_code": JSON(industryCode), "industry": JSON(industry), "exchanges": JSON(exchanges),
            "fiscal_year_end": JSON(fiscalYearEnd),
        ]
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        guard let cik = CIK(try field["cik"].integer()) else { throw field["cik"].failure("must be a CIK") }
        self.init(
            ticker: try field["ticker"].value({ try? Ticker($0) }, "a ticker"), cik: cik,
            name: try field["name"].string(),
            industryCode: try field["industry_code"].map { field throws(JSONFieldError) in try field.string() },
            industry: try field["industry"].map { field throws(JSONFieldError) in try field.string() },
            exchanges: try field["exchanges"].strings(),
            fiscalYearEnd: try field["fiscal_year_end"].map { field throws(JSONFieldError) in try field.string() })
    }
}
