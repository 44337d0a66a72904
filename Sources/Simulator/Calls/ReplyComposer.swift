internal import Basics
internal import JSON

/// Composes the reply to a call from the call and the accepted answers, so that equal requests get equal replies.
struct ReplyComposer: Sendable {
    /// A fault in the content of a reply.
    enum Flaw: Sendable, Equatable {
        case refusal, blockedPrompt, truncation, brokenSchema, invalidJSON, emptyContent, inventedFigure
        case badClaim(BadClaim)
    }

    /// Tokens that the longest thought takes.
    private static let mostThinking = 63

    let call: SimulatedCall
    let flaw: Flaw?
    private let accepted: AcceptedAnswers

    init(_ call: SimulatedCall, flaw: Flaw? = nil, accepted: AcceptedAnswers = .none) {
        self.call = call
        self.flaw = flaw
        self.accepted = accepted
    }

    /// The reply to a call whose input the cache reads and writes in parts.
    func reply(_ usage: Reply.Usage) -> Reply {
        let (content, stop) = flawed(composed)
        let thinking =
            call.thinks && stop != .blockedPrompt ? 16 + Int(call.digest.utf8.first ?? 0) % (Self.mostThinking - 15) : 0
        var reply = Reply(
            id: String(call.digest.prefix(24)), content: content, stop: stop,
            usage: usage, thinks: call.thinks)
        reply.usage.output = thinking
        reply.usage.thinking = thinking
        limit(&reply)
        switch reply.content {
        case .text(let text): reply.usage.output += TokenCount.of(text)
        case .toolCalls(let calls):
            reply.usage.output += calls.reduce(0) { $0 + 8 + TokenCount.of($1.arguments.compact) }
        }
        return reply
    }

    // MARK: Content

    private var composed: (Reply.Content, Reply.Stop) {
        if let tool = toolToCall {
            var filler = SchemaWriter(writer(for: tool.schema, isMarked: false), root: tool.schema)
            let arguments = filler.value()
            let id = String(call.digest.suffix(24))
            return (
                .toolCalls([
                    Reply.ToolCall(id: id, name: tool.name, arguments: arguments.object == nil ? [:] : arguments)
                ]),
                .toolUse
            )
        }
        return (.text(call.schema != nil || call.wantsJSON ? structured.compact : paragraph), .finished)
    }

    /// A forced tool choice always gives a call. With a free choice, the first reply calls a tool, and the reply to the
    /// tool's result is text.
    private var toolToCall: SimulatedCall.Tool? {
        switch call.toolChoice {
        case .none: nil
        case .named(let names): call.tools.first { names.contains($0.name) }
        case .any: call.tools.first
        case .auto: call.hasToolResult ? nil : call.tools.first
        }
    }

    private var structured: JSON {
        guard let schema = call.schema else { return ["text": JSON(paragraph)] }
        // The answer has to fit into the limit of tokens, with the names of its members.
        let bytes = max(0, (call.maxTokens - Self.mostThinking) * 4 - 100)
        let known = flaw == .inventedFigure ? nil : accepted.answer(to: call)
        let value =
            known
            ?? {
                var filler = SchemaWriter(
                    writer(for: schema), root: schema, room: bytes / 7, fixed: accepted.fixedTexts(for: call))
                return filler.value()
            }()
        if case .badClaim(let fault) = flaw { return fault.spoiled(value, passages: passages(schema)) }
        return flaw == .brokenSchema ? broken(value) : value
    }

    private var paragraph: String {
        var writer = writer(for: .null)
        return writer.prose(
            ProseWriter.Specification(
                topic: Phrases.shared.topic(of: "summary", within: []), name: "summary",
                sentences: LengthHint(low: 3, high: 5), mayRepeat: true))
    }

    /// The texts that the request lets an answer cite.
    private func passages(_ schema: JSON) -> [JSON] {
        let material = Material(
            instructions: call.instructions, texts: call.userTexts,
            descriptions: SchemaResolver.descriptions(in: schema))
        return material.context.first { $0.name == "passages" }?.elements ?? []
    }

    private func writer(for schema: JSON, isMarked: Bool = true) -> ProseWriter {
        let material = Material(
            instructions: call.instructions, texts: call.userTexts,
            descriptions: SchemaResolver.descriptions(in: schema))
        return ProseWriter(
            material, rules: WritingRules(call.instructions), random: SeededRandom(digest: call.digest),
            language: AnswerLanguage.asked(in: call.userTexts) ?? .english,
            intrusion: flaw == .inventedFigure ? inventedSentence(besides: material) : nil, isMarked: isMarked)
    }

    // MARK: Flaws

    private func flawed(_ composed: (Reply.Content, Reply.Stop)) -> (Reply.Content, Reply.Stop) {
        switch flaw {
        case nil, .brokenSchema, .inventedFigure, .badClaim: return composed
        case .refusal: return (.text(""), .refusal)
        case .blockedPrompt: return (.text(""), .blockedPrompt)
        case .emptyContent: return (.text(""), .finished)
        case .truncation:
            guard case .text(let text) = composed.0 else { return (.text(""), .length) }
            return (.text(String(text.prefix(text.count / 2))), .length)
        case .invalidJSON:
            guard case .text(let text) = composed.0 else { return composed }
            return (.text(String(text.prefix(text.count * 2 / 3)) + " … and so on"), .finished)
        }
    }

    /// A value that the schema does not allow: a required member is missing or the whole has another type.
    private func broken(_ value: JSON) -> JSON {
        guard var members = value.object, let first = members.keys.first else { return ["unexpected": value] }
        members[first] = nil
        members["unexpected"] = 0
        return .object(members)
    }

    /// A sentence with a figure that the request does not have.
    private func inventedSentence(besides material: Material) -> String {
        let given = material.facts.map(\.value).joined(separator: " ")
        var random = SeededRandom(digest: call.digest)
        var figure = ""
        repeat {
            figure = "\(Int.random(in: 111...989, using: &random)),\(Int.random(in: 111...989, using: &random))"
        } while given.contains(figure)
        return "Revenue of \(figure) million USD is expected for the coming year."
    }

    // MARK: Limits

    private func limit(_ reply: inout Reply) {
        guard case .text(var text) = reply.content, reply.stop == .finished else { return }
        if let (sequence, range) = call.stopSequences.compactMap({ sequence in
            text.firstRange(of: sequence).map { (sequence, $0) }
        }).min(by: { $0.1.lowerBound < $1.1.lowerBound }) {
            text = String(text[..<range.lowerBound])
            reply.stop = .sequence(sequence)
        }
        let room = max(0, call.maxTokens - reply.usage.thinking)
        if TokenCount.of(text) > room {
            text = String(decoding: text.utf8.prefix(room * 4), as: UTF8.self).filter { $0 != "\u{FFFD}" }
            reply.stop = .length
        }
        reply.content = .text(text)
    }
}
