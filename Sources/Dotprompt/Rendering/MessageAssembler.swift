internal import JSON

/// A piece of rendered output.
///
/// Marks of structure are pieces of their own and never text, so no value that a prompt is rendered with can forge one.
enum OutputSegment: Sendable, Equatable {
    case text(String)
    case role(String, metadata: JSONObject)
    case history
    case media(url: String, contentType: String?)
    case section(String)
}

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
            // A text that ends in a line break does not begin the next line yet.
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

/// Makes messages of rendered output.
///
/// Text before the first role belongs to the user. Text that is only whitespace between two marks is dropped. A role
/// right after another replaces it. Text after a history without a role of its own belongs to the model.
struct MessageAssembler {
    private struct Draft {
        var role = PromptRole.user
        var metadata: JSONObject = [:]
        var parts: [PromptPart] = []
    }

    private var finished: [PromptMessage] = []
    private var draft = Draft()
    /// The parts since the last role or history; those that are only whitespace will be dropped.
    private var piece: [PromptPart] = []

    /// The history takes the place of `{{history}}`, else it is put before the last message when it is the user's, else
    /// at the end.
    static func messages(from segments: [OutputSegment], history: [PromptMessage]) -> [PromptMessage] {
        var assembler = MessageAssembler()
        for segment in segments { assembler.take(segment, history) }
        assembler.closePiece()
        assembler.closeDraft()
        return insert(history, into: assembler.finished)
    }

    private mutating func take(_ segment: OutputSegment, _ history: [PromptMessage]) {
        switch segment {
        case .text(let text): piece.append(.text(text))
        case .media(let url, let contentType): piece.append(.media(url: url, contentType: contentType))
        case .section(let purpose): piece.append(.pending(purpose: purpose))
        case .role(let name, let metadata):
            closePiece()
            if !draft.parts.isEmpty {
                closeDraft()
                draft = Draft()
            }
            draft.role = PromptRole(rawValue: name)
            for (key, value) in metadata { draft.metadata[key] = value }
        case .history:
            closePiece()
            closeDraft()
            for var message in history {
                message.metadata["purpose"] = "history"
                finished.append(message)
            }
            draft = Draft(role: .model)
        }
    }

    private mutating func closePiece() {
        draft.parts += piece.filter { part in
            if case .text(let text) = part { !JavaScriptWhitespace.isBlank(text) } else { true }
        }
        piece = []
    }

    private mutating func closeDraft() {
        guard !draft.parts.isEmpty else { return }
        finished.append(PromptMessage(role: draft.role, content: draft.parts, metadata: draft.metadata))
    }

    private static func insert(_ history: [PromptMessage], into messages: [PromptMessage]) -> [PromptMessage] {
        guard !messages.contains(where: { $0.metadata["purpose"] == "history" }) else { return messages }
        guard let last = messages.last, last.role == .user else { return messages + history }
        return Array(messages.dropLast()) + history + [last]
    }
}
