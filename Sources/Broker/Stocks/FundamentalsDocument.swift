internal import DataSources
internal import JSON

/// A company's reported figures as they are cached and served, each with its source.
enum FundamentalsDocument {
    /// The headline figures of a stock: flows of the last twelve months, else of the last fiscal year, and the latest
    /// balances.
    private static let headline: [Concept] = [
        .revenue, .grossProfit, .operatingIncome, .netIncome, .dilutedEPS, .operatingCashFlow, .freeCashFlow,
        .cashAndShortTermInvestments, .totalDebt, .equity, .sharesOutstanding,
    ]

    /// `currency`, `latest_period_end`, `headline` (figures by concept) and `periods`, newest first: the last twelve
    /// months, fiscal years, quarters, each with its `figures` by concept.
    static func json(of company: CompanyFundamentals) -> JSON {
        let fundamentals = company.fundamentals
        return [
            "currency": JSON(fundamentals.currency),
            "latest_period_end": JSON(fundamentals.latestPeriodEnd.map { "\($0)" }),
            "headline": figures(headline.compactMap { newest($0, in: fundamentals) }, of: company),
            "periods": .array(
                [.trailing, .annual, .transition, .quarter].flatMap { periods($0, of: company) }),
        ]
    }

    /// The ratios of a market data source as figures by name; null without any.
    static func json(of ratios: [StockRatio]) -> JSON {
        guard !ratios.isEmpty else { return .null }
        let period: JSON = ["label": "TTM", "kind": "ttm", "start": .null, "end": .null]
        return .object(
            JSONObject(
                ratios.map { ratio in
                    (
                        ratio.name,
                        [
                            "id": JSON("\(ratio.name).TTM"), "label": JSON(ratio.title), "concept": JSON(ratio.name),
                            "value": .number(ratio.value), "reported": .null,
                            "unit": "ratio", "tag": JSON(ratio.field),
                            "period": period, "form": .null, "accession_number": .null, "filing_date": .null,
                            "url": .null,
                        ]
                    )
                }))
    }

    private static func newest(_ concept: Concept, in fundamentals: Fundamentals) -> Figure? {
        concept.measure.isInstant
            ? fundamentals.latest(concept)
            : fundamentals.trailingTwelveMonths(concept)
                ?? fundamentals.fiscalYears.first.flatMap { fundamentals.annual(concept, $0) }
    }

    private static func periods(_ kind: Period.Kind, of company: CompanyFundamentals) -> [JSON] {
        var groups: [String: [Figure]] = [:]
        for figure in company.fundamentals.figures where figure.period.kind == kind {
            groups[figure.period.label, default: []].append(figure)
        }
        // The cover page of a filing has figures of its own date, which is the end of no quarter.
        if kind == .quarter { groups = groups.filter { $0.value.contains { !$0.period.isInstant } } }
        return groups.values.map { figures -> (period: Period, figures: [Figure]) in
            // A balance has the date of the period's last day; a flow has the whole period.
            (figures.first { !$0.period.isInstant }?.period ?? figures[0].period, figures)
        }
        .sorted { ($0.period.end, $0.period.label) > ($1.period.end, $1.period.label) }
        .map { group in
            [
                "period": [
                    "label": JSON(group.period.label), "kind": JSON(kind.rawValue),
                    "start": JSON(group.period.start.map { "\($0)" }), "end": JSON("\(group.period.end)"),
                ],
                "figures": figures(group.figures, of: company),
            ]
        }
    }

    private static func figures(_ figures: [Figure], of company: CompanyFundamentals) -> JSON {
        .object(
            JSONObject(
                figures.map { figure in
                    var body = figure.json
                    body["label"] = JSON(figure.concept.title)
                    body["url"] = JSON(company.url(of: figure))
                    return (figure.concept.rawValue, body)
                }))
    }
}
