package import JSON

/// One ratio that a source of market data has computed.
package struct StockRatio: Sendable, Hashable {
    /// In lower case with underscores: `price_to_earnings`.
    package let name: String
    /// What it is in words.
    package let title: String
    package let value: JSONNumber
    /// Endpoint and field that it was read from: `ratios-ttm.priceToEarningsRatioTTM`.
    package let field: String

    /// What is read, by endpoint. Margins and yields are fractions of 1.
    static let fields: [(endpoint: String, field: String, name: String, title: String)] = [
        ("ratios-ttm", "priceToEarningsRatioTTM", "price_to_earnings", "Price to earnings"),
        ("ratios-ttm", "priceToBookRatioTTM", "price_to_book", "Price to book value"),
        ("ratios-ttm", "priceToSalesRatioTTM", "price_to_sales", "Price to sales"),
        ("ratios-ttm", "priceToFreeCashFlowRatioTTM", "price_to_free_cash_flow", "Price to free cash flow"),
        ("ratios-ttm", "dividendYieldTTM", "dividend_yield", "Dividend yield"),
        ("ratios-ttm", "grossProfitMarginTTM", "gross_margin", "Gross margin"),
        ("ratios-ttm", "operatingProfitMarginTTM", "operating_margin", "Operating margin"),
        ("ratios-ttm", "netProfitMarginTTM", "net_margin", "Net margin"),
        ("ratios-ttm", "currentRatioTTM", "current_ratio", "Current ratio"),
        ("ratios-ttm", "debtToEquityRatioTTM", "debt_to_equity", "Debt to equity"),
        ("key-metrics-ttm", "enterpriseValueTTM", "enterprise_value", "Enterprise value"),
        ("key-metrics-ttm", "returnOnEquityTTM", "return_on_equity", "Return on equity"),
        ("key-metrics-ttm", "returnOnInvestedCapitalTTM", "return_on_invested_capital", "Return on invested capital"),
        ("key-metrics-ttm", "freeCashFlowYieldTTM", "free_cash_flow_yield", "Free cash flow yield"),
    ]

    /// The ratios of an endpoint's record. The source writes 0 for what it does not know.
    static func read(_ record: JSON, from endpoint: String) -> [StockRatio] {
        fields.filter { $0.endpoint == endpoint }.compactMap { known in
            guard let number = record[known.field]?.number, number.double != 0 else { return nil }
            return StockRatio(
                name: known.name, title: known.title, value: number, field: "\(endpoint).\(known.field)")
        }
    }
}
