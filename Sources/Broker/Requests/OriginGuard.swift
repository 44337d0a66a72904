internal import HTTP
internal import HTTPServer

/// Keeps web pages that a person happens to visit from spending that person's credits.
///
/// A page may send simple requests to any address, loopback included. It cannot set the content type
/// `application/json` without a preflight, which no route answers; and in development, where nobody signs in, the
/// `Host` must be loopback (a rebound name is not) and the browser must not call the request cross-site.
struct OriginGuard: Sendable {
    let isDevelopment: Bool

    func check(_ request: ServerRequest) throws(APIError) {
        if !request.body.isEmpty, ["POST", "PUT", "DELETE", "PATCH"].contains(request.method.rawValue) {
            let type = request.headers["Content-Type"] ?? ""
            let essence = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard essence == "application/json" else { throw .unsupportedMediaType }
        }
        guard isDevelopment else { return }
        guard let host = request.headers["Host"], Self.isLoopback(host) else {
            throw .forbidden("In development the Host must be localhost, 127.0.0.1 or [::1].")
        }
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            throw .forbidden("In development cross-site requests are refused.")
        }
    }

    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]

    private static func isLoopback(_ host: String) -> Bool {
        let bytes = host.utf8
        let bracket = bytes.first == UInt8(ascii: "[") ? bytes.firstIndex(of: UInt8(ascii: "]")) : nil
        let end = bracket.map { bytes.index(after: $0) } ?? bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        let port = bytes[end...]
        let isPort = port.dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard port.isEmpty || (port.first == UInt8(ascii: ":") && isPort) else { return false }
        let name = host[..<end]
        return loopback.contains { $0 == name } || loopback.contains(name.lowercased())
    }
}
