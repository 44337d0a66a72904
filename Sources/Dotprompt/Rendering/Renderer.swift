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
    let limits: RenderLimits
    var output: OutputBuffer
    var steps = 0
    var calls: [Call] = []
    /// The partial whose statements are carried out; `nil` for the prompt itself.
    var origin: String?

    init(partials: Partials, helpers: [String: TemplateHelper], limits: RenderLimits) {
        self.partials = partials
        self.helpers = helpers
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
