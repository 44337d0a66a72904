internal import JSON

/// Validates one value: decides and explains in one pass.
struct SchemaValidator {
    typealias Violation = JSONSchema.Violation

    /// Applications of a schema to a value: a schema whose alternatives multiply with each level of a value would
    /// otherwise keep a thread for hours.
    static let stepLimit = 5_000_000
    /// Applications of a schema inside of others, which bounds the stack.
    static let nestingLimit = 1_200

    let schema: CompiledSchema
    var path = ValuePath()
    private var steps = 0
    private var nesting = 0
    /// Set when a limit was exceeded; then nothing else is reported.
    private var exceeded: Violation?

    init(schema: CompiledSchema) { self.schema = schema }

    mutating func validate(_ value: JSON) -> [Violation] {
        if let violation = tooDeep(value) { return [violation] }
        var evaluated = EvaluatedParts()
        let found = violations(of: schema.root, value, &evaluated)
        if let exceeded { return [exceeded] }
        guard found.count > 1 else { return found }
        var seen: Set<Violation> = []
        return Array(found.filter { seen.insert($0).inserted }.prefix(JSONSchema.violationLimit))
    }

    /// Checks a value against a schema, ignoring which parts of the value it evaluates.
    mutating func violations(of index: Int, _ value: JSON) -> [Violation] {
        var evaluated = EvaluatedParts()
        return violations(of: index, value, &evaluated)
    }

    /// Checks a value against a schema and adds the parts of the value that the schema evaluates, if the value is
    /// valid.
    mutating func violations(of index: Int, _ value: JSON, _ evaluated: inout EvaluatedParts) -> [Violation] {
        switch schema.nodes[index] {
        case .anything: return []
        case .nothing: return [violation("is not allowed")]
        case .rules(let rules):
            guard enter() else { return [] }
            defer { nesting -= 1 }
            if !rules.types.isEmpty, !Self.fits(value, rules.types) {
                return [violation("must be \(rules.typeNames), not \(Self.kind(of: value))")]
            }
            var parts = EvaluatedParts()
            var found = valueViolations(rules, value)
            switch value {
            case .string(let text): if let rules = rules.text { found += violations(of: rules, text) }
            case .number(let number): if let rules = rules.number { found += violations(of: rules, number) }
            case .array(let elements): if let rules = rules.array { found += violations(of: rules, elements, &parts) }
            case .object(let members):
                if let rules = rules.object { found += violations(of: rules, members, value, &parts) }
            default: break
            }
            found += combinationViolations(rules, value, &parts)
            found += unevaluatedViolations(rules, value, &parts)
            if found.isEmpty { evaluated.formUnion(parts) }
            return found
        }
    }

    private mutating func enter() -> Bool {
        steps += 1
        if exceeded == nil {
            if steps > Self.stepLimit { exceeded = Violation(path: "", problem: "takes too long to be validated") }
            if nesting >= Self.nestingLimit { exceeded = violation("is nested too deeply for its schema") }
        }
        guard exceeded == nil else { return false }
        nesting += 1
        return true
    }

    func violation(_ problem: String) -> Violation { Violation(path: path.text, problem: problem) }

    func violation(at step: ValuePath.Step, _ problem: String) -> Violation {
        Violation(path: path.text(with: step), problem: problem)
    }

    func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// The first part that is nested too deeply, also where no schema applies.
    private mutating func tooDeep(_ value: JSON, depth: Int = 0) -> Violation? {
        guard depth <= JSONSchema.depthLimit else {
            return violation("is nested deeper than \(JSONSchema.depthLimit) levels")
        }
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.isContainer {
                path.steps.append(.element(index))
                defer { path.steps.removeLast() }
                if let violation = tooDeep(element, depth: depth + 1) { return violation }
            }
        case .object(let members):
            for (key, member) in members where member.isContainer {
                path.steps.append(.member(key))
                defer { path.steps.removeLast() }
                if let violation = tooDeep(member, depth: depth + 1) { return violation }
            }
        default: break
        }
        return nil
    }

    // MARK: Types and fixed values

    private func valueViolations(_ rules: SchemaRules, _ value: JSON) -> [Violation] {
        if let constant = rules.constant, constant != value { return [violation("must be \(Self.shown(constant))")] }
        guard let (list, set) = rules.values, !set.contains(value) else { return [] }
        if list.count == 1 { return [violation("must be \(Self.shown(list[0]))")] }
        let shown = list.prefix(20).map(Self.shown).joined(separator: ", ") + (list.count > 20 ? ", …" : "")
        return [violation("must be one of \(shown)")]
    }

    static func fits(_ value: JSON, _ types: Set<ValueType>) -> Bool {
        switch value {
        case .null: types.contains(.null)
        case .bool: types.contains(.boolean)
        case .string: types.contains(.string)
        case .array: types.contains(.array)
        case .object: types.contains(.object)
        case .number(let number): types.contains(.number) || types.contains(.integer) && number.isWhole
        }
    }

    private static func kind(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .array, .object: "an \(value.kind.rawValue)"
        case .number(let number): number.isWhole ? "a number" : "a number with a fraction"
        default: "a \(value.kind.rawValue)"
        }
    }

    /// A value in a message; long ones are cut.
    static func shown(_ value: JSON) -> String {
        let text = value.compact
        return text.unicodeScalars.count > 60 ? Substring(text.unicodeScalars.prefix(60)) + "…" : text
    }
}

extension JSON {
    fileprivate var isContainer: Bool { kind == .array || kind == .object }
}

/// The members and elements of a value that a schema has dealt with; `unevaluated…` applies to the others.
struct EvaluatedParts {
    var keys: Set<JSONKey> = []
    var indices: Set<Int> = []

    mutating func formUnion(_ other: EvaluatedParts) {
        if !other.keys.isEmpty { keys.formUnion(other.keys) }
        if !other.indices.isEmpty { indices.formUnion(other.indices) }
    }
}

/// The way to the value that is validated, whose text is made only for a violation.
///
/// Long keys are cut and long ways end early: the keys come from the value, and a text is made for each violation.
struct ValuePath {
    enum Step {
        case member(String)
        case element(Int)
    }

    private static let longestKey = 100
    private static let longestText = 400

    var steps: [Step] = []

    var text: String { steps.reduce(into: "", Self.append) }

    func text(with step: Step) -> String {
        var text = text
        Self.append(&text, step)
        return text
    }

    private static func append(_ text: inout String, _ step: Step) {
        guard text.utf8.count < longestText else { return }
        switch step {
        case .element(let index): text += "[\(index)]"
        case .member(let key):
            if !text.isEmpty { text += "." }
            text += key.utf8.count > longestKey ? "\(Substring(key.unicodeScalars.prefix(longestKey / 4)))…" : key
        }
    }
}
