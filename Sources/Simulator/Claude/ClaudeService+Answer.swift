internal import JSON

extension ClaudeService {
    func answer(_ reply: Reply, to call: ModelCall, pacing: Pacing, context: AnswerContext) -> Answer {
        call.streams
            ? Answer(headers: headers(context), events: events(reply, call, pacing))
            : Answer(headers: headers(context), json: message(reply, call), tokens: reply.usage.output)
    }

    // MARK: Whole

    private func message(_ reply: Reply, _ call: ModelCall) -> JSON {
        var message = head(reply, call)
        message["content"] = .array(blocks(reply))
        for (key, value) in stop(reply).object ?? [:] { message[key] = value }
        message["usage"] = usage(reply, isFinal: true)
        return message
    }

    private func head(_ reply: Reply, _ call: ModelCall) -> JSON {
        [
            "id": JSON("msg_sim_" + reply.id), "type": "message", "role": "assistant", "model": JSON(call.model),
            "content": [], "stop_reason": nil, "stop_sequence": nil, "stop_details": nil,
        ]
    }

    private func blocks(_ reply: Reply) -> [JSON] {
        var blocks: [JSON] = []
        if reply.thinks, reply.stop != .refusal {
            blocks.append(["type": "thinking", "thinking": "", "signature": JSON(signature(reply))])
        }
        switch reply.content {
        case .text(""): break
        case .text(let text): blocks.append(["type": "text", "text": JSON(text)])
        case .toolCalls(let calls):
            blocks += calls.map { call in
                [
                    "type": "tool_use", "id": JSON("toolu_sim_" + call.id), "name": JSON(call.name),
                    "input": call.arguments,
                ]
            }
        }
        return blocks
    }

    private func signature(_ reply: Reply) -> String { "c2lt" + reply.id }

    private func stop(_ reply: Reply) -> JSON {
        switch reply.stop {
        case .finished: ["stop_reason": "end_turn", "stop_sequence": nil, "stop_details": nil]
        case .toolUse: ["stop_reason": "tool_use", "stop_sequence": nil, "stop_details": nil]
        case .length: ["stop_reason": "max_tokens", "stop_sequence": nil, "stop_details": nil]
        case .sequence(let text): ["stop_reason": "stop_sequence", "stop_sequence": JSON(text), "stop_details": nil]
        case .refusal, .blockedPrompt:
            [
                "stop_reason": "refusal", "stop_sequence": nil,
                "stop_details": [
                    "type": "refusal", "category": "general_harms", "explanation": "The simulator was told to refuse.",
                ],
            ]
        }
    }

    private func usage(_ reply: Reply, isFinal: Bool) -> JSON {
        let usage = reply.usage
        return [
            "input_tokens": JSON(usage.input), "output_tokens": JSON(isFinal ? usage.output : 1),
            "cache_creation_input_tokens": JSON(usage.cacheWrite), "cache_read_input_tokens": JSON(usage.cacheRead),
            "cache_creation": [
                "ephemeral_5m_input_tokens": JSON(usage.cacheWriteLastsAnHour ? 0 : usage.cacheWrite),
                "ephemeral_1h_input_tokens": JSON(usage.cacheWriteLastsAnHour ? usage.cacheWrite : 0),
            ],
            "output_tokens_details": ["thinking_tokens": JSON(isFinal ? usage.thinking : 0)],
            "service_tier": "standard",
        ]
    }

    // MARK: Stream

    private func events(_ reply: Reply, _ call: ModelCall, _ pacing: Pacing) -> [Answer.Piece] {
        var start = head(reply, call)
        start["usage"] = usage(reply, isFinal: false)
        var pieces: [Answer.Piece] = [
            .event("message_start", ["type": "message_start", "message": start]),
            .event("ping", ["type": "ping"]),
        ]
        for (index, block) in blocks(reply).enumerated() { pieces += events(of: block, index, pacing) }
        pieces.append(
            .event(
                "message_delta", ["type": "message_delta", "delta": stop(reply), "usage": usage(reply, isFinal: true)]))
        pieces.append(.event("message_stop", ["type": "message_stop"]))
        return pieces
    }

    private func events(of block: JSON, _ index: Int, _ pacing: Pacing) -> [Answer.Piece] {
        var opening = block
        var deltas: [(JSON, tokens: Int)] = []
        switch block["type"]?.string {
        case "thinking":
            opening["signature"] = ""
            deltas = [(["type": "signature_delta", "signature": block["signature"] ?? ""], 0)]
        case "text":
            opening["text"] = ""
            deltas = pacing.deltas(of: block["text"]?.string ?? "").map { text in
                (["type": "text_delta", "text": JSON(text)], max(1, TokenCount.of(text)))
            }
        default:
            opening["input"] = [:]
            // An input without members may come without any partial JSON.
            let arguments = block["input"] == [:] ? "" : block["input"]?.compact ?? ""
            deltas = [(["type": "input_json_delta", "partial_json": ""], 0)]
            deltas += pacing.deltas(of: arguments).map { text in
                (["type": "input_json_delta", "partial_json": JSON(text)], max(1, TokenCount.of(text)))
            }
        }
        func event(_ type: String, _ fields: [(String, JSON)], tokens: Int = 0) -> Answer.Piece {
            .event(type, .object(JSONObject([("type", JSON(type)), ("index", JSON(index))] + fields)), tokens: tokens)
        }
        return [event("content_block_start", [("content_block", opening)])]
            + deltas.map { event("content_block_delta", [("delta", $0.0)], tokens: $0.tokens) }
            + [event("content_block_stop", [])]
    }
}
