import Basics
import Foundation
import HTTP
import JobQueue
import JSON
import LanguageModels
import SQLiteStore
import Synchronization
import Testing

@testable import Agents

/// A provider in Claude's wire format that gives a test's answers in order and keeps the requests.
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

    /// The user part of a request.
    func prompt(_ index: Int) -> String {
        let requests = requests
        guard requests.indices.contains(index) else { return "" }
        return requests[index]["messages"]?.compact ?? ""
    }

    /// A router to this model or, without a key, to none.
    func router(isConfigured: Bool = true) throws -> ModelRouter {
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: ContentFiles.path + "/models.yaml", encoding: .utf8))
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

/// A provider that gives a test's vectors and keeps the requests.
final class ScriptedEmbeddings: Sendable {
    struct Text: Hashable {
        var text: String
        var purpose: String
    }

    let web = ScriptedWeb()

    /// `values` gives the vector of a text.
    init(_ values: @escaping @Sendable (Text) -> [Float]) {
        web.set("https://gemini.example/") { request in
            let vectors = Self.texts(of: request).map { text -> JSON in
                ["values": .array(values(text).map { JSON(Double($0)) })]
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"],
                body: Array((["embeddings": .array(vectors)] as JSON).compact.utf8))
        }
    }

    /// Every call fails with this status.
    init(failing status: Int) { web.set("https://gemini.example/") { _ in HTTPResponse(status: status) } }

    /// The texts of each call.
    var calls: [[Text]] { web.requests.map(Self.texts) }

    func meaning(over store: SQLiteStore) throws -> MeaningSearch {
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: ContentFiles.path + "/models.yaml", encoding: .utf8))
        let configuration = ModelsConfiguration(gemini: .init(key: Secret("k"), baseURL: "https://gemini.example"))
        let model = try #require(EmbeddingModel(catalogue, configuration: configuration, over: web))
        return MeaningSearch(PassageEmbedder(model, passages: store), passages: store, articles: store)
    }

    private static func texts(of request: HTTPRequest) -> [Text] {
        let body = (try? JSON(parsing: request.body)) ?? .null
        return (body["requests"]?.array ?? []).map { one in
            Text(
                text: one["content"]?["parts"]?[0]?["text"]?.string ?? "", purpose: one["taskType"]?.string ?? "")
        }
    }
}

/// A web whose pages a test sets; keeps the requests. Other addresses are `404`.
final class ScriptedWeb: HTTPTransport {
    typealias Page = @Sendable (HTTPRequest) throws(HTTPClientError) -> HTTPResponse

    private let pages = Mutex<[String: Page]>([:])
    private let asked = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { asked.withLock(\.self) }

    /// Sets the page of all addresses with a prefix.
    func set(_ prefix: String, _ page: @escaping Page) { pages.withLock { $0[prefix] = page } }

    func set(_ prefix: String, _ body: String, type: String = "application/xml") {
        set(prefix) { _ in HTTPResponse(status: 200, headers: ["Content-Type": type], body: Array(body.utf8)) }
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        let page = pages.withLock { pages in
            pages.filter { request.url.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
        }
        guard let page else { return HTTPResponse(status: 404) }
        return try page(request)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        throw .cannotConnect(host: "scripted.example")
    }
}
