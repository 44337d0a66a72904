internal import Basics

/// A company of `invented.tsv`: a real name with figures that are made up, from which filings of eight years and of
/// recent quarters are made. Its name says that it is simulated.
struct InventedCompany: Sendable {
    let ticker: String
    let name: String
    let exchange: String
    let sic: String
    let industry: String
    let sector: String
    let employees: String
    /// The first day of trading, `1986-03-13`.
    let listed: String
    /// In dollars.
    let price: Double
    /// In millions, and so are all amounts below: of the last year.
    private let revenue: Double
    private let debt: Double
    private let cash: Double
    private let equity: Double
    let shares: Double
    /// In dollars.
    private let dividend: Double
    /// Shares of one: the growth of a year, and parts of the revenue.
    private let growth: Double
    private let gross: Double
    private let operating: Double
    private let research: Double
    private let capital: Double
    private let number: Int

    static let all = String(decoding: PackageResources.invented_tsv, as: UTF8.self).split(separator: "\n")
        .filter { $0.first != "#" }.enumerated().compactMap { InventedCompany($1, number: $0 + 1) }

    private static let lastYear = 2025
    private static let years = 8
    /// The parts of a year's business that its quarters have.
    private static let seasons = [0.24, 0.24, 0.25, 0.27]
    /// Ends of the quarters, and the days on which they are reported.
    private static let quarters = [("03-31", "04-28"), ("06-30", "07-28"), ("09-30", "10-27"), ("12-31", "02-10")]

    private init?(_ row: Substring, number: Int) {
        let fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 20 else { return nil }
        (ticker, name, exchange) = (fields[0], fields[1] + " (simulated)", fields[2])
        (sic, industry, sector) = (fields[3], fields[4], fields[5])
        (employees, listed, self.number) = (fields[18], fields[19], number)
        let figures = fields[6...17].compactMap(Double.init)
        guard figures.count == 12 else { return nil }
        (revenue, growth, gross) = (figures[0], figures[1] / 100, figures[2] / 100)
        (operating, research, capital) = (figures[3] / 100, figures[4] / 100, figures[5] / 100)
        (debt, cash, equity, shares) = (figures[6], figures[7], figures[8], figures[9])
        (dividend, price) = (figures[10], figures[11])
    }

    // MARK: Figures

    /// A figure of a period or of a day, in dollars or shares.
    private struct Row {
        var concept: String
        var unit = "USD"
        var value: Double
        var isInstant = false
        var decimals = 0
    }

    /// The figures of a part of a year: 1 for all of it.
    private func rows(of year: Int, part: Double = 1) -> [Row] {
        let age = Double(Self.lastYear - year)
        // Revenue and margins waver a little, the same way for everybody who asks.
        var random = SeededRandom(seed: UInt64(number) &* 1_000_003 &+ UInt64(year))
        let waver = year < Self.lastYear ? random.fraction() - 0.5 : 0
        var scale = 1.0
        for _ in 0..<Int(abs(age)) { scale *= age > 0 ? 1 / (1 + growth) : 1 + growth }
        scale *= 1 + waver * 0.03
        let sales = revenue * scale
        let grossProfit = sales * (gross + waver * 0.02)
        let income = sales * (operating + waver * 0.02)
        let interest = debt * scale * 0.035
        let pretax = income - interest
        let tax = max(pretax, 0) * 0.19
        let profit = pretax - tax
        let depreciation = sales * max(0.6 * capital, 0.01)
        let compensation = sales * (research > 0.05 ? 0.04 : 0.01)
        // Fewer shares each year where dividends and buybacks go with profits.
        let count = shares * (1 + 0.008 * age)
        func flow(_ concept: String, _ value: Double) -> Row { Row(concept: concept, value: value * part * 1e6) }
        func instant(_ concept: String, _ value: Double) -> Row {
            Row(concept: concept, value: value * 1e6, isInstant: true)
        }
        func perShare(_ concept: String, _ value: Double) -> Row {
            Row(concept: concept, unit: "USD/shares", value: value * part, decimals: 2)
        }
        let liabilities = debt * scale + sales * 0.3
        let assets = equity * scale + liabilities
        return [
            flow("Revenues", sales), flow("CostOfRevenue", sales - grossProfit), flow("GrossProfit", grossProfit),
            flow("ResearchAndDevelopmentExpense", sales * research), flow("OperatingIncomeLoss", income),
            flow("InterestExpense", interest),
            flow(
                "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest", pretax),
            flow("IncomeTaxExpenseBenefit", tax), flow("NetIncomeLoss", profit),
            perShare("EarningsPerShareBasic", profit / count * 1.004),
            perShare("EarningsPerShareDiluted", profit / count),
            Row(concept: "WeightedAverageNumberOfSharesOutstandingBasic", unit: "shares", value: count * 0.996e6),
            Row(concept: "WeightedAverageNumberOfDilutedSharesOutstanding", unit: "shares", value: count * 1e6),
            flow("DepreciationDepletionAndAmortization", depreciation), flow("ShareBasedCompensation", compensation),
            flow("NetCashProvidedByUsedInOperatingActivities", profit + depreciation + compensation),
            flow("PaymentsToAcquirePropertyPlantAndEquipment", sales * capital),
            flow("PaymentsOfDividends", dividend * scale * count),
            flow("PaymentsForRepurchaseOfCommonStock", max(profit, 0) * 0.25),
            perShare("CommonStockDividendsPerShareDeclared", dividend * scale),
            instant("Assets", assets), instant("AssetsCurrent", cash * scale + sales * 0.18),
            instant("CashAndCashEquivalentsAtCarryingValue", cash * scale), instant("Liabilities", liabilities),
            instant("LiabilitiesCurrent", debt * scale * 0.06 + sales * 0.2),
            instant("LongTermDebtCurrent", debt * scale * 0.06),
            instant("LongTermDebtNoncurrent", debt * scale * 0.94),
            instant("StockholdersEquity", equity * scale), instant("LiabilitiesAndStockholdersEquity", assets),
        ]
    }

