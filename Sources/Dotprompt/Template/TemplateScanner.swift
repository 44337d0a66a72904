/// A piece of a template: text, or a tag in braces.
enum TemplateToken {
    case content(String)
    case tag(TagToken)
}

struct TagToken {
    enum Kind {
        case comment
        case output(RawCall)
        case openBlock(RawCall, parameters: [String], isDecorator: Bool)
        /// `{{^name}}`
        case openInverse(RawCall, parameters: [String])
        /// `{{else}}` or `{{^}}`
        case inverse
        /// `{{else if …}}`
        case inverseChain(RawCall, parameters: [String])
        case closeBlock(String)
        case partial(RawCall)
        case openPartialBlock(RawCall)
        case rawBlock(RawCall, content: String)
    }

    var kind: Kind
    var strip: Strip
    var line: Int
}

/// A call whose name has not been looked up yet.
struct RawCall {
    var callee: RawExpression
    var arguments: [RawExpression]
    var hash: [(key: String, value: RawExpression)]
}

indirect enum RawExpression {
    /// A literal with the text that names it where a name is expected.
    case literal(Expression, text: String)
    case path(Path)
    case call(RawCall)

    /// The text of a name: of a block to close, or of a partial.
    var name: String? {
        switch self {
        case .literal(_, let text): text
        case .path(let path): path.original
        case .call: nil
        }
    }
}

/// Cuts a template into text and tags.
struct TemplateScanner {
    var scalars: [Unicode.Scalar]
    var offset = 0
    /// The depth of the current subexpression.
    var depth = 0
    let name: String?
    private let firstLine: Int
    private var countedTo = 0
    private var counted = 0
    private var tokens: [TemplateToken] = []

    init(_ text: String, firstLine: Int, name: String?) {
        scalars = Array(text.unicodeScalars)
        self.firstLine = firstLine
        self.name = name
    }

    mutating func scan() throws(PromptError) -> [TemplateToken] {
        while offset < scalars.count {
            guard let open = find("{{", from: offset) else {
                addContent(offset..<scalars.count)
                break
            }
            try scanContent(upTo: open)
        }
        return tokens
    }

    /// Text before `{{`. A backslash before the braces makes them text; two make one that stays.
    private mutating func scanContent(upTo open: Int) throws(PromptError) {
        let isEscaped = open > offset && scalars[open - 1] == "\\"
        let isDoubled = isEscaped && open - 1 > offset && scalars[open - 2] == "\\"
        guard isEscaped, !isDoubled else {
            addContent(offset..<(isDoubled ? open - 1 : open))
            offset = open
            try scanTag()
            return
        }
        addContent(offset..<(open - 1))
        let next = find("{{", from: open + 2)
        var end = next ?? scalars.count
        if next != nil {
            // The backslashes belong to the braces that follow them.
            if end - 1 >= open + 2, scalars[end - 1] == "\\" { end -= 1 }
            if end - 1 >= open + 2, scalars[end] == "\\", scalars[end - 1] == "\\" { end -= 1 }
        }
        addContent(open..<end)
        offset = end
    }

    private mutating func scanTag() throws(PromptError) {
        let start = offset
        let line = line(at: start)
        if starts(with: "{{{{"), start + 4 < scalars.count, scalars[start + 4] != "/" {
            try scanRawBlock(line)
            return
        }
        offset += 2
        var strip = Strip()
        strip.open = take("~")
        if take("!") {
            strip.close = try skipComment(line)
            tokens.append(.tag(TagToken(kind: .comment, strip: strip, line: line)))
            return
        }
        let kind = try scanTagBody(&strip, line)
        tokens.append(.tag(TagToken(kind: kind, strip: strip, line: line)))
    }

    private mutating func scanTagBody(_ strip: inout Strip, _ line: Int) throws(PromptError) -> TagToken.Kind {
        if take("{") {
            let call = try parseCall(line)
            skipSpace()
            guard take("}"), let isStripped = closeIfNext(skippingSpace: false) else {
                throw failure("'{{{' needs '}}}' at its end", line)
            }
            strip.close = isStripped
            return .output(call)
        }
        if take("&") { return .output(try callAndClose(&strip, line)) }
        if take(">") { return .partial(try callAndClose(&strip, line)) }
        if take("#") {
            if take(">") { return .openPartialBlock(try callAndClose(&strip, line)) }
            let isDecorator = take("*")
            let (call, parameters) = try callParametersAndClose(&strip, line)
            return .openBlock(call, parameters: parameters, isDecorator: isDecorator)
        }
        if take("/") {
            skipSpace()
            let expression = try parseSimpleExpression(line)
            strip.close = try close(line)
            return .closeBlock(expression.name ?? "")
        }
        if take("^") {
            if let isStripped = closeIfNext() {
                strip.close = isStripped
                return .inverse
            }
            let (call, parameters) = try callParametersAndClose(&strip, line)
            return .openInverse(call, parameters: parameters)
        }
        skipSpace()
        if takeWord("else") {
            if let isStripped = closeIfNext() {
                strip.close = isStripped
                return .inverse
            }
            let (call, parameters) = try callParametersAndClose(&strip, line)
            return .inverseChain(call, parameters: parameters)
        }
        if peek == "*" { throw failure("decorators other than '{{#*inline}}' are not supported", line) }
        return .output(try callAndClose(&strip, line))
    }

