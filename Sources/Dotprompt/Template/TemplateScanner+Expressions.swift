internal import JSON

/// Reads the inside of a tag.
extension TemplateScanner {
    private static let depthLimit = 32

    /// A name with its arguments: `helper one two=three`.
    mutating func parseCall(_ line: Int) throws(PromptError) -> RawCall {
        var call = RawCall(callee: try parseExpression(line), arguments: [], hash: [])
        while startsExpression {
            if let key = takeHashKey() {
                call.hash.append((key, try parseExpression(line)))
            } else if call.hash.isEmpty {
                call.arguments.append(try parseExpression(line))
            } else {
                throw failure("an argument without a name cannot follow one with a name", line)
            }
        }
        return call
    }

    /// `as |item index|`, or nothing.
    mutating func parseBlockParameters(_ line: Int) throws(PromptError) -> [String] {
        let start = offset
        skipSpace()
        guard takeWord("as") else { return [] }
        skipSpace()
        guard take("|") else {
            offset = start
            return []
        }
        var names: [String] = []
        while true {
            skipSpace()
            if take("|") { break }
            guard let name = takeName() else { throw failure("'as |' needs names and a closing '|'", line) }
            names.append(name)
        }
        guard !names.isEmpty else { throw failure("'as ||' names nothing", line) }
        return names
    }

    /// A path, a literal or a subexpression.
    mutating func parseExpression(_ line: Int) throws(PromptError) -> RawExpression {
        skipSpace()
        guard take("(") else { return try parseSimpleExpression(line) }
        depth += 1
        guard depth <= Self.depthLimit else {
            throw failure("expressions are nested deeper than \(Self.depthLimit)", line)
        }
        let call = try parseCall(line)
        skipSpace()
        guard take(")") else { throw failure("a '(' has no ')'", line) }
        depth -= 1
        return .call(call)
    }

    mutating func parseSimpleExpression(_ line: Int) throws(PromptError) -> RawExpression {
        skipSpace()
        switch peek {
        case nil: throw failure("the tag has no '}}'", line)
        case "\"", "'": return try parseString(line)
        default: break
        }
        if let literal = parseNumber() ?? parseWordLiteral() { return literal }
        return .path(try parsePath(line))
    }

    // MARK: Literals

    private mutating func parseString(_ line: Int) throws(PromptError) -> RawExpression {
        let quote = scalars[offset]
        offset += 1
        var text = ""
        while let scalar = peek {
            offset += 1
            if scalar == quote { return .literal(.literal(.string(text)), text: text) }
            if scalar == "\\", take(quote) {
                text.unicodeScalars.append(quote)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        throw failure("a string has no closing quote", line)
    }

    private mutating func parseNumber() -> RawExpression? {
        var end = offset
        if end < scalars.count, scalars[end] == "-" { end += 1 }
        func skipDigits() -> Bool {
            let start = end
            while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
            return end > start
        }
        guard skipDigits() else { return nil }
        if end < scalars.count, scalars[end] == "." {
            end += 1
            guard skipDigits() else { return nil }
        }
        guard isLiteralEnd(end) else { return nil }
        let text = text(offset..<end)
        guard let value = Self.number(text) else { return nil }
        offset = end
        return .literal(.literal(.number(value)), text: text)
    }

    /// A number as templates write it, which may have zeros in front.
    private static func number(_ text: String) -> JSONNumber? {
        let digits = text.drop { $0 == "-" }.drop { $0 == "0" }
        let body = digits.isEmpty || digits.hasPrefix(".") ? "0\(digits)" : String(digits)
        return JSONNumber(literal: text.hasPrefix("-") ? "-\(body)" : body)
    }

    private mutating func parseWordLiteral() -> RawExpression? {
        let words: [(String, JSON?)] = [("true", true), ("false", false), ("null", .null), ("undefined", nil)]
        for (word, value) in words {
            let end = offset + word.utf8.count
            guard starts(with: word), isLiteralEnd(end) else { continue }
            offset = end
            return .literal(.literal(value), text: word)
        }
        return nil
    }

    private func isLiteralEnd(_ place: Int) -> Bool {
        guard place < scalars.count else { return true }
        return JavaScriptWhitespace.contains(scalars[place]) || ["~", "}", ")", "]"].contains(scalars[place])
    }

    // MARK: Paths

    private mutating func parsePath(_ line: Int) throws(PromptError) -> Path {
        var path = Path()
        path.isData = take("@")
        var separator = ""
        repeat {
            guard let (part, isBracketed) = try takeSegment(line) else {
                guard let found = peek else { throw failure("the tag has no '}}'", line) }
                throw failure("a name was expected, not '\(found)'", line)
            }
            path.original += separator + part
            if !isBracketed, part == ".." || part == "." || part == "this" {
                guard path.parts.isEmpty else { throw failure("'\(path.original)' is no path", line) }
                path.isScoped = true
                if part == ".." { path.depth += 1 }
            } else {
                path.parts.append(part)
            }
            separator = peek == "/" ? "/" : "."
        } while take("/") || take(".")
        if path.isData { path.original = "@" + path.original }
        return path
    }

    private mutating func takeSegment(_ line: Int) throws(PromptError) -> (String, isBracketed: Bool)? {
        if starts(with: "..") {
            offset += 2
            return ("..", false)
        }
        if take(".") { return (".", false) }
        if take("[") {
            var text = ""
            while let scalar = peek {
                offset += 1
                if scalar == "]" { return (text, true) }
                if scalar == "\\", let escaped = peek, escaped == "]" || escaped == "\\" {
                    offset += 1
                    text.unicodeScalars.append(escaped)
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
            throw failure("a '[' has no ']'", line)
        }
        return takeName().map { ($0, false) }
    }

    private mutating func takeName() -> String? {
        let start = offset
        while offset < scalars.count, Self.isNamePart(scalars[offset]) { offset += 1 }
        return offset > start ? text(start..<offset) : nil
    }

    // MARK: Arguments

    /// Whether an argument comes next rather than the end of the tag or block parameters.
    private var startsExpression: Bool {
        mutating get {
            skipSpace()
            guard let scalar = peek, ![")", "}", "~", "|"].contains(scalar) else { return false }
            guard starts(with: "as") else { return true }
            var probe = self
            guard probe.takeWord("as") else { return true }
            probe.skipSpace()
            return probe.peek != "|"
        }
    }

    /// `key=`, or nothing.
    private mutating func takeHashKey() -> String? {
        let start = offset
        if peek == "[" || peek.map(Self.isNamePart) == true,
            let segment = try? takeSegment(0), !segment.0.isEmpty
        {
            skipSpace()
            if take("=") { return segment.0 }
        }
        offset = start
        return nil
    }
}
