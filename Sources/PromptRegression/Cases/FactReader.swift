internal import JSON
internal import Prompts

/// Facts as cases write them: `{label: Revenue FY2025, value: 416161000000, unit: USD}`.
enum FactReader {
    private static let units: [(name: String, unit: Fact.Unit)] = [
        ("ratio", .ratio), ("percent", .percent), ("shares", .shares), ("times", .times), ("years", .years),
        ("number", .number),
    ]

    static func facts(_ field: JSONField) throws(JSONFieldError) -> [Fact] {
        var facts: [Fact] = []
        for entry in try field.array() { facts.append(try fact(entry)) }
        return facts
    }

    private static func fact(_ field: JSONField) throws(JSONFieldError) -> Fact {
        for key in try field.object().keys where !["label", "value", "unit"].contains(key) {
            throw field[key].failure("is not known; a fact has 'label', 'value' and 'unit'")
        }
        let name = try field["unit"].string()
        guard let unit = unit(named: name) else {
            throw field["unit"].failure(
                "must be \(units.map(\.name).joined(separator: ", ")) or a currency such as USD")
        }
        return Fact(try field["value"].double(), unit, label: try field["label"].string())
    }

    private static func unit(named name: String) -> Fact.Unit? {
        if let known = units.first(where: { $0.name == name }) { return known.unit }
        let isCurrency = name.utf8.count == 3 && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isCurrency ? .currency(name) : nil
    }

    static func json(_ fact: Fact) -> JSON {
        let unit =
            if case .currency(let code) = fact.unit { code } else {
                units.first { $0.unit == fact.unit }?.name ?? "number"
            }
        return ["label": JSON(fact.label), "value": JSON(fact.value), "unit": JSON(unit)]
    }
}
