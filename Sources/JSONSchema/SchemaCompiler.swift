internal import JSON

/// Checks a schema and turns it into the form that a validator works with.
struct SchemaCompiler {
    private var schema = CompiledSchema()
    /// The schemas by their places.
    private var places: [JSONPointer: Int] = [:]
    private var pointers: [JSONPointer] = []
    private var anchors: [String: Int] = [:]
    private var references: [(schema: Int, target: String, value: KeywordValue)] = []

    static func compile(_ source: JSON) throws(JSONSchemaError) -> CompiledSchema {
        var compiler = SchemaCompiler()
        compiler.schema.root = try compiler.read(KeywordValue(value: source, pointer: JSONPointer()), depth: 0)
        try compiler.resolveReferences()
        try compiler.rejectCircles()
        return compiler.schema
    }

    private mutating func read(_ source: KeywordValue, depth: Int) throws(JSONSchemaError) -> Int {
        guard depth <= JSONSchema.depthLimit else {
            throw source.failure("nested deeper than \(JSONSchema.depthLimit)")
        }
        let index = schema.nodes.count
        places[source.pointer] = index
        pointers.append(source.pointer)
        schema.nodes.append(.anything)
        if let flag = source.value.bool {
            schema.nodes[index] = flag ? .anything : .nothing
            return index
        }
        guard let members = source.value.object else {
            throw source.failure("a schema must be an object, true or false")
        }
        var rules = SchemaRules()
        for (key, value) in members where value != .null || key == "const" {
            guard let keyword = SchemaKeyword(rawValue: key) else {
                if SchemaKeyword.unsupported.contains(key) {
                    throw source.failure("the keyword '\(key)' is not supported")
                }
                if key == "$id", index != schema.root { throw source.failure("'$id' is supported at the root only") }
                continue
            }
            let value = KeywordValue(value: value, pointer: source.pointer.appending(key))
            try read(keyword, value, of: members, into: &rules, schema: index, depth: depth + 1)
        }
        schema.nodes[index] = .rules(rules)
        return index
    }

    private mutating func read(
        _ keyword: SchemaKeyword, _ value: KeywordValue, of members: JSONObject, into rules: inout SchemaRules,
        schema index: Int, depth: Int
    ) throws(JSONSchemaError) {
        switch keyword {
        case .ref: references.append((index, try value.text(), value))
        case .anchor: anchors[try value.text()] = index
        case .defs, .definitions: for (_, member) in try value.members() { _ = try read(member, depth: depth) }
        case .type:
            let types = try value.types()
            (rules.types, rules.typeNames) = (Set(types), Self.alternatives(types.map(\.name)))
        case .enum:
            let values = try value.values()
            rules.values = (values, Set(values))
        case .const: rules.constant = value.value
        case .minLength: rules.text[default: TextRules()].minLength = try value.count()
        case .maxLength: rules.text[default: TextRules()].maxLength = try value.count()
        case .pattern:
            rules.text[default: TextRules()].pattern = (try value.text(), try value.pattern())
        case .minimum: rules.number[default: NumberRules()].minimum = try value.number()
        case .maximum: rules.number[default: NumberRules()].maximum = try value.number()
        case .exclusiveMinimum: rules.number[default: NumberRules()].exclusiveMinimum = try value.number()
        case .exclusiveMaximum: rules.number[default: NumberRules()].exclusiveMaximum = try value.number()
        case .multipleOf: rules.number[default: NumberRules()].multipleOf = try value.positiveNumber()
        case .allOf: rules.allOf = try readAll(value, depth)
        case .anyOf: rules.anyOf = try readAll(value, depth)
        case .oneOf: rules.oneOf = try readAll(value, depth)
        case .not: rules.not = try read(value, depth: depth)
        case .if: rules.condition = try read(value, depth: depth)
        case .then: rules.consequence = try read(value, depth: depth)
        case .else: rules.alternative = try read(value, depth: depth)
        case .items, .prefixItems, .additionalItems, .contains, .minContains, .maxContains, .minItems, .maxItems,
            .uniqueItems, .unevaluatedItems:
            try read(keyword, value, of: members, into: &rules.array[default: ArrayRules()], depth: depth)
        case .properties, .patternProperties, .additionalProperties, .propertyNames, .required, .minProperties,
            .maxProperties, .dependencies, .dependentRequired, .dependentSchemas, .unevaluatedProperties:
            try read(keyword, value, into: &rules.object[default: ObjectRules()], depth: depth)
        }
    }

