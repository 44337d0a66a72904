public import JSON

/// A helper of one's own: makes a value from arguments (`{{name one two}}`) and named arguments (`key=value`).
///
/// `nil` among the arguments stands for what is missing. What it throws is reported with the line of its call.
public typealias TemplateHelper = @Sendable (_ arguments: [JSON?], _ named: JSONObject) throws -> JSON

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
            // What counts as false has no members and is given back.
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

    private func text(of key: String, _ arguments: HelperArguments, _ scope: Scope) throws(PromptError) -> String {
        guard let argument = arguments.value(of: key) else { return "" }
        return ValueText.text(of: try evaluate(argument, scope))
    }
}
