/// Builds the statements of a template from its tokens.
struct TemplateParser {
    /// Blocks within blocks; each `else if` counts as one.
    private static let depthLimit = 100

    private let tokens: [TemplateToken]
    private let name: String?
    private let helpers: Set<String>
    private var position = 0
    private var depth = 0
    /// The block parameters that are visible, which win over helpers of the same name.
    private var blockParameters: [[String]] = []

    /// The texts between tags.
    private(set) var contents: [String] = []
    private(set) var partialReferences: [PartialReference] = []

    init(_ tokens: [TemplateToken], name: String?, helpers: Set<String>) {
        self.tokens = tokens
        self.name = name
        self.helpers = helpers
    }

    mutating func parse() throws(PromptError) -> Program {
        let program = try parseProgram()
        if case .tag(let tag)? = current {
            if case .closeBlock(let name) = tag.kind {
                throw failure("'{{/\(name)}}' closes a block that is not open", tag.line)
            }
            throw failure("'{{else}}' stands outside of a block", tag.line)
        }
        return program
    }

    private var current: TemplateToken? { position < tokens.count ? tokens[position] : nil }

    /// Statements up to the end or up to a tag that belongs to the block around them.
    private mutating func parseProgram(parameters: [String] = []) throws(PromptError) -> Program {
        depth += 1
        blockParameters.append(parameters)
        defer {
            depth -= 1
            blockParameters.removeLast()
        }
        var program = Program(blockParameters: parameters)
        while let token = current {
            switch token {
            case .content(let text):
                position += 1
                program.statements.append(.content(contents.count))
                contents.append(text)
            case .tag(let tag):
                guard depth <= Self.depthLimit else {
                    throw failure("blocks are nested deeper than \(Self.depthLimit)", tag.line)
                }
                guard let statement = try parseStatement(tag) else { return program }
                if case .block(let block) = statement, case .inline = block.kind { program.inlines.append(block) }
                program.statements.append(statement)
            }
        }
        return program
    }

    /// `nil` for a tag that ends the program.
    private mutating func parseStatement(_ tag: TagToken) throws(PromptError) -> Statement? {
        switch tag.kind {
        case .inverse, .inverseChain, .closeBlock: return nil
        case .comment:
            position += 1
            return .comment(tag.strip)
        case .output(let call):
            position += 1
            return .output(try output(call, tag.line), strip: tag.strip, line: tag.line)
        case .partial(let call):
            position += 1
            return .partial(try partialCall(call, tag))
        case .openPartialBlock(let call):
            position += 1
            let kind = Block.Kind.partial(try partialCall(call, tag))
            return .block(try parseBlock(kind, tag, name: call.callee.name, parameters: []))
        case .openBlock(let call, let parameters, let isDecorator):
            position += 1
            let kind = try isDecorator ? inlineKind(call, tag.line) : blockKind(call, tag.line)
            return .block(try parseBlock(kind, tag, name: call.callee.name, parameters: parameters))
        case .openInverse(let call, let parameters):
            position += 1
            let kind = try blockKind(call, tag.line)
            return .block(
                try parseBlock(kind, tag, name: call.callee.name, parameters: parameters, isInverted: true))
        case .rawBlock(let call, let content):
            position += 1
            let kind = isPlainName(call) ? Block.Kind.raw : try blockKind(call, tag.line)
            let program = Program(statements: [.content(contents.count)])
            contents.append(content)
            return .block(Block(kind: kind, program: program, line: tag.line))
        }
    }

    // MARK: Blocks

    private mutating func parseBlock(
        _ kind: Block.Kind, _ open: TagToken, name: String?, parameters: [String], isInverted: Bool = false
    ) throws(PromptError) -> Block {
        var block = Block(kind: kind, openStrip: open.strip, line: open.line)
        block.program = try parseProgram(parameters: parameters)
        if case .tag(let tag)? = current {
            switch tag.kind {
            case .inverse, .inverseChain:
                if case .inline = kind { throw failure("'{{#*inline}}' has no '{{else}}'", tag.line) }
                if case .partial = kind { throw failure("'{{#>}}' has no '{{else}}'", tag.line) }
                block.inverseStrip = tag.strip
                block.inverse = try parseInverse(tag, isInverted: isInverted)
            default: break
            }
        }
        guard case .tag(let close)? = current else {
            throw failure("the block '\(name ?? "")' is not closed", open.line)
        }
        guard case .closeBlock(let closing) = close.kind else {
            throw failure("a second '{{else}}' in the block '\(name ?? "")'", close.line)
        }
        if let name, name != closing {
            throw failure("'{{/\(closing)}}' cannot close the block '\(name)' of line \(open.line)", close.line)
        }
        position += 1
        block.closeStrip = close.strip
        setCloseStrip(of: &block.inverse, close.strip)
        if isInverted { swap(&block.program, &block.inverse) }
        return block
    }

