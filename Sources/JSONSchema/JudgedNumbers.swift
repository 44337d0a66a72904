internal import JSON

/// Writes numbers so that valijson, which knows machine integers and doubles, reads them by their value: `3.0` is an
/// integer, and what exceeds a double is the largest one rather than an error.
enum JudgedNumbers {
    static func prepared(_ value: JSON) -> JSON {
        switch value {
        case .number(let number): .number(prepared(number))
        case .array(let elements): .array(elements.map(prepared))
        case .object(let members): .object(JSONObject(members.map { ($0.key, prepared($0.value)) }))
        default: value
        }
    }

    private static func prepared(_ number: JSONNumber) -> JSONNumber {
        if let integer = number.integer { return JSONNumber(integer) }
        let double = number.double
        guard !double.isFinite else { return number }
        let largest = number.literal.hasPrefix("-") ? -Double.greatestFiniteMagnitude : .greatestFiniteMagnitude
        return JSONNumber(largest) ?? number
    }
}
