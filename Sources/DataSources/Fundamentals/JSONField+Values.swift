import FoundationEssentials
import JSON

extension JSONField {
    func date() throws(JSONFieldError) -> CalendarDate {
        try value({ CalendarDate($0) }, "a date (YYYY-MM-DD)")
    }

    func decimal() throws(JSONFieldError) -> Decimal {
        guard let number = value?.number else { throw failure("must be a number") }
        guard let decimal = Decimal(exactly: number) else { throw failure("has too many digits") }
        return decimal
    }

    func positiveInteger() throws(JSONFieldError) -> Int {
        guard let number = Int(exactly: try integer()), number > 0 else { throw failure("must be positive") }
        return number
    }

    /// A value that is written as text.
    func value<Value>(_ read: (String) -> Value?, _ expected: String) throws(JSONFieldError) -> Value {
        guard let value = read(try string()) else { throw failure("must be \(expected)") }
        return value
    }

    /// What the field holds, when it is there and not null.
    func map<Value>(_ read: (JSONField) throws(JSONFieldError) -> Value) throws(JSONFieldError) -> Value? {
        guard let field = optional else { return nil }
        return try read(field)
    }
}