    /// The branch after `{{else}}`, or the chain that `{{else if}}` begins.
    private mutating func parseInverse(_ tag: TagToken, isInverted: Bool) throws(PromptError) -> Program {
        position += 1
        guard case .inverseChain(let call, let parameters) = tag.kind else { return try parseProgram() }
        guard !isInverted else { throw failure("'{{^}}' cannot go on with '{{else if}}'", tag.line) }
        depth += 1
        defer { depth -= 1 }
        var inner = Block(kind: try blockKind(call, tag.line), openStrip: tag.strip, line: tag.line)
        inner.program = try parseProgram(parameters: parameters)
        if case .tag(let next)? = current {
            switch next.kind {
            case .inverse, .inverseChain:
                inner.inverseStrip = next.strip
                inner.closeStrip = next.strip
                inner.inverse = try parseInverse(next, isInverted: false)
                setCloseStrip(of: &inner.inverse, next.strip)
            default: break
            }
        }
        return Program(statements: [.block(inner)], isChained: true)
    }

    /// The last block of a chain ends where the whole block ends.
    private func setCloseStrip(of inverse: inout Program?, _ strip: Strip) {
        guard inverse?.isChained == true, case .block(var inner)? = inverse?.statements.first else { return }
        inner.closeStrip = strip
        inverse?.statements[0] = .block(inner)
    }

    private func inlineKind(_ call: RawCall, _ line: Int) throws(PromptError) -> Block.Kind {
        guard call.callee.name == "inline" else {
            throw failure("decorators other than '{{#*inline}}' are not supported", line)
        }
        guard call.arguments.count == 1 else { throw failure("'{{#*inline}}' needs one name", line) }
        return .inline(try argument(call.arguments[0], line))
    }

    private mutating func partialCall(_ call: RawCall, _ tag: TagToken) throws(PromptError) -> PartialCall {
        guard call.arguments.count <= 1 else { throw failure("a partial takes one context at most", tag.line) }
        let partialName: PartialCall.Name
        if let fixed = call.callee.name {
            partialName = .fixed(fixed)
            if fixed != "@partial-block", !partialReferences.contains(where: { $0.name == fixed }) {
                partialReferences.append(PartialReference(name: fixed, line: tag.line))
            }
        } else {
            partialName = .computed(try argument(call.callee, tag.line))
        }
        var context: Expression?
        if let given = call.arguments.first { context = try argument(given, tag.line) }
        return PartialCall(
            name: partialName, context: context, hash: try hash(call, tag.line), strip: tag.strip, line: tag.line)
    }

    // MARK: Names

    /// The helper or block parameter or variable that a name means.
    enum Meaning {
        case helper(Helper)
        case blockHelper(BlockHelper)
        case value
    }

    func meaning(of callee: RawExpression) -> Meaning {
        guard case .path(let path) = callee, let name = path.simpleName,
            !blockParameters.contains(where: { $0.contains(name) })
        else { return .value }
        if helpers.contains(name) { return .helper(.custom(name)) }
        if let helper = Helper.builtIn[name] { return .helper(helper) }
        return BlockHelper(rawValue: name).map(Meaning.blockHelper) ?? .value
    }

    private func isPlainName(_ call: RawCall) -> Bool {
        if case .value = meaning(of: call.callee) { call.arguments.isEmpty && call.hash.isEmpty } else { false }
    }

    func failure(_ message: String, _ line: Int) -> PromptError {
        PromptError(.template, message, line: line, partial: name)
    }
}

