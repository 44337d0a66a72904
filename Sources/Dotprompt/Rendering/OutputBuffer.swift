/// Collects output, indents it, and stops when there is too much.
struct OutputBuffer {
    /// The indent of a partial, and whether the line that comes next still needs it.
    private struct Indent {
        let text: String
        var isDue = true
    }

    private let limit: Int
    private var size = 0
    private var text = ""
    private var segments: [OutputSegment] = []
    private var indents: [Indent] = []

    init(limit: Int) { self.limit = limit }

    /// Whether less than the limit was written.
    var isWithinLimit: Bool { size <= limit }

    mutating func write(_ addition: String) {
        guard !addition.isEmpty, isWithinLimit else { return }
        guard !indents.isEmpty else {
            size += addition.utf8.count
            if isWithinLimit { text += addition }
            return
        }
        let lines = addition.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1
            // What ends in a line break does not begin the next line yet.
            if isLast, line.isEmpty { break }
            writeDueIndents()
            var piece = String(line)
            if !isLast { piece += "\n" }
            size += piece.utf8.count
            guard isWithinLimit else { return }
            text += piece
            if !isLast { for place in indents.indices { indents[place].isDue = true } }
        }
    }

    mutating func write(_ mark: OutputSegment) {
        writeDueIndents()
        if case .media(let url, _) = mark { size += url.utf8.count }
        size += 32
        guard isWithinLimit else { return }
        flush()
        segments.append(mark)
    }

    mutating func beginIndent(_ indent: String) { indents.append(Indent(text: indent)) }

    mutating func endIndent() { indents.removeLast() }

    mutating func finish() -> [OutputSegment] {
        flush()
        return segments
    }

    private mutating func flush() {
        if !text.isEmpty { segments.append(.text(text)) }
        text = ""
    }

    private mutating func writeDueIndents() {
        for place in indents.indices where indents[place].isDue {
            size += indents[place].text.utf8.count
            text += indents[place].text
            indents[place].isDue = false
        }
    }
}
