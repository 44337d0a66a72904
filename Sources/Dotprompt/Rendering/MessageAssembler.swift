internal import JSON

/// Makes messages of rendered output.
///
/// Text before the first role belongs to the user. Text that is only whitespace between two marks is dropped. A role
/// right after another replaces it. What follows a history without a role of its own belongs to the model.
struct MessageAssembler {
    private struct Draft {
        var role = PromptRole.user
        var metadata: JSONObject = [:]
        var parts: [PromptPart] = []
    }

    private var finished: [PromptMessage] = []
    private var draft = Draft()
    /// What came since the last role or history, which counts only when it is more than whitespace.
    private var piece: [PromptPart] = []

    /// The history is put where `{{history}}` stands, else before the last message when it is the user's, else at the
    /// end.
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
        return messages.dropLast() + history + [last]
    }
}
