import JSON

/// The facts of one company by tag, in one currency.
struct FactTable: Sendable {
    /// ISO 4217, the currency of the company's statements.
    let currency: String
    private var facts: [String: [ReportedFact]] = [:]

    /// - Parameter json: a `companyfacts` document of the SEC.
    /// - Throws: `DataSourceError.unexpected` when it is none.
    init(companyFacts json: JSON) throws(DataSourceError) {
        guard let taxonomies = json["facts"]?.object else {
            throw .unexpected(.edgar, problem: "the company facts have no 'facts' object")
        }
        for tag in Tags.all {
            let (taxonomy, name) = Tags.split(tag)
            guard let units = taxonomies[taxonomy]?[name]?["units"]?.object else { continue }
            for (unit, list) in units {
                let read = (list.array ?? []).compactMap { ReportedFact($0, tag: tag, unit: unit) }
                if !read.isEmpty { facts[tag, default: []] += read }
            }
        }
        currency = Self.reportingCurrency(facts)
    }

    subscript(tag: String) -> [ReportedFact] { facts[tag] ?? [] }

    /// The facts of a tag in the unit that the measure has in this company's currency.
    func facts(_ tag: String, _ measure: Concept.Measure) -> [ReportedFact] {
        let wanted = unit(of: measure)
        let all = self[tag]
        return all.allSatisfy { $0.unit == wanted } ? all : all.filter { $0.unit == wanted }
    }

    func unit(of measure: Concept.Measure) -> String {
        switch measure {
        case .flow, .balance: currency
        case .flowPerShare: currency + "/shares"
        case .averageShares, .shares: "shares"
        }
    }

    /// The currency in which the most periods of the recent past are reported. Foreign filers add a translation of
    /// the latest year to US dollars: on a tie the other currency is the company's own.
    private static func reportingCurrency(_ facts: [String: [ReportedFact]]) -> String {
        let tags = (Tags.totalAssets.tags + Tags.netIncome.tags + Tags.operatingCashFlow.tags + Tags.revenue.tags)
        let money = tags.flatMap { facts[$0] ?? [] }.filter { fact in
            fact.unit.utf8.count == 3 && fact.unit.utf8.allSatisfy { (65...90).contains($0) }
        }
        guard let latest = money.map(\.end).max() else { return "USD" }
        var periods: [String: Set<String>] = [:]
        for fact in money where latest - fact.end < 800 {
            periods[fact.unit, default: []].insert("\(fact.tag) \(fact.start?.dayNumber ?? 0) \(fact.end.dayNumber)")
        }
        let ranked = periods.sorted {
            ($0.value.count, $0.key == "USD" ? 0 : 1, $1.key) > ($1.value.count, $1.key == "USD" ? 0 : 1, $0.key)
        }
        return ranked.first?.key ?? "USD"
    }
}