    // MARK: Filings

    /// Its filings and figures as `CompanyFile` reads them.
    var file: CompanyFile? {
        var filings: [String] = []
        var periods: [String] = []
        var concepts: [String: (unit: String, rows: [String])] = [:]
        var order: [String] = []
        func period(_ start: String, _ end: String) -> Int {
            let row = "period\t\(start)\t\(end)"
            if let known = periods.firstIndex(of: row) { return known }
            periods.append(row)
            return periods.count - 1
        }
        func add(_ rows: [Row], from start: String, to end: String) {
            for row in rows {
                let place = period(row.isInstant ? "" : start, end)
                if concepts[row.concept] == nil { order.append(row.concept) }
                let text = "\(place)\t\(Self.written(row.value, row.decimals))\t\(filings.count - 1)"
                concepts[row.concept, default: (row.unit, [])].rows.append(text)
            }
        }
        func file(_ form: String, _ date: String, _ year: Int, _ quarter: String) {
            let serial = String(filings.count + 1)
            let digits = String(repeating: "0", count: 6 - serial.count) + serial
            filings.append(
                "filing\t000\(cik)-\(date.dropFirst(2).prefix(2))-\(digits)\t\(form)\t\(date)\t\(year)\t\(quarter)")
        }
        for year in (Self.lastYear - Self.years + 1)...(Self.lastYear + 1) {
            if year >= Self.lastYear {
                for (place, quarter) in Self.quarters.prefix(3).enumerated() {
                    file("10-Q", "\(year)-\(quarter.1)", year, "Q\(place + 1)")
                    let starts = ["01-01", "04-01", "07-01"]
                    add(
                        rows(of: year, part: Self.seasons[place]), from: "\(year)-\(starts[place])",
                        to: "\(year)-\(quarter.0)")
                    guard place > 0 else { continue }
                    let part = Self.seasons.prefix(place + 1).reduce(0, +)
                    add(
                        rows(of: year, part: part).filter { !$0.isInstant && $0.unit != "shares" },
                        from: "\(year)-01-01", to: "\(year)-\(quarter.0)")
                }
            }
            guard year <= Self.lastYear else { continue }
            file("10-K", "\(year + 1)-\(Self.quarters[3].1)", year, "FY")
            add(rows(of: year), from: "\(year)-01-01", to: "\(year)-12-31")
        }
        let head = "company\t\(cik)\t\(name)\t\(ticker)\t\(exchange)\t\(sic)\t\(industry)"
        let figures = order.flatMap { name -> [String] in
            guard let concept = concepts[name] else { return [] }
            return ["concept\tus-gaap\t\(name)\t\(concept.unit)\t"] + concept.rows
        }
        return CompanyFile(tsv: ([head] + filings + periods + figures).joined(separator: "\n"))
    }

    /// A number that the SEC has not given to anybody.
    private var cik: Int { 9_900_000 + number }

    private static func written(_ value: Double, _ decimals: Int) -> String {
        guard decimals > 0 else { return String(Int64(value.rounded())) }
        let cents = Int64((value * 100).rounded())
        let rest = String(abs(cents) % 100)
        return "\(cents < 0 ? "-" : "")\(abs(cents) / 100).\(rest.count == 1 ? "0" : "")\(rest)"
    }
}
