/// The tags of US GAAP and IFRS that Dossier reads. Names without a prefix are `us-gaap`.
enum Tags {
    static let revenue = TagList(
        tiers: [
            "Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet",
            "RevenueFromContractWithCustomerIncludingAssessedTax", "RegulatedAndUnregulatedOperatingRevenue",
            "RealEstateRevenueNet", "HealthCareOrganizationRevenue", "SalesRevenueGoodsNet", "SalesRevenueServicesNet",
            "ifrs-full:Revenue", "ifrs-full:RevenueFromContractsWithCustomers",
        ])
    /// Total revenue of banks and brokers as they head their statements with it.
    static let revenueNetOfInterest = TagList("RevenuesNetOfInterestExpense")
    static let netInterestIncome = TagList("InterestIncomeExpenseNet")
    static let interestIncome = TagList("InterestAndDividendIncomeOperating")
    static let noninterestIncome = TagList("NoninterestIncome")

    static let costOfRevenue = TagList(
        "CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold", "ifrs-full:CostOfSales")
    static let costOfServices = TagList("CostOfServices")
    static let costsAndExpenses = TagList("CostsAndExpenses")
    static let grossProfit = TagList("GrossProfit", "ifrs-full:GrossProfit")
    static let research = TagList(
        "ResearchAndDevelopmentExpense", "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
        "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
        "ifrs-full:ResearchAndDevelopmentExpense")
    static let sellingAndAdministration = TagList(
        "SellingGeneralAndAdministrativeExpense", "ifrs-full:SellingGeneralAndAdministrativeExpense")
    static let selling = TagList("SellingAndMarketingExpense", "SellingExpense")
    static let administration = TagList("GeneralAndAdministrativeExpense")
    static let operatingIncome = TagList("OperatingIncomeLoss", "ifrs-full:ProfitLossFromOperatingActivities")
    static let interestExpense = TagList(
        "InterestExpense", "InterestExpenseNonoperating", "InterestAndDebtExpense", "InterestExpenseOperating",
        "InterestExpenseDebt", "ifrs-full:InterestExpense", "ifrs-full:FinanceCosts")
    static let pretaxIncome = TagList(
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
        "IncomeLossIncludingPortionAttributableToNoncontrollingInterestBeforeIncomeTaxes",
        "ifrs-full:ProfitLossBeforeTax")
    static let incomeTax = TagList("IncomeTaxExpenseBenefit", "ifrs-full:IncomeTaxExpenseContinuingOperations")
    static let netIncome = TagList(
        "NetIncomeLoss", "ifrs-full:ProfitLossAttributableToOwnersOfParent", "ProfitLoss", "ifrs-full:ProfitLoss",
        "NetIncomeLossAvailableToCommonStockholdersBasic")
    static let basicEPS = TagList(
        "EarningsPerShareBasic", "EarningsPerShareBasicAndDiluted", "ifrs-full:BasicEarningsLossPerShare")
    static let dilutedEPS = TagList(
        "EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted", "ifrs-full:DilutedEarningsLossPerShare")
    static let depreciationAndAmortization = TagList(
        tiers: [
            "DepreciationDepletionAndAmortization", "DepreciationAmortizationAndAccretionNet",
            "DepreciationAndAmortization", "ifrs-full:DepreciationAndAmortisationExpense",
            "ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense",
        ])
    static let stockBasedCompensation = TagList(
        "ShareBasedCompensation", "AllocatedShareBasedCompensationExpense",
        "ifrs-full:AdjustmentsForSharebasedPayments")

