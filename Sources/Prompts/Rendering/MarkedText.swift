internal import Dotprompt

/// The text of one message, cut at its marks.
///
/// Blanks around a mark belong to the text after it, so that a text before a mark is the same whether or not another
/// one follows. A mark that nothing divides from the one before it is left out.
struct MarkedText {
    private(set) var parts: [RenderedModelPrompt.Message.Part] = []
    private var blanks = ""

    init(_ content: [PromptPart], of prompt: String) throws(RenderingError) {
        var isAfterMark = false
        for part in content {
            switch part {
            case .text(let text):
                // The line of a mark is no line of the text.
                add(
                    isAfterMark && text.utf8.first == UInt8(ascii: "\n")
                        ? String(text.unicodeScalars.dropFirst()) : text)
                isAfterMark = false
            case .pending(let purpose) where purpose.hasPrefix(PromptHelpers.cacheMark + " "):
                add(mark: String(purpose.dropFirst(PromptHelpers.cacheMark.count + 1)))
                isAfterMark = true
            default:
                throw .template(prompt: prompt, reason: "only text can be sent to a model, no media or sections")
            }
        }
        if !parts.contains(where: { if case .text = $0 { true } else { false } }) { parts = [] }
    }

    private mutating func add(_ text: String) {
        let isFirst = parts.isEmpty
        let whole = (blanks + text).unicodeScalars
        guard let last = whole.lastIndex(where: { !$0.properties.isWhitespace }) else {
            blanks = isFirst ? "" : String(whole)
            return
        }
        let kept = whole[...last]
        blanks = String(whole[whole.index(after: last)...])
        let piece = String(isFirst ? kept.drop { $0.properties.isWhitespace } : kept)
        if case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + piece)
        } else {
            parts.append(.text(piece))
        }
    }

    private mutating func add(mark name: String) {
        if case .cacheMark? = parts.last { return }
        parts.append(.cacheMark(name))
    }
}
