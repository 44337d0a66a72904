internal import JSON

/// Blocks: conditions, loops and changes of context.
extension Renderer {
    mutating func render(_ block: Block, _ scope: Scope) throws(PromptError) {
        switch block.kind {
        case .helper(let helper, let arguments): try render(helper, arguments, block, scope)
        case .section(let expression): try renderSection(try evaluate(expression, scope), block, scope)
        case .partial(let call): try render(call, block.program, scope)
        case .raw: try render(branch: block.program, scope)
        case .inline: break
        }
    }

    private mutating func render(branch: Program?, _ scope: Scope) throws(PromptError) {
        if let branch { try render(branch, scope) }
    }

    private mutating func render(
        _ helper: BlockHelper, _ arguments: HelperArguments, _ block: Block, _ scope: Scope
    ) throws(PromptError) {
        let first = try evaluate(arguments.positional[0], scope)
        switch helper {
        case .if, .unless:
            var zeroIsTrue = false
            if let option = arguments.value(of: "includeZero") {
                zeroIsTrue = !Truth.isFalse(try evaluate(option, scope))
            }
            let isTrue = !Truth.isFalse(first, zeroIsTrue: zeroIsTrue)
            try render(branch: isTrue == (helper == .if) ? block.program : block.inverse, scope)
        case .ifEquals, .unlessEquals:
            let isEqual = first == (try evaluate(arguments.positional[1], scope))
            try render(branch: isEqual == (helper == .ifEquals) ? block.program : block.inverse, scope)
        case .with:
            guard !Truth.isFalse(first, zeroIsTrue: true) else {
                try render(branch: block.inverse, scope)
                return
            }
            let inner = isSameContext(arguments.positional[0]) ? scope : enter(first, scope)
            try render(branch: block.program, inner.declaring(block.program?.blockParameters ?? [], [first]))
        case .each: try renderEach(first, block, scope)
        }
    }

    /// `{{#name}}` for a name that is no helper.
    private mutating func renderSection(_ value: JSON?, _ block: Block, _ scope: Scope) throws(PromptError) {
        // A section gives its parameters values only when it repeats, as in Handlebars.js.
        let parameters = block.program?.blockParameters ?? []
        switch value {
        case nil, .null, .bool(false): try render(branch: block.inverse, scope)
        case .bool(true): try render(branch: block.program, scope.declaring(parameters, []))
        case .array: try renderEach(value, block, scope)
        default: try render(branch: block.program, enter(value, scope).declaring(parameters, []))
        }
    }

    private mutating func renderEach(_ value: JSON?, _ block: Block, _ scope: Scope) throws(PromptError) {
        let items: [(key: JSON, value: JSON)]
        switch value {
        case .array(let elements): items = elements.enumerated().map { (JSON($0), $1) }
        case .object(let members): items = members.map { (.string($0.key), $0.value) }
        default: items = []
        }
        guard !items.isEmpty, let program = block.program else {
            try render(branch: items.isEmpty ? block.inverse : nil, scope)
            return
        }
        for (index, item) in items.enumerated() {
            var inner = enter(item.value, scope)
            let iteration = DataFrame.Iteration(key: item.key, index: index, isLast: index == items.count - 1)
            inner.data = DataFrame(iteration, in: scope.data)
            try render(program, inner.declaring(program.blockParameters, [item.value, item.key]))
            steps += 1
        }
    }

    /// A block about the very context that it stands in opens no new level for `../`.
    private func isSameContext(_ expression: Expression) -> Bool {
        guard case .path(let path) = expression else { return false }
        return path.parts.isEmpty && path.depth == 0 && !path.isData
    }

    private func enter(_ value: JSON?, _ scope: Scope) -> Scope {
        switch value {
        case .string, .number, .bool: value == scope.value ? scope : scope.entering(value)
        default: scope.entering(value)
        }
    }
}
