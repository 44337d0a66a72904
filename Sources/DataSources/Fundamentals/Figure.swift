package import Basics
package import FoundationEssentials
package import JSON

/// One figure of a company with everything that is needed to find it in its filing.
package struct Figure: Sendable, Hashable {
    package let concept: Concept
    package let period: Period
    /// The number as the filing reports it. For a derived figure the result of the calculation, on today's shares.
    package let reported: Decimal
    /// The number on today's shares: `reported` unless there is an `adjustment`. Per-share figures are rounded to six
    /// decimals, share counts to whole shares.
    package let value: Decimal
    /// `USD`, `USD/shares`, `shares`, `EUR`, …
    package let unit: String
    /// Taxonomy and tag (`us-gaap:NetIncomeLoss`); of a derived figure those of its components, joined by `, `.
    package let tag: String
    /// The filing with the number; for a derived figure the latest of the filings of its components.
    package let filing: Filing
    package let adjustment: Adjustment?
    /// The number of an earlier filing that this one replaced.
    package let restatement: Restatement?
    /// The calculation of a figure that no filing reports.
    package let derivation: Derivation?

    package init(
        concept: Concept, period: Period, reported: Decimal, value: Decimal, unit: String, tag: String, filing: Filing,
        adjustment: Adjustment? = nil, restatement: Restatement? = nil, derivation: Derivation? = nil
    ) {
        self.concept = concept
        self.period = period
        self.reported = reported
        self.value = value
        self.unit = unit
        self.tag = tag
        self.filing = filing
        self.adjustment = adjustment
        self.restatement = restatement
        self.derivation = derivation
    }

    /// `revenue.FY2025`, `revenue.FY2026Q1`, `revenue.TTM`: one for each figure of a company.
    package var id: String { "\(concept.rawValue).\(period.label.filter { $0 != " " })" }

    package var double: Double { value.double }

    package var isDerived: Bool { derivation != nil }
}

/// An earlier report of the same period with another number (beyond rounding and splits).
package struct Restatement: Sendable, Hashable {
    /// As the earlier filing reported it.
    package let reported: Decimal
    package let filing: Filing

    package init(reported: Decimal, filing: Filing) {
        self.reported = reported
        self.filing = filing
    }
}

/// A calculation from reported numbers.
package struct Derivation: Sendable, Hashable {
    /// One reported number in the sum.
    package struct Component: Sendable, Hashable {
        /// Added when true, subtracted when false.
        package let isAdded: Bool
        /// On today's shares.
        package let value: Decimal
        package let tag: String
        /// `nil` for an instant.
        package let start: CalendarDate?
        package let end: CalendarDate
        package let filing: Filing

        package init(
            isAdded: Bool, value: Decimal, tag: String, start: CalendarDate?, end: CalendarDate, filing: Filing
        ) {
            self.isAdded = isAdded
            self.value = value
            self.tag = tag
            self.start = start
            self.end = end
            self.filing = filing
        }
    }

    /// In words: `revenue less cost of revenue`, `fiscal year less nine months`.
    package let method: String
    package let components: [Component]

    package init(method: String, components: [Component]) {
        self.method = method
        self.components = components
    }
}

extension Figure {
    /// The figure as the job's result lists it. Reads back with `init(_:)`.
    package var json: JSON {
        var members: JSONObject = [
            "id": JSON(id), "concept": JSON(concept.rawValue), "value": value.json, "reported": reported.json,
            "unit": JSON(unit), "tag": JSON(tag), "period": period.json, "form": JSON(filing.form),
            "accession_number": JSON(filing.accession), "filing_date": JSON("\(filing.filed)"),
        ]
        members["adjustment"] = adjustment?.json
        members["restated_from"] = restatement?.json
        members["derivation"] = derivation?.json
        return .object(members)
    }

    package init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            concept: try field["concept"].value(Concept.init(rawValue:), "a known concept"),
            period: try Period(field["period"]), reported: try field["reported"].decimal(),
            value: try field["value"].decimal(), unit: try field["unit"].string(), tag: try field["tag"].string(),
            filing: try Filing(field), adjustment: try field["adjustment"].map(Adjustment.init),
            restatement: try field["restated_from"].map(Restatement.init),
            derivation: try field["derivation"].map(Derivation.init))
    }
}

extension Period {
    var json: JSON {
        [
            "label": JSON(label), "kind": JSON(kind.rawValue), "start": JSON(start.map { "\($0)" }),
            "end": JSON("\(end)"),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            kind: try field["kind"].value(Kind.init(rawValue:), "a kind of period"),
            start: try field["start"].map { field throws(JSONFieldError) in try field.date() },
            end: try field["end"].date(), label: try field["label"].string())
    }
}

extension Filing {
    /// The members that an object about this filing carries.
    var members: JSONObject {
        ["form": JSON(form), "accession_number": JSON(accession), "filing_date": JSON("\(filed)")]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            form: try field["form"].string(), accession: try field["accession_number"].string(),
            filed: try field["filing_date"].date())
    }
}

extension StockSplit {
    var json: JSON {
        [
            "numerator": JSON(numerator), "denominator": JSON(denominator),
            "effective": JSON(effective.map { "\($0)" }), "boundary": JSON("\(boundary)"),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            numerator: try field["numerator"].positiveInteger(),
            denominator: try field["denominator"].positiveInteger(),
            effective: try field["effective"].map { field throws(JSONFieldError) in try field.date() },
            boundary: try field["boundary"].date())
    }
}

extension Adjustment {
    var json: JSON {
        ["factor": factor.json, "reason": JSON(reason), "splits": .array(splits.map(\.json))]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(splits: try field["splits"].array().map { field throws(JSONFieldError) in try StockSplit(field) })
    }
}

extension Restatement {
    var json: JSON {
        var members = filing.members
        members["reported"] = reported.json
        return .object(members)
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(reported: try field["reported"].decimal(), filing: try Filing(field))
    }
}

extension Derivation {
    var json: JSON { ["method": JSON(method), "components": .array(components.map(\.json))] }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            method: try field["method"].string(),
            components: try field["components"].array().map { field throws(JSONFieldError) in try Component(field) })
    }
}

extension Derivation.Component {
    var json: JSON {
        var members: JSONObject = [
            "sign": isAdded ? "+" : "-", "value": value.json, "tag": JSON(tag), "start": JSON(start.map { "\($0)" }),
            "end": JSON("\(end)"),
        ]
        for (key, value) in filing.members { members[key] = value }
        return .object(members)
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        self.init(
            isAdded: try field["sign"].value({ ["+": true, "-": false][$0] }, "'+' or '-'"),
            value: try field["value"].decimal(), tag: try field["tag"].string(),
            start: try field["start"].map { field throws(JSONFieldError) in try field.date() },
            end: try field["end"].date(), filing: try Filing(field))
    }
}