    static let operatingCashFlow = TagList(
        "NetCashProvidedByUsedInOperatingActivities", "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        "ifrs-full:CashFlowsFromUsedInOperatingActivities")
    static let capitalExpenditure = TagList(
        "PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets",
        "PaymentsToAcquireOilAndGasPropertyAndEquipment", "PaymentsForCapitalImprovements",
        "ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities")
    static let dividendsPaid = TagList(
        "PaymentsOfDividends", "PaymentsOfDividendsCommonStock",
        "ifrs-full:DividendsPaidToEquityHoldersOfParentClassifiedAsFinancingActivities",
        "ifrs-full:DividendsPaidClassifiedAsFinancingActivities")
    static let dividendsPerShare = TagList(
        "CommonStockDividendsPerShareDeclared", "CommonStockDividendsPerShareCashPaid",
        "ifrs-full:DividendsRecognisedAsDistributionsToOwnersPerShare")
    static let buybacks = TagList(
        "PaymentsForRepurchaseOfCommonStock", "PaymentsForRepurchaseOfEquity",
        "ifrs-full:PaymentsToAcquireOrRedeemEntitysShares")
    static let shareIssuance = TagList(
        "ProceedsFromIssuanceOfCommonStock", "ProceedsFromIssuanceOrSaleOfEquity",
        "ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlansIncludingStockOptions",
        "ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlans",
        "ifrs-full:ProceedsFromIssuingShares")
    static let acquisitions = TagList(
        "PaymentsToAcquireBusinessesNetOfCashAcquired", "PaymentsToAcquireBusinessesAndInterestInAffiliates",
        "PaymentsToAcquireBusinessesGross",
        "ifrs-full:CashFlowsUsedInObtainingControlOfSubsidiariesOrOtherBusinessesClassifiedAsInvestingActivities")

    static let cash = TagList(
        "CashAndCashEquivalentsAtCarryingValue", "Cash", "CashAndDueFromBanks",
        "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents", "ifrs-full:CashAndCashEquivalents")
    static let shortTermInvestments = TagList(
        "ShortTermInvestments", "MarketableSecuritiesCurrent", "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
        "AvailableForSaleSecuritiesCurrent", "DebtSecuritiesCurrent", "OtherShortTermInvestments",
        "ifrs-full:CurrentInvestments")
    static let cashAndShortTermInvestments = TagList("CashCashEquivalentsAndShortTermInvestments")
    static let receivables = TagList(
        "AccountsReceivableNetCurrent", "ReceivablesNetCurrent", "AccountsNotesAndLoansReceivableNetCurrent",
        "ifrs-full:TradeAndOtherCurrentReceivables", "ifrs-full:CurrentTradeReceivables")
    static let inventory = TagList("InventoryNet", "ifrs-full:Inventories", "ifrs-full:CurrentInventories")
    static let currentAssets = TagList("AssetsCurrent", "ifrs-full:CurrentAssets")
    static let goodwill = TagList("Goodwill", "ifrs-full:Goodwill")
    static let totalAssets = TagList("Assets", "ifrs-full:Assets")
    static let currentLiabilities = TagList("LiabilitiesCurrent", "ifrs-full:CurrentLiabilities")
    static let totalLiabilities = TagList("Liabilities", "ifrs-full:Liabilities")
    static let liabilitiesAndEquity = TagList("LiabilitiesAndStockholdersEquity")
    static let equity = TagList(
        "StockholdersEquity", "ifrs-full:EquityAttributableToOwnersOfParent", "PartnersCapital", "MembersEquity",
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest", "ifrs-full:Equity")
    static let parentEquity = TagList("StockholdersEquity", "PartnersCapital", "MembersEquity")
    static let wholeEquity = TagList("StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest")
    static let minorityInterest = TagList("MinorityInterest")
    static let temporaryEquity = TagList(
        "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
        "TemporaryEquityCarryingAmountAttributableToParent", "RedeemableNoncontrollingInterestEquityCarryingAmount")
    static let retainedEarnings = TagList("RetainedEarningsAccumulatedDeficit", "ifrs-full:RetainedEarnings")

    static let currentDebt = TagList("DebtCurrent", "ifrs-full:CurrentBorrowings")
    static let currentMaturities = TagList(
        "LongTermDebtCurrent", "LongTermDebtAndCapitalLeaseObligationsCurrent", "ConvertibleDebtCurrent",
        "ConvertibleNotesPayableCurrent", "ifrs-full:CurrentPortionOfLongtermBorrowings")
    static let shortBorrowings = TagList(
        "ShortTermBorrowings", "CommercialPaper", "ShortTermBankLoansAndNotesPayable", "NotesAndLoansPayableCurrent",
        "NotesPayableCurrent", "LoansPayableCurrent", "OtherLoansPayableCurrent", "LoansPayableToBankCurrent",
        "LinesOfCreditCurrent", "OtherShortTermBorrowings", "ifrs-full:ShorttermBorrowings")
    static let noncurrentDebt = TagList(
        "LongTermDebtNoncurrent", "LongTermDebtAndCapitalLeaseObligations", "ConvertibleDebtNoncurrent",
        "ConvertibleLongTermNotesPayable", "LongTermNotesPayable", "LongTermNotesAndLoans", "SeniorLongTermNotes",
        "ifrs-full:NoncurrentBorrowings", "ifrs-full:LongtermBorrowings",
        "ifrs-full:NoncurrentPortionOfNoncurrentBorrowings")
    /// Includes the current portion.
    static let wholeLongTermDebt = TagList(
        "LongTermDebt", "LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities")
    static let wholeDebt = TagList(
        "DebtLongtermAndShorttermCombinedAmount", "DebtAndCapitalLeaseObligations", "DebtInstrumentCarryingAmount",
        "ifrs-full:Borrowings")

    static let dilutedShares = TagList(
        "WeightedAverageNumberOfDilutedSharesOutstanding", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:AdjustedWeightedAverageShares")
    static let basicShares = TagList(
        "WeightedAverageNumberOfSharesOutstandingBasic", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "ifrs-full:WeightedAverageShares")
    static let sharesOutstanding = TagList("CommonStockSharesOutstanding", "ifrs-full:NumberOfSharesOutstanding")
    static let sharesIssued = TagList("CommonStockSharesIssued")
    static let coverShares = TagList("dei:EntityCommonStockSharesOutstanding")
    static let splitRatio = TagList("StockholdersEquityNoteStockSplitConversionRatio1")
}

extension Tags {
    /// Every tag that is read from a company's facts.
    static let all: [String] = Array(
        Set(
            [
                revenue, revenueNetOfInterest, netInterestIncome, interestIncome, noninterestIncome, costOfRevenue,
                costOfServices, costsAndExpenses,
                grossProfit, research, sellingAndAdministration, selling, administration, operatingIncome,
                interestExpense, pretaxIncome, incomeTax, netIncome, basicEPS, dilutedEPS, depreciationAndAmortization,
                stockBasedCompensation, operatingCashFlow, capitalExpenditure, dividendsPaid, dividendsPerShare,
                buybacks, shareIssuance, acquisitions, cash, shortTermInvestments, cashAndShortTermInvestments,
                receivables, inventory, currentAssets, goodwill, totalAssets, currentLiabilities, totalLiabilities,
                liabilitiesAndEquity, equity, parentEquity, wholeEquity, minorityInterest, temporaryEquity,
                retainedEarnings, currentDebt, currentMaturities, shortBorrowings, noncurrentDebt, wholeLongTermDebt,
                wholeDebt, dilutedShares, basicShares, sharesOutstanding, sharesIssued, coverShares, splitRatio,
            ].flatMap(\.tags)))

    /// Without its own prefix a tag is one of US GAAP.
    static func split(_ tag: String) -> (taxonomy: String, name: String) {
        guard let colon = tag.firstIndex(of: ":") else { return ("us-gaap", tag) }
        return (String(tag[..<colon]), String(tag[tag.index(after: colon)...]))
    }

    static func qualified(_ tag: String) -> String { tag.contains(":") ? tag : "us-gaap:" + tag }
}

/// The tags that report a concept, in order of preference.
///
/// The tags of one tier mean the same total under different names, or a part of it in some filings: of several in one
/// filing the largest is the total. A later tier is taken only where no earlier one is reported.
struct TagList: Sendable {
    let tiers: [[String]]

    /// Each tag a tier of its own.
    init(_ tags: String...) { tiers = tags.map { [$0] } }

    init(tiers: [String]...) { self.tiers = tiers }

    var tags: [String] { tiers.flatMap { $0 } }
}
