import SQLSupport
internal import JSON

/// A value on its way into a statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    /// Sixteen bytes, most significant first.
    case uuid(UInt64, UInt64)

    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
    static func integer(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
    static func integer(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    static func integer(_ flag: Bool) -> SQLiteValue { .integer(flag ? Int64(1) : Int64(0)) }
    /// A list for `json_each`.
    static func list(_ values: [String]) -> SQLiteValue { .text(JSON(values).compact) }
    static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}
