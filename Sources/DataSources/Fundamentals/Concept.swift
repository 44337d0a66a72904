/// The quantity that a figure measures. The raw value is used in ids and in JSON (`diluted_eps.FY2017`).
package enum Concept: String, Sendable, Hashable, CaseIterable {
    // Income
    case revenue
    case costOfRevenue = "cost_of_revenue"
    case grossProfit = "gross_profit"
    case researchAndDevelopment = "research_and_development"
    /// Selling, general and administrative expense.
    case sellingAndAdministration = "selling_general_administrative"
    case operatingIncome = "operating_income"
    case interestExpense = "interest_expense"
    case pretaxIncome = "pretax_income"
    case incomeTax = "income_tax"
    /// Attributable to the shareholders of the company where the filing makes the difference.
    case netIncome = "net_income"
    case basicEPS = "basic_eps"
    case dilutedEPS = "diluted_eps"
    case depreciationAndAmortization = "depreciation_and_amortization"
    case stockBasedCompensation = "stock_based_compensation"

    // Cash flow; payments are positive, as filings report them
    case operatingCashFlow = "operating_cash_flow"
    case capitalExpenditure = "capital_expenditure"
    /// Operating cash flow less capital expenditure; always derived.
    case freeCashFlow = "free_cash_flow"
    case dividendsPaid = "dividends_paid"
    case dividendsPerShare = "dividends_per_share"
    case buybacks
    case shareIssuance = "share_issuance"
    case acquisitions

    // Balance sheet
    case cash
    case shortTermInvestments = "short_term_investments"
    case cashAndShortTermInvestments = "cash_and_short_term_investments"
    case receivables
    case inventory
    case currentAssets = "current_assets"
    case goodwill
    case totalAssets = "total_assets"
    case currentLiabilities = "current_liabilities"
    case totalLiabilities = "total_liabilities"
    /// Due within a year, current maturities of long-term debt included.
    case shortTermDebt = "short_term_debt"
    /// Due after a year.
    case longTermDebt = "long_term_debt"
    case totalDebt = "total_debt"
    case retainedEarnings = "retained_earnings"
    case equity

    // Shares
    /// Weighted average of the period, diluted.
    case dilutedShares = "diluted_shares"
    /// Weighted average of the period, basic.
    case basicShares = "basic_shares"
    case sharesOutstanding = "shares_outstanding"
}

extension Concept {
    /// The unit of a concept's figures, and the rule by which they add up over time.
    package enum Measure: Sendable, Hashable {
        /// Money over a period: periods add up.
        case flow
        /// Money per share over a period: sums of periods are close to the figure that a filing would report, but not
        /// equal to it.
        case flowPerShare
        /// Money at an instant.
        case balance
        /// An average number of shares over a period: periods do not add up.
        case averageShares
        /// A number of shares at an instant.
        case shares
    }

    package var measure: Measure {
        switch self {
        case .basicEPS, .dilutedEPS, .dividendsPerShare: .flowPerShare
        case .dilutedShares, .basicShares: .averageShares
        case .sharesOutstanding: .shares
        case .cash, .shortTermInvestments, .cashAndShortTermInvestments, .receivables, .inventory, .currentAssets,
            .goodwill, .totalAssets, .currentLiabilities, .totalLiabilities, .shortTermDebt, .longTermDebt, .totalDebt,
            .retainedEarnings, .equity:
            .balance
        default: .flow
        }
    }
}

extension Concept.Measure {
    /// Whether figures are of an instant, not of a period.
    package var isInstant: Bool { self == .balance || self == .shares }

    /// Whether a stock split changes the figure, and how.
    var splitEffect: SplitEffect {
        switch self {
        case .flow, .balance: .none
        case .flowPerShare: .divides
        case .averageShares, .shares: .multiplies
        }
    }

    enum SplitEffect: Sendable { case none, divides, multiplies }
}

extension Concept {
    /// The concept in words: `net income`.
    package var words: String {
        switch self {
        case .basicEPS: "basic earnings per share"
        case .dilutedEPS: "diluted earnings per share"
        default: rawValue.split(separator: "_").joined(separator: " ")
        }
    }

    /// For people: `Diluted earnings per share`.
    package var title: String {
        let words = words
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
