import Basics
import Foundation
import HTTP
import JSON
import Observability
import Synchronization
import Testing

@testable import Broker

/// An identity provider whose answers a test sets. It counts the requests and may hold them back.
final class ScriptedProvider: HTTPTransport {
    struct Answer: Sendable {
        var status = 200
        var headers: HTTPHeaders = [:]
        var body: JSON
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [HTTPRequest] = []
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    static let keysURL = "http://127.0.0.1:9/keys"

    init(keys: JSON) { answer(Self.keysURL, Answer(body: keys)) }

    /// Every address that was asked, in order.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func answer(_ url: String, _ answer: Answer?) { state.withLock { $0.answers[url] = answer } }

    /// Holds requests back until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let held = state.withLock { state in
            defer { (state.isHolding, state.held) = (false, []) }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.requests.append(request)
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if !isHeld { continuation.resume() }
        }
        guard let answer = state.withLock({ $0.answers[request.url] }) else {
            throw .cannotConnect(host: "127.0.0.1")
        }
        return HTTPResponse(
            status: answer.status, headers: answer.headers, body: Array(answer.body.utf8), url: request.url)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        throw .cannotConnect(host: "127.0.0.1")
    }
}

/// The tokens that another library minted; `Vectors/mint.py` makes the file.
enum ProviderVectors {
    static let all: JSON = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/provider-tokens.json")
        return (try? JSON(parsing: Array(Data(contentsOf: file)))) ?? .null
    }()

    static let now = all["now"]?.integer ?? 0
    static let keys = all["keys"] ?? .null

    static func tokens(_ group: String) -> [(name: String, token: String)] {
        (all[group]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
    }

    static func token(_ name: String) -> String { all["accepted"]?[name]?.string ?? "" }

    /// A provider that accepts the tokens.
    static func provider(
        _ server: ScriptedProvider, clock: @escaping @Sendable () -> Int64 = { 0 }, logger: Logger = .silent,
        location: ProviderKeys.Location = .keySet(url: ScriptedProvider.keysURL)
    ) -> IdentityProvider {
        var provider = IdentityProvider(secrets: [.init("the secret of the identity provider")])
        provider.issuer = all["issuer"]?.string
        provider.audiences = ["authenticated"]
        provider.use(ProviderKeys(location, transport: server, logger: logger, now: clock))
        return provider
    }
}
