internal import Foundation

/// A request of the API as the library thinks of it; ``RequestSender`` makes messages of it.
struct Endpoint: Hashable, Sendable {
    var method: TransportRequest.Method = .get
    /// From the root, escaped.
    var path: String
    var query: [String: String] = [:]
    var body: Data?
    var key: IdempotencyKey?
    /// A `POST` that changes nothing when it comes twice, such as a read or a cancel.
    var isRepeatable = false
    /// How long the server itself may wait before it answers.
    var serverWait: Duration = .zero
    /// Further headers.
    var headers: [String: String] = [:]

    /// Whether the request may be sent again although the server may have seen it.
    var canBeRepeated: Bool { method != .post || key != nil || isRepeatable }

    /// The native API wraps its answers, and so do the two addresses for programs that watch the service.
    var isNative: Bool { path.hasPrefix("/api/v1/") || ["/health", "/ready"].contains(path) }

    static func get(_ path: String, query: [String: String] = [:]) -> Endpoint { Endpoint(path: path, query: query) }

    /// The text as one segment of a path or one value of a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

    /// The address on a server; a path of the server's own stays in front.
    func url(on server: URL) throws(DossierError) -> URL {
        var text = server.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += path.hasPrefix("/") ? path : "/" + path
        if !query.isEmpty {
            text += path.contains("?") ? "&" : "?"
            text += query.sorted { $0.key < $1.key }
                .map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")
        }
        guard let url = URL(string: text), url.host != nil else {
            throw DossierError(.cannotConnect, message: "The address of the server cannot be used.")
        }
        return url
    }
}
