internal import HTTP
internal import JSON

extension OpenAIService {
    func answer(_ reply: Reply, to call: ModelCall, pacing: Pacing, context: AnswerContext) -> Answer {
        let headers: HTTPHeaders = ["x-request-id": context.requestID]
        guard call.streams else {
            return Answer(headers: headers, json: completion(reply, call), tokens: reply.usage.output)
        }
        return Answer(headers: headers, events: chunks(reply, call, pacing))
    }

    private func completion(_ reply: Reply, _ call: ModelCall) -> JSON {
        var message: JSON = ["role": "assistant", "content": nil]
        switch reply.content {
        case .text(let text): message["content"] = reply.stop == .refusal ? nil : JSON(text)
        case .toolCalls(let calls): message["tool_calls"] = .array(calls.map(toolCall))
        }
        var body = head(reply, call, object: "chat.completion")
        body["choices"] = [
            ["index": 0, "message": message, "logprobs": nil, "finish_reason": JSON(finishReason(reply))]
        ]
        body["usage"] = usage(reply)
        return body
    }

    private func head(_ reply: Reply, _ call: ModelCall, object: String) -> JSON {
        [
            "id": JSON("chatcmpl-sim-" + reply.id), "object": JSON(object), "created": JSON(created),
            "model": JSON(call.model),
        ]
    }

    private func toolCall(_ call: Reply.ToolCall) -> JSON {
        [
            "id": JSON("call_sim_" + call.id), "type": "function",
            "function": ["name": JSON(call.name), "arguments": JSON(call.arguments.compact)],
        ]
    }

    private func finishReason(_ reply: Reply) -> String {
        switch reply.stop {
        case .finished, .sequence: "stop"
        case .length: "length"
        case .toolUse: "tool_calls"
        case .refusal, .blockedPrompt: "content_filter"
        }
    }

    private func usage(_ reply: Reply) -> JSON {
        [
            "prompt_tokens": JSON(reply.usage.allInput), "completion_tokens": JSON(reply.usage.output),
            "total_tokens": JSON(reply.usage.allInput + reply.usage.output),
        ]
    }

    // MARK: Stream

    private func chunks(_ reply: Reply, _ call: ModelCall, _ pacing: Pacing) -> [Answer.Piece] {
        let wantsUsage = call.wantsUsageInStream
        func chunk(_ choices: [JSON], usage: JSON? = nil, tokens: Int = 0) -> Answer.Piece {
            var body = head(reply, call, object: "chat.completion.chunk")
            body["choices"] = .array(choices)
            if wantsUsage { body["usage"] = usage ?? .null }
            return .event(nil, body, tokens: tokens)
        }
        func delta(_ delta: JSON, finish: String? = nil, tokens: Int = 0) -> Answer.Piece {
            chunk([["index": 0, "delta": delta, "logprobs": nil, "finish_reason": JSON(finish)]], tokens: tokens)
        }
        var pieces = [delta(["role": "assistant", "content": ""])]
        switch reply.content {
        case .text(let text):
            pieces += pacing.deltas(of: text).map { delta(["content": JSON($0)], tokens: max(1, TokenCount.of($0))) }
        case .toolCalls(let calls):
            for (index, call) in calls.enumerated() {
                var opening = toolCall(call)
                opening["index"] = JSON(index)
                opening["function"] = ["name": JSON(call.name), "arguments": ""]
                pieces.append(delta(["tool_calls": [opening]]))
                pieces += pacing.deltas(of: call.arguments.compact).map { text in
                    delta(
                        ["tool_calls": [["index": JSON(index), "function": ["arguments": JSON(text)]]]],
                        tokens: max(1, TokenCount.of(text)))
                }
            }
        }
        pieces.append(delta([:], finish: finishReason(reply)))
        if wantsUsage { pieces.append(chunk([], usage: usage(reply))) }
        return pieces + [Answer.Piece(bytes: Array("data: [DONE]\n\n".utf8))]
    }
}
