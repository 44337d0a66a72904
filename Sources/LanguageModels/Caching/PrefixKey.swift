internal import Basics
internal import JSON

/// The beginning of a request up to one of its marks, as a provider compares it.
struct PrefixKey: Hashable, Sendable {
    /// The name of the mark.
    var name: String
    /// SHA-256 of everything that the provider compares: model, effort, schema, tools, and each byte up to the mark.
    var hash: String
    /// The tokens up to the mark, estimated from their bytes.
    var tokens: Int64

    /// The prefixes of a request, the shortest first.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - model: The model that is asked.
    ///   - tokensPerEstimate: The tokens that the model counts for each of `TokenEstimate`.
    /// - Returns: One for each mark.
    static func all(of request: ModelRequest, for model: ModelDescription, tokensPerEstimate: Double = 1) -> [PrefixKey]
    {
        var head: JSON = ["model": JSON(model.wireName), "output": request.output.encoded]
        head["effort"] = request.effort?.nearest(in: model.efforts).map { JSON($0.rawValue) }
        head["tools"] = .array(request.tools.map(\.encoded))
        head["tool_choice"] = request.toolChoice.encoded
        head["system"] = [JSON(request.system.stable), JSON(request.system.varying)]
        var whole = request
        whole.messages = []
        var hash = SHA256.hex(head.canonical)
        var keys: [PrefixKey] = []
        for message in request.messages {
            whole.messages.append(ModelMessage(role: message.role, parts: [], original: message.original))
            hash = SHA256.hex(hash + message.role.rawValue)
            for part in message.parts {
                if case .cacheMark(let mark) = part {
                    let tokens = Double(TokenEstimate.prompt(of: whole)) * tokensPerEstimate
                    keys.append(PrefixKey(name: mark.name, hash: hash, tokens: Int64(tokens.rounded(.down))))
                } else {
                    hash = SHA256.hex(hash + part.encoded.canonical)
                    whole.messages[whole.messages.count - 1].parts.append(part)
                }
            }
        }
        return keys
    }
}
