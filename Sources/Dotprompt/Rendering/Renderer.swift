internal import JSON

/// Renders one template once.
///
/// A value is written out and never read as a template again, and marks of structure never travel as text.
struct Renderer {
    /// A partial that is being rendered, and with which context.
    struct Call {
        let name: String
        /// Whether it is a piece of the template that called it rather than a template of its own.
        let isFragment: Bool
        let value: JSON?
    }

    let partials: Partials
    let helpers: [String: TemplateHelper]
    let placeHelpers: Set<String>
    let limits: RenderLimits
    var output: OutputBuffer
    var steps = 0
    var calls: [Call] = []
    /// The partial whose statements are carried out; `nil` for the prompt itself.
    var origin: String?

    init(partials: Partials, helpers: [String: TemplateHelper], placeHelpers: Set<String> = [], limits: RenderLimits) {
        self.partials = partials
        self.helpers = helpers
        self.placeHelpers = placeHelpers
        self.limits = limits
        output = OutputBuffer(limit: limits.outputSize)
    }

    /// Renders with a context and the variables that start with `@`, to which `@root` is added.
    mutating func render(
        _ template: Template, value: JSON, data: [String: JSON]
    ) throws(PromptError) -> [OutputSegment] {
        var data = data
        data["root"] = value
        try render(template.program, Scope(value: value, data: DataFrame(data)))
        return output.finish()
    }

    mutating func render(_ program: Program, _ scope: Scope) throws(PromptError) {
        var scope = scope
        try defineInlines(of: program, in: &scope)
        for statement in program.statements {
            switch statement {
            case .text(let text): output.write(text)
            case .output(let expression, _, let line): try write(expression, scope, line)
            case .block(let block): try render(block, scope)
            case .partial(let call): try render(call, nil, scope)
            case .comment, .content: break
            }
            try count(statement)
        }
    }

    private mutating func count(_ statement: Statement) throws(PromptError) {
        steps += 1
        guard steps <= limits.steps else {
            throw failure("rendering takes more than \(limits.steps) steps", statement.line)
        }
        guard output.isWithinLimit else {
            throw failure("the output is larger than \(limits.outputSize) bytes", statement.line)
        }
    }

    private mutating func write(_ expression: Expression, _ scope: Scope, _ line: Int) throws(PromptError) {
        if case .call(let helper, let arguments) = expression, helper.isStructural {
            output.write(try mark(helper, arguments, scope))
        } else if case .call(.custom(let name), let arguments) = expression, placeHelpers.contains(name) {
            output.write(.section(try place(name, arguments, scope)))
        } else {
            output.write(ValueText.text(of: try evaluate(expression, scope)))
        }
    }

    func failure(_ message: String, _ line: Int?) -> PromptError {
        PromptError(.rendering, message, line: line, partial: origin)
    }
}

extension Statement {
    var line: Int? {
        switch self {
        case .content, .text, .comment: nil
        case .output(_, _, let line): line
        case .block(let block): block.line
        case .partial(let call): call.line
        }
    }
}

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

    /// A block about the current context itself opens no new level for `../`.
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
