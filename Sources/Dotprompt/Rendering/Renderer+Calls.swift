internal import JSON

extension Renderer {
    func evaluate(_ expression: Expression, _ scope: Scope) throws(PromptError) -> JSON? {
        switch expression {
        case .literal(let value): return value
        case .path(let path): return scope.lookUp(path)
        case .call(let helper, let arguments): return try call(helper, arguments, scope)
        }
    }

    func evaluate(_ hash: [HashArgument], _ scope: Scope) throws(PromptError) -> [(key: String, value: JSON?)] {
        var values: [(key: String, value: JSON?)] = []
        for argument in hash { values.append((argument.key, try evaluate(argument.value, scope))) }
        return values
    }

    private func call(_ helper: Helper, _ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> JSON? {
        switch helper {
        case .json: return .string(try json(arguments, scope))
        case .lookup:
            let value = try evaluate(arguments.positional[0], scope)
            let key = try evaluate(arguments.positional[1], scope)
            // A value that counts as false has no members and is the result itself.
            return Truth.isFalse(value) && value?.array == nil
                ? value : Scope.member(ValueText.text(of: key), of: value)
        case .custom(let name): return try callCustom(name, arguments, scope)
        case .log, .role, .history, .media, .section: return nil
        }
    }

    private func json(_ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> String {
        let value = try evaluate(arguments.positional[0], scope)
        var indent = ""
        if let argument = arguments.value(of: "indent") {
            switch try evaluate(argument, scope) {
            case .number(let number):
                indent = String(repeating: " ", count: Int(min(max(number.double.rounded(.down), 0), 10)))
            case .string(let text): indent = String(text.prefix(10))
            default: break
            }
        }
        return ValueText.json(value ?? .null, indent: indent)
    }

    private func callCustom(
        _ name: String, _ arguments: HelperArguments, _ scope: Scope
    ) throws(PromptError) -> JSON? {
        guard let helper = helpers[name] else { throw failure("there is no helper '\(name)'", arguments.line) }
        var positional: [JSON?] = []
        for argument in arguments.positional { positional.append(try evaluate(argument, scope)) }
        let named = JSONObject(try evaluate(arguments.hash, scope).map { ($0.key, $0.value ?? .null) })
        do {
            return try helper(positional, named)
        } catch {
            throw failure("the helper '\(name)' failed: \(error)", arguments.line)
        }
    }

    // MARK: Structure

    /// The mark that `role`, `history`, `media` or `section` leaves in the output.
    func mark(_ helper: Helper, _ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> OutputSegment {
        switch helper {
        case .role:
            let name = ValueText.text(of: try evaluate(arguments.positional[0], scope))
            guard !name.isEmpty, name.unicodeScalars.allSatisfy({ ("a"..."z").contains($0) }) else {
                throw failure("the name of a role must be lower-case letters", arguments.line)
            }
            let metadata = try evaluate(arguments.hash, scope).map { ($0.key, JSON(ValueText.text(of: $0.value))) }
            return .role(name, metadata: JSONObject(metadata))
        case .media:
            let url = try text(of: "url", arguments, scope)
            guard !url.isEmpty else { throw failure("'media' has an empty 'url'", arguments.line) }
            let contentType = try text(of: "contentType", arguments, scope)
            return .media(url: url, contentType: contentType.isEmpty ? nil : contentType)
        case .section: return .section(ValueText.text(of: try evaluate(arguments.positional[0], scope)))
        default: return .history
        }
    }

    /// The purpose of the place that `{{name "purpose"}}` leaves.
    func place(_ name: String, _ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> String {
        guard arguments.positional.count == 1, arguments.hash.isEmpty,
            case .string(let purpose)? = try evaluate(arguments.positional[0], scope), !purpose.isEmpty
        else { throw failure("'\(name)' needs one name in quotation marks", arguments.line) }
        return name + " " + purpose
    }

    private func text(of key: String, _ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> String {
        guard let argument = arguments.value(of: key) else { return "" }
        return ValueText.text(of: try evaluate(argument, scope))
    }
}

/// Partials: templates within templates.
extension Renderer {
    /// Inline partials are known in the whole program that contains them.
    func defineInlines(of program: Program, in scope: inout Scope) throws(PromptError) {
        for block in program.inlines {
            guard case .inline(let expression) = block.kind, let body = block.program else { continue }
            let name = ValueText.text(of: try evaluate(expression, scope))
            scope.inlines[name] = Fragment(program: body, origin: origin, scope: scope)
        }
    }

    /// Renders a call of a partial; `inside` is the program between `{{#> name}}` and `{{/name}}`.
    mutating func render(_ call: PartialCall, _ inside: Program?, _ scope: Scope) throws(PromptError) {
        let name: String
        switch call.name {
        case .fixed(let fixed): name = fixed
        case .computed(let expression): name = ValueText.text(of: try evaluate(expression, scope))
        }
        var inner = scope
        inner.value = try context(of: call, scope)
        if let inside {
            inner.partialBlock = Fragment(program: inside, origin: origin, scope: scope)
            try defineInlines(of: inside, in: &inner)
        }
        guard calls.count < limits.partialDepth else {
            throw failure("partials are nested deeper than \(limits.partialDepth): \(chain(to: name))", call.line)
        }
        if !call.indent.isEmpty { output.beginIndent(call.indent) }
        defer { if !call.indent.isEmpty { output.endIndent() } }
        if name == "@partial-block" {
            guard let block = scope.partialBlock else {
                throw failure("'{{> @partial-block}}' is used, but the partial was called without a block", call.line)
            }
            try render(block, name, inner, partialBlock: block.scope.partialBlock)
        } else if let fragment = inner.inlines[name] {
            try render(fragment, name, inner, partialBlock: inner.partialBlock)
        } else if let template = partials.template(named: name) {
            try render(template, name, inner, call.line)
        } else if let inside {
            // The block that would have been passed to the partial replaces it.
            let fragment = Fragment(program: inside, origin: origin, scope: scope)
            try render(fragment, name, inner, partialBlock: scope.partialBlock)
        } else {
            throw failure("there is no partial '\(name)'", call.line)
        }
    }

    private func context(of call: PartialCall, _ scope: Scope) throws(PromptError) -> JSON? {
        var value = scope.value
        if let context = call.context { value = try evaluate(context, scope) }
        guard !call.hash.isEmpty else { return value }
        var members = value?.object ?? JSONObject()
        for (key, value) in try evaluate(call.hash, scope) { members[key] = value }
        return .object(members)
    }

    /// A template of its own: it sees neither the contexts nor the block parameters around its call.
    private mutating func render(
        _ template: Template, _ name: String, _ scope: Scope, _ line: Int
    ) throws(PromptError) {
        // A block that a caller passes in may call the same partial again, so only templates make a circle.
        if calls.reversed().prefix(while: { !$0.isFragment }).contains(where: {
            $0.name == name && $0.value == scope.value
        }) {
            throw failure("partials call each other in a circle: \(chain(to: name))", line)
        }
        var inner = scope
        inner.ancestors = nil
        inner.parameters = nil
        try render(template.program, inner, as: Call(name: name, isFragment: false, value: scope.value), origin: name)
    }

    /// A piece of the calling template: it sees the scope in which it was written.
    private mutating func render(
        _ fragment: Fragment, _ name: String, _ scope: Scope, partialBlock: Fragment?
    ) throws(PromptError) {
        var inner = fragment.scope
        if scope.value != fragment.scope.value { inner = inner.entering(scope.value) }
        inner.data = scope.data
        inner.inlines = scope.inlines
        inner.partialBlock = partialBlock
        let call = Call(name: name, isFragment: true, value: scope.value)
        try render(fragment.program, inner, as: call, origin: fragment.origin)
    }

    private mutating func render(
        _ program: Program, _ scope: Scope, as call: Call, origin newOrigin: String?
    ) throws(PromptError) {
        let outer = origin
        origin = newOrigin
        calls.append(call)
        defer {
            calls.removeLast()
            origin = outer
        }
        try render(program, scope)
    }

    private func chain(to name: String) -> String {
        let names = calls.map(\.name) + [name]
        let shown = names.count > 8 ? ["…"] + names.suffix(8) : names
        return shown.joined(separator: " → ")
    }
}
