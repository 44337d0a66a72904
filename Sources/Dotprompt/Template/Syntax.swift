internal import JSON

/// A sequence of statements: a whole template, or the inside of a block.
struct Program: Sendable {
    var statements: [Statement] = []
    var blockParameters: [String] = []
    /// Whether this is an `else` branch that consists of one further block (`{{else if …}}`).
    var isChained = false
    /// The inline partials that are defined in it, wherever they stand.
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

/// Which sides of a tag carry a `~`.
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
        /// `{{{{raw}}}}`: the content as it stands.
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
    /// What stands before the call on its line when it has the line for itself; every line of the output gets it.
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
    /// How many `../` it starts with.
    var depth = 0
    var parts: [String] = []
    /// Whether it starts with `this` or a dot, so that neither a helper nor a block parameter is meant.
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
