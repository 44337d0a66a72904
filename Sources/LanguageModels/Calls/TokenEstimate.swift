internal import JSON

/// How many tokens a request may have, before any provider has counted them.
enum TokenEstimate {
    /// On the high side: a token for every three bytes, 2,000 for each image or document given by URL.
    static func prompt(of request: ModelRequest) -> Int64 {
        var bytes = request.system.stable.utf8.count + request.system.varying.utf8.count
        var tokens = 0
        for message in request.messages {
            for part in message.parts {
                switch part {
                case .text(let text): bytes += text.utf8.count
                case .media(let media): tokens += mediaTokens(media)
                case .toolCall(let call): bytes += call.input.utf8.count
                case .toolResult(let result): bytes += result.text.utf8.count
                }
            }
        }
        for tool in request.tools { bytes += tool.description.utf8.count + tool.parameters.utf8.count }
        if case .json(_, let schema) = request.output { bytes += schema.utf8.count }
        return Int64(bytes / 3 + tokens + 1)
    }

    /// Documents grow with their size, images hardly.
    private static func mediaTokens(_ media: Media) -> Int {
        guard case .base64(let data) = media.source, !media.mimeType.hasPrefix("image/") else { return 2000 }
        return max(2000, data.utf8.count / 16)
    }
}
