public import JSON

/// A JSON Schema, compiled once; any number of threads may validate with it at once.
///
///     let schema = try JSONSchema(["type": "object", "required": ["ticker"], …])
///     for violation in schema.validate(value) { print(violation.message) }   // 'ticker' is missing
///
/// The dialect is draft 7, with `$defs`, `prefixItems`, `dependentRequired` and `dependentSchemas` of 2020-12. A `$ref`
/// leads to a place in the same schema. `format` says what a text means and is not checked. A schema that uses a
/// keyword whose meaning would be lost is refused rather than half obeyed.
public struct JSONSchema: Sendable {
    /// Levels of nesting in a value, and in a schema.
    static let depthLimit = 128
    /// The longest list whose elements are compared with each other for `uniqueItems`.
    static let longestUniqueList = 4_096

    /// The schema as it was given.
    public let source: JSON

    private let judge: SchemaValidator
    private let explainer: ViolationExplainer
    private let comparesElements: Bool

    /// Compiles a schema.
    ///
    /// - Throws: `JSONSchemaError` naming the place in the schema.
    public init(_ source: JSON) throws(JSONSchemaError) {
        self.source = source
        var reader = SchemaReader(root: source)
        let schema = try reader.read()
        comparesElements = reader.comparesElements
        judge = try SchemaValidator(schema)
        explainer = ViolationExplainer(root: schema)
    }

    /// What is wrong with a value; empty when it is valid.
    ///
    /// Valid or not is valijson's decision; the words are found by walking schema and value again. At most
    /// `ViolationExplainer.limit` violations are reported.
    public func validate(_ value: JSON) -> [Violation] {
        if let violation = ValueLimits.violation(in: value, comparesElements: comparesElements) { return [violation] }
        let judged = JudgedNumbers.prepared(value)
        switch judge.answer(judged) {
        case .valid: return []
        case .invalid, .failed: break
        }
        let violations = explainer.explain(judged)
        return violations.isEmpty ? judge.findings(judged) : violations
    }

    /// Whether a value is valid.
    public func isValid(_ value: JSON) -> Bool { validate(value).isEmpty }
}
