internal import HTTP
internal import JSON

extension GeminiService {
    func answer(_ reply: Reply, to call: ModelCall, pacing: Pacing, context: AnswerContext) -> Answer {
        guard call.streams else {
            return Answer(json: response(parts(reply), reply, call, isLast: true), tokens: reply.usage.output)
        }
        var pieces: [Answer.Piece] = []
        if case .text(let text) = reply.content, reply.stop != .blockedPrompt, reply.stop != .refusal {
            for delta in pacing.deltas(of: text) {
                pieces.append(
                    .event(
                        nil, response([["text": JSON(delta)]], reply, call, isLast: false),
                        tokens: max(1, TokenCount.of(delta))))
            }
            pieces.append(.event(nil, response([["text": ""]], reply, call, isLast: true)))
        } else {
            pieces.append(
                .event(nil, response(parts(reply), reply, call, isLast: true), tokens: max(1, reply.usage.output)))
        }
        return Answer(headers: [:], events: pieces)
    }

    private func parts(_ reply: Reply) -> [JSON] {
        switch reply.content {
        case .text(""): return []
        case .text(let text): return [["text": JSON(text)]]
        case .toolCalls(let calls):
            return calls.map { call in
                [
                    "functionCall": ["id": JSON(call.id), "name": JSON(call.name), "args": call.arguments],
                    "thoughtSignature": JSON("c2lt" + reply.id),
                ]
            }
        }
    }

    private func response(_ parts: [JSON], _ reply: Reply, _ call: ModelCall, isLast: Bool) -> JSON {
        var body: JSON = [:]
        if reply.stop == .blockedPrompt {
            body["promptFeedback"] = ["blockReason": "SAFETY", "safetyRatings": [safetyRating]]
        } else {
            var candidate: JSON = ["index": 0]
            // Blocked candidates come without content.
            if !parts.isEmpty, reply.stop != .refusal {
                candidate["content"] = ["role": "model", "parts": .array(parts)]
            }
            if isLast {
                candidate["finishReason"] = finishReason(reply)
                candidate["safetyRatings"] = reply.stop == .refusal ? [safetyRating] : []
            }
            body["candidates"] = [candidate]
        }
        body["usageMetadata"] = usage(reply, isLast: isLast)
        body["modelVersion"] = JSON(call.model)
        body["responseId"] = JSON("sim-" + reply.id)
        return body
    }

    private var safetyRating: JSON {
        ["category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": true]
    }

    private func finishReason(_ reply: Reply) -> JSON {
        switch reply.stop {
        case .finished, .toolUse, .sequence: "STOP"
        case .length: "MAX_TOKENS"
        case .refusal, .blockedPrompt: "SAFETY"
        }
    }

    private func usage(_ reply: Reply, isLast: Bool) -> JSON {
        let usage = reply.usage
        let candidates = isLast ? usage.output - usage.thinking : 1
        var fields: JSON = ["promptTokenCount": JSON(usage.allInput)]
        if usage.cacheRead > 0 { fields["cachedContentTokenCount"] = JSON(usage.cacheRead) }
        if reply.stop != .blockedPrompt { fields["candidatesTokenCount"] = JSON(candidates) }
        if usage.thinking > 0 { fields["thoughtsTokenCount"] = JSON(usage.thinking) }
        let generated = reply.stop == .blockedPrompt ? 0 : candidates + usage.thinking
        fields["totalTokenCount"] = JSON(usage.allInput + generated)
        return fields
    }
}
