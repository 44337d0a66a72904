import Basics
import Dispatch
import HTTP
import JSON

@testable import LanguageModels

extension FuzzTarget {
    /// The answers of model providers, as streams that arrive in pieces.
    static let providers = [
        FuzzTarget("sse") { bytes in
            var parser = ServerSentEventParser()
            for piece in pieces(bytes) {
                guard (try? parser.push(piece)) != nil else { return }
            }
        },
        FuzzTarget("claude", microsecondsPerKiB: 4000) { bytes in
            answer(bytes) { ClaudeModel($0, at: $1, over: $2) }
        },
        FuzzTarget("gemini", microsecondsPerKiB: 4000) { bytes in
            answer(bytes) { GeminiModel($0, at: $1, over: $2) }
        },
        FuzzTarget("openai", microsecondsPerKiB: 4000) { bytes in
            answer(bytes) { OpenAICompatibleModel($0, at: $1, over: $2) }
        },
    ]

    /// The bytes in pieces whose lengths depend on the first byte, so that boundaries fall anywhere.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        let length = max(1, Int(bytes.first ?? 1))
        return stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
    }

    /// Makes one call whose answer is the input; the first byte chooses among a good and a bad status.
    private static func answer(
        _ bytes: [UInt8], _ model: (ModelDescription, ProviderEndpoint, any HTTPTransport) -> any LanguageModel
    ) {
        let status = (bytes.first ?? 0) % 8 == 7 ? 529 : 200
        let transport = ReplayTransport(status: status, pieces: pieces(Array(bytes.dropFirst())))
        let description = ModelDescription(
            id: "model", provider: .claude, contextTokens: 100_000, maxOutputTokens: 8000, prices: free)
        let model = model(description, ProviderEndpoint(baseURL: "https://model.example", key: nil), transport)
        let done = DispatchSemaphore(value: 0)
        let activity = CallActivity(.system) { _ in }
        Task.detached {
            let request = ModelRequest(messages: [.user("Why?")], maxOutputTokens: 100)
            _ = try? await model.respond(to: request, activity: activity) { _ in }
            done.signal()
        }
        done.wait()
    }

    private static let free: PriceList = {
        guard let zero = TokenPrice(dollarsPerMillion: "0"),
            let list = PriceList([PriceList.Row(input: zero, output: zero)])
        else { preconditionFailure("a price of 0 is a price") }
        return list
    }()
}

/// Answers each request with the same pieces.
private struct ReplayTransport: HTTPTransport {
    let status: Int
    let pieces: [[UInt8]]

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        HTTPResponse(status: status, headers: [:], body: pieces.flatMap(\.self))
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
        return HTTPStreamingResponse(status: status, headers: [:], body: body)
    }
}
