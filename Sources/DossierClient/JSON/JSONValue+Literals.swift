extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil`
    public init(nilLiteral: ()) { self = .null }
    /// `true`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// `1`
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `1.5`
    public init(floatLiteral value: Double) { self = .number(value) }
    /// `"text"`
    public init(stringLiteral value: String) { self = .string(value) }
    /// `[1, "text"]`
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// `["name": 1]`; of equal names the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
