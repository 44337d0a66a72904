internal import JSON

/// What counts as true in a template.
enum Truth {
    /// Whether `{{#if}}` takes the branch for false: false, null, what is missing, an empty text or list, and zero.
    static func isFalse(_ value: JSON?, zeroIsTrue: Bool = false) -> Bool {
        switch value {
        case nil, .null: true
        case .bool(let flag): !flag
        case .number(let number): !zeroIsTrue && number.double == 0
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object: false
        }
    }
}