/// Looks up the name of each call and checks its arguments, so that a slip shows when a prompt is read.
extension TemplateParser {
    /// `{{name …}}`
    func output(_ call: RawCall, _ line: Int) throws(PromptError) -> Expression {
        switch meaning(of: call.callee) {
        case .helper(let helper): return .call(helper, try arguments(call, of: helper, line))
        case .blockHelper(let helper):
            throw failure("'\(helper)' needs '#' and an inside; \(Self.advice(helper.rawValue))", line)
        case .value:
            if !call.arguments.isEmpty || !call.hash.isEmpty { throw unknownHelper(call, line) }
            return try value(call.callee, line)
        }
    }

    /// `{{#name …}}`
    func blockKind(_ call: RawCall, _ line: Int) throws(PromptError) -> Block.Kind {
        switch meaning(of: call.callee) {
        case .helper:
            throw failure("'\(call.callee.name ?? "")' is no block helper: write it without '#'", line)
        case .blockHelper(let helper):
            let given = HelperArguments(
                positional: try expressions(call.arguments, line), hash: try hash(call, line), line: line)
            let count = helper == .ifEquals || helper == .unlessEquals ? 2 : 1
            guard given.positional.count == count else {
                throw failure("'#\(helper)' needs \(count == 1 ? "one argument" : "two arguments")", line)
            }
            return .helper(helper, given)
        case .value:
            if !call.arguments.isEmpty || !call.hash.isEmpty { throw unknownHelper(call, line) }
            return .section(try value(call.callee, line))
        }
    }

    /// An expression with a value: an argument, or the computed name of a partial.
    func argument(_ expression: RawExpression, _ line: Int) throws(PromptError) -> Expression {
        switch expression {
        case .literal(let literal, _): return literal
        case .path(let path): return .path(path)
        case .call(let call):
            switch meaning(of: call.callee) {
            case .helper(let helper) where !helper.isStructural:
                return .call(helper, try arguments(call, of: helper, line))
            case .helper, .blockHelper:
                throw failure("'\(call.callee.name ?? "")' makes no value that could be passed on", line)
            case .value: throw unknownHelper(call, line)
            }
        }
    }

    func hash(_ call: RawCall, _ line: Int) throws(PromptError) -> [HashArgument] {
        var arguments: [HashArgument] = []
        for (key, value) in call.hash { arguments.append(HashArgument(key: key, value: try argument(value, line))) }
        return arguments
    }

    private func expressions(_ raw: [RawExpression], _ line: Int) throws(PromptError) -> [Expression] {
        var expressions: [Expression] = []
        for expression in raw { expressions.append(try argument(expression, line)) }
        return expressions
    }

    /// A name in the place of a helper: literals are names there too.
    private func value(_ callee: RawExpression, _ line: Int) throws(PromptError) -> Expression {
        switch callee {
        case .literal(_, let text): return .path(Path(parts: [text], original: text))
        default: return try argument(callee, line)
        }
    }

    private func arguments(
        _ call: RawCall, of helper: Helper, _ line: Int
    ) throws(PromptError) -> HelperArguments {
        let given = HelperArguments(
            positional: try expressions(call.arguments, line), hash: try hash(call, line), line: line)
        let name = call.callee.name ?? ""
        switch helper {
        case .role, .section:
            guard given.positional.count == 1 else {
                throw failure("'\(name)' needs one name, like '{{\(name) \"user\"}}'; \(Self.advice(name))", line)
            }
        case .json:
            guard given.positional.count == 1 else {
                throw failure("'json' needs one value; \(Self.advice(name))", line)
            }
        case .lookup:
            guard given.positional.count == 2 else { throw failure("'lookup' needs a value and a key", line) }
        case .media:
            guard given.positional.isEmpty, given.value(of: "url") != nil else {
                throw failure("'media' needs 'url=' and takes 'contentType='; \(Self.advice(name))", line)
            }
        case .history:
            guard given.positional.isEmpty else { throw failure("'history' takes no arguments", line) }
        case .log, .custom: break
        }
        return given
    }

    private func unknownHelper(_ call: RawCall, _ line: Int) -> PromptError {
        failure("there is no helper '\(call.callee.name ?? "")'", line)
    }

    private static func advice(_ name: String) -> String { "a variable of that name is '{{this.\(name)}}'" }
}
