internal import JSON

/// Partials: templates within templates.
extension Renderer {
    /// Inline partials are known in the whole program in which they stand.
    func defineInlines(of program: Program, in scope: inout Scope) throws(PromptError) {
        for block in program.inlines {
            guard case .inline(let expression) = block.kind, let body = block.program else { continue }
            let name = ValueText.text(of: try evaluate(expression, scope))
            scope.inlines[name] = Fragment(program: body, origin: origin, scope: scope)
        }
    }

    /// Renders a call of a partial; `inside` is what stands between `{{#> name}}` and `{{/name}}`.
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
            // What would have been handed to the partial stands in for it.
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
        // What a caller handed in can rightly call the same partial again, so only templates make a circle.
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

    /// A piece of the calling template: it sees what it saw where it was written.
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
