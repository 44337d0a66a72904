/// A piece of a template: text, or what stands between braces.
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

/// A call before it is known what its name means.
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
