/// Works out what a call means and whether its arguments fit, so that a slip shows when a prompt is read.
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

    /// Something that stands for a value: an argument, or the computed name of a partial.
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

    /// A name where a helper could stand: literals are names there too.
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
