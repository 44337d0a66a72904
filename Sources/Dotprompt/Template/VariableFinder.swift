internal import JSON

/// A variable that a template uses and its input schema does not have.
public struct UnknownVariable: Sendable, Hashable {
    /// The path as the template writes it: `company.nmae`.
    public let path: String
    /// The part that leads nowhere: `nmae`.
    public let name: String
    /// The names that the schema has at this place, sorted; empty for a value without members.
    public let known: [String]
    /// The line of the file.
    public let line: Int
    /// The partial whose file has it; `nil` for the prompt's own.
    public let partial: String?
}

/// Follows every path of a template through a JSON Schema of the input, both branches of conditions included, so that a
/// mistyped variable is found before it silently becomes nothing.
///
/// Values that a schema leaves open are passed over: objects with other members, any type, the results of helpers.
struct VariableFinder {
    /// Partials within partials; those that call themselves end here.
    private static let depthLimit = 12

    /// The schemas that are known at a statement; a `nil` schema is a value of which nothing is known.
    private struct Place {
        var value: JSON?
        var ancestors: [JSON?] = []
        var parameters: [String: JSON?] = [:]
        var partial: String?
        var depth = 0

        func entering(_ value: JSON?) -> Place {
            var inner = self
            inner.ancestors.insert(self.value, at: 0)
            inner.value = value
            return inner
        }

        func declaring(_ names: [String], _ values: [JSON?]) -> Place {
            var inner = self
            for (index, name) in names.enumerated() {
                inner.parameters[name] = .some(values.indices.contains(index) ? values[index] : nil)
            }
            return inner
        }
    }

    private let partials: Partials
    private let root: JSON
    private(set) var found: [UnknownVariable] = []

    init(partials: Partials, schema: JSON) {
        self.partials = partials
        root = schema
    }

    mutating func search(_ template: Template) { walk(template.program, Place(value: root)) }

    private mutating func walk(_ program: Program?, _ place: Place) {
        for statement in program?.statements ?? [] {
            switch statement {
            case .output(let expression, _, let line): check(expression, line, place)
            case .block(let block): walk(block, place)
            case .partial(let call): walk(call, place)
            case .content, .text, .comment: break
            }
        }
    }

    private mutating func walk(_ block: Block, _ place: Place) {
        let parameters = block.program?.blockParameters ?? []
        switch block.kind {
        case .helper(let helper, let arguments):
            let first = arguments.positional.first.map { check($0, block.line, place) } ?? nil
            for other in arguments.positional.dropFirst() { check(other, block.line, place) }
            for other in arguments.hash { check(other.value, block.line, place) }
            switch helper {
            case .each:
                let item = Self.item(of: first)
                walk(block.program, place.entering(item).declaring(parameters, [item, nil]))
            case .with: walk(block.program, place.entering(first).declaring(parameters, [first]))
            case .if, .unless, .ifEquals, .unlessEquals: walk(block.program, place.declaring(parameters, []))
            }
            walk(block.inverse, place)
        case .section(let expression):
            let value = check(expression, block.line, place)
            let inner = Self.type(of: value) == "array" ? Self.item(of: value) : value
            let isCondition = Self.type(of: value) == "boolean"
            walk(block.program, (isCondition ? place : place.entering(inner)).declaring(parameters, [inner, nil]))
            walk(block.inverse, place)
        case .partial(let call):
            // The called partial may render the block in any place.
            walk(call, place)
        case .inline, .raw: break
        }
    }

    private mutating func walk(_ call: PartialCall, _ place: Place) {
        var value = call.context.map { check($0, call.line, place) } ?? place.value
        for argument in call.hash {
            let added = check(argument.value, call.line, place)
            guard value?["properties"] != nil else { continue }
            value?["properties"]?[argument.key] = added ?? [:]
        }
        guard case .fixed(let name) = call.name, let template = partials.template(named: name),
            place.depth < Self.depthLimit
        else { return }
        walk(template.program, Place(value: value, partial: name, depth: place.depth + 1))
    }

    // MARK: Paths

    /// The schema of an expression's value; `nil` when nothing is known of it.
    @discardableResult
    private mutating func check(_ expression: Expression, _ line: Int, _ place: Place) -> JSON? {
        switch expression {
        case .literal: return nil
        case .path(let path): return check(path, line, place)
        case .call(_, let arguments):
            for argument in arguments.positional { check(argument, line, place) }
            for argument in arguments.hash { check(argument.value, line, place) }
            return nil
        }
    }

    private mutating func check(_ path: Path, _ line: Int, _ place: Place) -> JSON? {
        var parts = path.parts[...]
        var value: JSON?
        if path.isData {
            guard path.depth == 0, parts.popFirst() == "root" else { return nil }
            value = root
        } else if path.depth == 0, !path.isScoped, let first = parts.first, let known = place.parameters[first] {
            value = known
            parts.removeFirst()
        } else if path.depth > 0 {
            guard place.ancestors.indices.contains(path.depth - 1) else { return nil }
            value = place.ancestors[path.depth - 1]
        } else {
            value = place.value
        }
        for part in parts {
            guard let schema = value else { return nil }
            switch Self.member(part, of: schema) {
            case .known(let member): value = member
            case .unknown(let known):
                let variable = UnknownVariable(
                    path: path.original, name: part, known: known, line: line, partial: place.partial)
                if !found.contains(variable) { found.append(variable) }
                return nil
            }
        }
        return value
    }

    private enum Member {
        case known(JSON?)
        case unknown([String])
    }

    private static func member(_ name: String, of schema: JSON) -> Member {
        switch type(of: schema) {
        case "object":
            guard let properties = schema["properties"]?.object else { return .known(nil) }
            if let member = properties[name] { return .known(member) }
            switch schema["additionalProperties"] {
            case .bool(false)?: return .unknown(properties.keys.sorted())
            case .object?: return .known(schema["additionalProperties"])
            default: return .known(nil)
            }
        case "array": return name == "length" ? .known(nil) : Int(name) == nil ? .unknown([]) : .known(item(of: schema))
        case "string": return name == "length" || Int(name) != nil ? .known(nil) : .unknown([])
        case "number", "integer", "boolean": return .unknown([])
        default: return .known(nil)
        }
    }

    private static func item(of schema: JSON?) -> JSON? { type(of: schema) == "array" ? schema?["items"] : nil }

    /// The only type besides null; `nil` where there are several or none.
    private static func type(of schema: JSON?) -> String? {
        guard let schema else { return nil }
        if let type = schema["type"]?.string { return type }
        let types = (schema["type"]?.array ?? []).compactMap(\.string).filter { $0 != "null" }
        if types.count == 1 { return types[0] }
        return types.isEmpty && schema["properties"] != nil ? "object" : nil
    }
}
