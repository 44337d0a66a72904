internal import JSON

/// A Handlebars template, parsed once and rendered any number of times.
struct Template: Sendable {
    let program: Program
    /// The partial that this is, for error messages; `nil` for the body of a prompt.
    let name: String?
    /// The partials that the template calls by a fixed name, in order of appearance, with the line of the first call.
    let partialReferences: [PartialReference]

    /// - Parameters:
    ///   - text: The template.
    ///   - name: The partial that this is.
    ///   - helpers: Names of helpers beyond the built-in ones.
    ///   - firstLine: The line of the file in which the template starts.
    /// - Throws: `PromptError` of stage `template`.
    init(
        parsing text: String, name: String? = nil, helpers: Set<String> = [], firstLine: Int = 1
    ) throws(PromptError) {
        var scanner = TemplateScanner(text, firstLine: firstLine, name: name)
        var parser = TemplateParser(try scanner.scan(), name: name, helpers: helpers)
        var program = try parser.parse()
        var whitespace = WhitespaceControl(contents: parser.contents)
        whitespace.apply(to: &program)
        self.program = whitespace.resolved(program)
        self.name = name
        partialReferences = parser.partialReferences
    }
}

/// A call of a partial by name.
public struct PartialReference: Sendable, Hashable {
    /// The name of the partial.
    public let name: String
    /// The line of the file, counting from 1.
    public let line: Int
}

/// A sequence of statements: a whole template, or the inside of a block.
struct Program: Sendable {
    var statements: [Statement] = []
    var blockParameters: [String] = []
    /// Whether this is an `else` branch that consists of one further block (`{{else if …}}`).
    var isChained = false
    /// The inline partials that are defined in it, at any place.
    var inlines: [Block] = []
}

enum Statement: Sendable {
    /// Text by its index among the template's texts, while whitespace is still being worked out.
    case content(Int)
    case text(String)
    case comment(Strip)
    case output(Expression, strip: Strip, line: Int)
    case block(Block)
    case partial(PartialCall)
}

/// The sides of a tag that carry a `~`.
struct Strip: Sendable {
    var open = false
    var close = false
}

struct Block: Sendable {
    enum Kind: Sendable {
        case helper(BlockHelper, HelperArguments)
        /// `{{#name}}` where `name` is no helper: a list repeats, a value becomes the context, falsehood skips.
        case section(Expression)
        case partial(PartialCall)
        /// `{{#*inline "name"}}`
        case inline(Expression)
        /// `{{{{raw}}}}`: the content as it is written.
        case raw
    }

    var kind: Kind
    var program: Program?
    var inverse: Program?
    var openStrip = Strip()
    var inverseStrip = Strip()
    var closeStrip = Strip()
    var line: Int
}

struct PartialCall: Sendable {
    enum Name: Sendable {
        case fixed(String)
        case computed(Expression)
    }

    var name: Name
    var context: Expression?
    var hash: [HashArgument]
    var strip: Strip
    var line: Int
    /// The blanks before a call that has its line for itself; every line of the output gets them.
    var indent = ""
}

struct HashArgument: Sendable {
    var key: String
    var value: Expression
}

struct HelperArguments: Sendable {
    var positional: [Expression] = []
    var hash: [HashArgument] = []
    var line: Int

    func value(of key: String) -> Expression? { hash.last { $0.key == key }?.value }
}

indirect enum Expression: Sendable {
    /// `nil` is `undefined`.
    case literal(JSON?)
    case path(Path)
    case call(Helper, HelperArguments)
}

/// A way to a value, like `../user.name`, `@index` or `this`.
struct Path: Sendable {
    /// Whether it starts with `@`.
    var isData = false
    /// The number of `../` at its start.
    var depth = 0
    var parts: [String] = []
    /// Whether it starts with `this` or a dot, so that it names neither a helper nor a block parameter.
    var isScoped = false
    var original = ""

    /// The name, when the path is nothing more than one.
    var simpleName: String? { parts.count == 1 && depth == 0 && !isScoped && !isData ? parts[0] : nil }
}

/// The helpers that make a value or a mark in the output.
enum Helper: Sendable, Hashable {
    case json, lookup, log
    case role, history, media, section
    case custom(String)

    /// Whether it marks the structure of the conversation rather than making a value.
    var isStructural: Bool { [.role, .history, .media, .section].contains(self) }

    static let builtIn: [String: Helper] = [
        "json": .json, "lookup": .lookup, "log": .log, "role": .role, "history": .history, "media": .media,
        "section": .section,
    ]
}

/// The helpers that have an inside.
enum BlockHelper: String, Sendable {
    case `if`, unless, each, with, ifEquals, unlessEquals
}

/// Whitespace as JavaScript's `\s` and `trim()` define it, and with them the format.
enum JavaScriptWhitespace {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    static func isBlank(_ text: some StringProtocol) -> Bool { text.unicodeScalars.allSatisfy(contains) }

    static func trimmingStart(_ text: String) -> String {
        String(text.unicodeScalars.drop(while: contains))
    }

    static func trimmingEnd(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { !contains($0) }) else { return "" }
        return String(scalars[...last])
    }
}