    private mutating func read(
        _ keyword: SchemaKeyword, _ value: KeywordValue, of members: JSONObject, into rules: inout ArrayRules,
        depth: Int
    ) throws(JSONSchemaError) {
        switch keyword {
        case .prefixItems: rules.prefix = try readEach(value.elements(), depth)
        case .items:
            // Draft 7 writes the schemas of the first elements as a list here.
            if members["prefixItems"] == nil, value.value.array != nil {
                rules.prefix = try readEach(value.elements(), depth)
            } else {
                rules.rest = try read(value, depth: depth)
            }
        case .additionalItems:
            let rest = try read(value, depth: depth)
            if members["items"]?.array != nil { rules.rest = rest }
        case .contains: rules.contains = try read(value, depth: depth)
        case .minContains: rules.minContains = try value.count()
        case .maxContains: rules.maxContains = try value.count()
        case .minItems: rules.minItems = try value.count()
        case .maxItems: rules.maxItems = try value.count()
        case .uniqueItems: rules.hasUniqueItems = try value.flag()
        default:
            schema.notesEvaluated = true
            rules.unevaluated = try read(value, depth: depth)
        }
    }

    private mutating func read(
        _ keyword: SchemaKeyword, _ value: KeywordValue, into rules: inout ObjectRules, depth: Int
    ) throws(JSONSchemaError) {
        switch keyword {
        case .properties:
            for (key, member) in try value.members() {
                rules.properties[JSONKey(key)] = try read(member, depth: depth)
                rules.knownNames.append(key)
            }
        case .patternProperties:
            for (key, member) in try value.members() {
                rules.patterns.append((try value.compile(key), try read(member, depth: depth)))
            }
        case .additionalProperties: rules.additional = try read(value, depth: depth)
        case .propertyNames: rules.names = try read(value, depth: depth)
        case .required: rules.required = try value.names()
        case .minProperties: rules.minProperties = try value.count()
        case .maxProperties: rules.maxProperties = try value.count()
        case .dependencies, .dependentRequired, .dependentSchemas:
            for (key, member) in try value.members() {
                if keyword == .dependentRequired || keyword == .dependencies && member.value.array != nil {
                    rules.dependencies.append((key, .names(try member.names())))
                } else {
                    rules.dependencies.append((key, .schema(try read(member, depth: depth))))
                }
            }
        default:
            schema.notesEvaluated = true
            rules.unevaluated = try read(value, depth: depth)
        }
    }

    private mutating func readAll(_ value: KeywordValue, _ depth: Int) throws(JSONSchemaError) -> [Int] {
        let elements = try value.elements()
        guard !elements.isEmpty else { throw value.failure("must be a list of schemas") }
        return try readEach(elements, depth)
    }

    private mutating func readEach(_ elements: [KeywordValue], _ depth: Int) throws(JSONSchemaError) -> [Int] {
        var schemas: [Int] = []
        for element in elements { schemas.append(try read(element, depth: depth)) }
        return schemas
    }

    private static func alternatives(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }

    // MARK: References

    private mutating func resolveReferences() throws(JSONSchemaError) {
        for (index, target, value) in references {
            guard target.hasPrefix("#") else { throw value.failure("'\(target)' leads outside of this schema") }
            let found = JSONPointer(reference: target).flatMap { places[$0] } ?? anchors[String(target.dropFirst())]
            guard let found else { throw value.failure("the $ref '\(target)' leads to no schema here") }
            guard case .rules(var rules) = schema.nodes[index] else { continue }
            rules.reference = found
            schema.nodes[index] = .rules(rules)
        }
    }

    /// A schema that leads back to itself for the same value has no end.
    private func rejectCircles() throws(JSONSchemaError) {
        enum State { case open, finished }
        var states: [Int: State] = [:]
        for start in schema.nodes.indices {
            var stack: [(index: Int, isExit: Bool)] = [(start, false)]
            while let (index, isExit) = stack.popLast() {
                if isExit {
                    states[index] = .finished
                    continue
                }
                if states[index] == .finished { continue }
                guard states[index] == nil else { throw failure(index, "the schema refers to itself without end") }
                states[index] = .open
                stack.append((index, true))
                stack += sameValue(as: index).map { ($0, false) }
            }
        }
    }

    /// The schemas that apply to the same value as a schema.
    private func sameValue(as index: Int) -> [Int] {
        guard case .rules(let rules) = schema.nodes[index] else { return [] }
        let single = [rules.reference, rules.not, rules.condition, rules.consequence, rules.alternative]
        let dependent = rules.object?.dependencies.compactMap {
            if case .schema(let index) = $0.needs { index } else { nil }
        }
        return single.compactMap { $0 } + rules.allOf + rules.anyOf + rules.oneOf + (dependent ?? [])
    }

    private func failure(_ index: Int, _ problem: String) -> JSONSchemaError {
        JSONSchemaError(pointer: pointers[index].reference, problem: problem)
    }
}

extension Optional {
    /// The value, which is made when it is first needed.
    fileprivate subscript(default value: @autoclosure () -> Wrapped) -> Wrapped {
        get { self ?? value() }
        set { self = newValue }
    }
}
