import JSON

@testable import DataSources

/// Builds a `companyfacts` document for a company that does not exist.
struct SyntheticFacts {
    private var units: [String: [String: [JSON]]] = [:]

    /// One number of one filing. `start` is `nil` for an instant; the accession number follows from form and date.
    mutating func add(
        _ tag: String, _ value: String, from start: String? = nil, to end: String, form: String = "10-K",
        filed: String, unit: String = "USD", fiscalYear: Int? = nil, accession: String? = nil
    ) throws {
        var fact: JSON = [
            "end": JSON(end), "val": try JSON(parsing: value), "accn": JSON(accession ?? "0000000001-\(form)-\(filed)"),
            "fy": JSON(fiscalYear), "fp": "FY", "form": JSON(form), "filed": JSON(filed),
        ]
        if let start { fact["start"] = JSON(start) }
        units[tag, default: [:]][unit, default: []].append(fact)
    }

    /// Revenue, net income and operating cash flow of one period, so that the filing counts as a whole statement.
    mutating func addStatement(
        from start: String, to end: String, revenue: String, income: String, tag: String = "Revenues",
        form: String = "10-K", filed: String, fiscalYear: Int? = nil, unit: String = "USD"
    ) throws {
        for (tag, value) in [
            (tag, revenue), ("NetIncomeLoss", income), ("NetCashProvidedByUsedInOperatingActivities", income),
        ] {
            try add(
                tag, value, from: start, to: end, form: form, filed: filed, unit: unit, fiscalYear: fiscalYear)
        }
    }

    /// A fiscal year that is a calendar year, reported in the February after it and in the one after that.
    mutating func addYear(_ year: Int, revenue: String, income: String = "10", tag: String = "Revenues") throws {
        for later in 1...2 {
            try addStatement(
                from: "\(year)-01-01", to: "\(year)-12-31", revenue: revenue, income: income, tag: tag,
                filed: "\(year + later)-02-15", fiscalYear: year + later - 1)
        }
    }

    var json: JSON {
        var facts: JSON = .object([:])
        for (tag, lists) in units.sorted(by: { $0.key < $1.key }) {
            let (taxonomy, name) = Tags.split(tag)
            var taxonomyFacts = facts[taxonomy] ?? .object([:])
            taxonomyFacts[name] = [
                "label": JSON(name),
                "units": .object(JSONObject(lists.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value)) })),
            ]
            facts[taxonomy] = taxonomyFacts
        }
        return ["cik": 1, "entityName": "Synthetic Corp", "facts": facts]
    }

    func fundamentals() throws -> Fundamentals { try Fundamentals(companyFacts: json) }
}

extension Fundamentals {
    /// The value of a figure as text, for comparison with the printed figure of a filing.
    func text(_ id: String) -> String? { self[id].map { "\($0.value)" } }
}