    /// `{{{{name}}}} … {{{{/name}}}}`: everything up to the closing tag of the same name is text.
    private mutating func scanRawBlock(_ line: Int) throws(PromptError) {
        offset += 4
        let call = try parseCall(line)
        skipSpace()
        guard starts(with: "}}}}") else { throw failure("'{{{{' needs '}}}}' at its end", line) }
        offset += 4
        let name = call.callee.name ?? ""
        guard let end = find("{{{{/\(name)}}}}", from: offset) else {
            throw failure("the raw block '\(name)' has no '{{{{/\(name)}}}}'", line)
        }
        let content = text(offset..<end)
        offset = end + name.unicodeScalars.count + 9
        let kind = TagToken.Kind.rawBlock(call, content: content)
        tokens.append(.tag(TagToken(kind: kind, strip: Strip(), line: line)))
    }

    /// Skips the rest of a comment; returns whether it ends in `~}}`.
    private mutating func skipComment(_ line: Int) throws(PromptError) -> Bool {
        let isLong = starts(with: "--")
        if isLong {
            var search = offset
            while let dashes = find("--", from: search) {
                offset = dashes + 2
                if let isStripped = closeIfNext(skippingSpace: false) { return isStripped }
                search = dashes + 1
            }
        } else if let end = find("}}", from: offset) {
            let isStripped = end > offset && scalars[end - 1] == "~"
            offset = end + 2
            return isStripped
        }
        throw failure("the comment has no end", line)
    }

    // MARK: Ends of tags

    private mutating func callAndClose(_ strip: inout Strip, _ line: Int) throws(PromptError) -> RawCall {
        let call = try parseCall(line)
        strip.close = try close(line)
        return call
    }

    private mutating func callParametersAndClose(
        _ strip: inout Strip, _ line: Int
    ) throws(PromptError) -> (RawCall, [String]) {
        let call = try parseCall(line)
        let parameters = try parseBlockParameters(line)
        strip.close = try close(line)
        return (call, parameters)
    }

    private mutating func close(_ line: Int) throws(PromptError) -> Bool {
        guard let isStripped = closeIfNext() else {
            guard offset < scalars.count else { throw failure("the tag has no '}}'", line) }
            throw failure("'\(scalars[offset])' is not expected here", line)
        }
        return isStripped
    }

    /// Takes `}}` or `~}}`; `nil` when something else comes next.
    private mutating func closeIfNext(skippingSpace: Bool = true) -> Bool? {
        var place = offset
        if skippingSpace {
            while place < scalars.count, JavaScriptWhitespace.contains(scalars[place]) { place += 1 }
        }
        let isStripped = place < scalars.count && scalars[place] == "~"
        if isStripped { place += 1 }
        guard place + 1 < scalars.count, scalars[place] == "}", scalars[place + 1] == "}" else { return nil }
        offset = place + 2
        return isStripped
    }

    // MARK: Small steps

    var peek: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        offset += 1
        return true
    }

    /// Takes a word that is not the beginning of a longer one.
    mutating func takeWord(_ word: String) -> Bool {
        guard starts(with: word) else { return false }
        let end = offset + word.unicodeScalars.count
        guard end >= scalars.count || !Self.isNamePart(scalars[end]) else { return false }
        offset = end
        return true
    }

    mutating func skipSpace() {
        while offset < scalars.count, JavaScriptWhitespace.contains(scalars[offset]) { offset += 1 }
    }

    func starts(with word: String) -> Bool {
        scalars[offset...].starts(with: word.unicodeScalars)
    }

    func find(_ word: String, from start: Int) -> Int? {
        let pattern = Array(word.unicodeScalars)
        guard start + pattern.count <= scalars.count else { return nil }
        return (start...(scalars.count - pattern.count)).first { place in
            scalars[place] == pattern[0] && scalars[place...].starts(with: pattern)
        }
    }

    func text(_ range: Range<Int>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[range])
        return text
    }

    /// Whether a character can be part of a name in a tag.
    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!", "\"", "#", "%"..."," /* %&'()*+, */, ".", "/", ";"...">", "@", "["..."^", "`", "{"..."~": false
        default: !JavaScriptWhitespace.contains(scalar)
        }
    }

    mutating func line(at place: Int) -> Int {
        for scalar in scalars[countedTo..<max(place, countedTo)] where scalar == "\n" { counted += 1 }
        countedTo = max(place, countedTo)
        return firstLine + counted
    }

    func failure(_ message: String, _ line: Int) -> PromptError {
        PromptError(.template, message, line: line, partial: name)
    }

    private mutating func addContent(_ range: Range<Int>) {
        if !range.isEmpty { tokens.append(.content(text(range))) }
        offset = range.upperBound
    }
}
