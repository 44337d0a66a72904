import Foundation
import HTTP
import JSON
import LanguageModels
import Basics
import Synchronization

/// A provider in Claude's wire format that answers what a test tells it to, in order, and keeps what it was asked.
final class ScriptedModel: HTTPTransport {
    enum Reply: Sendable {
        case json(JSON)
        case refusal
        case status(Int)
    }

    private let replies: Mutex<[Reply]>
    private let asked = Mutex<[JSON]>([])

    init(_ replies: Reply...) { self.replies = Mutex(replies) }
    init(_ replies: [Reply]) { self.replies = Mutex(replies) }

    /// The bodies of all requests.
    var requests: [JSON] { asked.withLock(\.self) }

    /// What the user part of a request says.
    func prompt(_ index: Int) -> String {
        let requests = requests
        guard requests.indices.contains(index) else { return "" }
        return requests[index]["messages"]?.compact ?? ""
    }

    /// A router that asks this model or, without a key for it, none.
    func router(isConfigured: Bool = true) throws -> ModelRouter {
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: Home.path + "/models.yaml", encoding: .utf8))
        let configuration =
            isConfigured
            ? ModelsConfiguration(claude: .init(key: Secret("k"), baseURL: "http://model.test")) : ModelsConfiguration()
        return ModelRouter(catalogue, configuration: configuration, transport: self)
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        HTTPResponse(status: 500)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        asked.withLock { $0.append((try? JSON(parsing: request.body)) ?? .null) }
        let reply = replies.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let (status, body) =
            switch reply {
            case .json(let value): (200, Self.answer(value.compact, stop: "end_turn"))
            case .refusal: (200, Self.answer("", stop: "refusal"))
            case .status(let status):
                (status, #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#)
            case nil: (400, #"{"type":"error","error":{"type":"invalid_request_error","message":"not scripted"}}"#)
            }
        let (bytes, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        continuation.yield(Array(body.utf8))
        continuation.finish()
        let type = status == 200 ? "text/event-stream" : "application/json"
        return HTTPStreamingResponse(status: status, headers: ["Content-Type": type], body: bytes)
    }

    private static func answer(_ text: String, stop: String) -> String {
        let start: JSON = [
            "type": "message_start",
            "message": ["id": "m", "model": "claude-haiku-5-5", "usage": ["input_tokens": 50, "output_tokens": 1]],
        ]
        let open: JSON = [
            "type": "content_block_start", "index": 0, "content_block": ["type": "text", "text": ""],
        ]
        let delta: JSON = [
            "type": "content_block_delta", "index": 0, "delta": ["type": "text_delta", "text": JSON(text)],
        ]
        let end: JSON = [
            "type": "message_delta", "delta": ["stop_reason": JSON(stop)], "usage": ["output_tokens": 40],
        ]
        let events = [start, open, delta, ["type": "content_block_stop", "index": 0], end, ["type": "message_stop"]]
        return events.map { "event: \($0["type"]?.string ?? "")\ndata: \($0.compact)\n\n" }.joined()
    }
}
