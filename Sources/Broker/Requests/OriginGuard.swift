internal import HTTP
internal import HTTPServer

/// Prevents web pages that a person visits from spending that person's credits, and users of a proxy from acting as
/// anybody in development.
///
/// A page may send simple requests to any address, loopback included. It cannot set the content type
/// `application/json` without a preflight, which is answered for the operator's own origins alone, and browsers name its origin in every request that
/// changes something. In development, where users do not sign in, the `Host` must be loopback (a rebound name is not),
/// the browser must not mark the request as cross-site, and no proxy may have passed it on: what reaches a proxy is
/// rarely this machine alone.
struct OriginGuard: Sendable {
    let isDevelopment: Bool
    /// Pages of other origins that may call.
    var cors = CORSPolicy()

    /// Checks a whole request.
    func check(_ request: ServerRequest) throws(APIError) {
        try checkHead(request)
        if !request.body.isEmpty, ["POST", "PUT", "DELETE", "PATCH"].contains(request.method.rawValue) {
            let type = request.headers["Content-Type"] ?? ""
            let essence = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard essence == "application/json" else { throw .unsupportedMediaType }
        }
    }

    /// Checks what the head alone tells.
    func checkHead(_ request: ServerRequest) throws(APIError) {
        if request.method != .get, request.method != .head {
            for origin in request.headers.values(of: "Origin") {
                guard Self.isOrigin(origin, of: request.headers["Host"]) || cors.allows(origin) else {
                    throw .forbidden("The Origin is not the address of this service.")
                }
            }
        }
        guard isDevelopment else { return }
        guard let host = request.headers["Host"], Self.isLoopback(host) else {
            throw .forbidden("In development the Host must be localhost, 127.0.0.1 or [::1].")
        }
        let isAllowed = request.headers["Origin"].map(cors.allows) ?? false
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none", !isAllowed {
            throw .forbidden("In development cross-site requests are refused.")
        }
        if let field = request.headers.fields.first(where: { Self.isFromProxy($0.name) }) {
            throw .forbidden(
                "In development nobody signs in, so requests through a proxy (\(field.name)) are refused; "
                    + "use DOSSIER_AUTH=gateway or jwt.")
        }
    }

    /// Checks a request for a page or a file that holds no data. A link from anywhere may lead to it, so that a browser
    /// may say that another site led there.
    func checkPage(_ request: ServerRequest) throws(APIError) {
        var request = request
        let isNavigation =
            request.headers["Sec-Fetch-Mode"] == "navigate" && request.headers["Sec-Fetch-Dest"] == "document"
        if isNavigation { request.headers["Sec-Fetch-Site"] = nil }
        try checkHead(request)
    }

    // MARK: Origins

    private static let defaultPorts = ["http": "80", "https": "443"]

    /// Whether an origin names the host and port of a `Host` header. `null`, which a page without an origin of its own
    /// has, names none.
    private static func isOrigin(_ origin: String, of host: String?) -> Bool {
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host, parts.count == 2, let port = defaultPorts[String(parts[0])] else { return false }
        return Array(withPort(String(parts[1]), port).utf8) == Array(withPort(host.lowercased(), port).utf8)
    }

    /// The authority with its port: an origin leaves out the default one of its scheme, a `Host` may do so.
    private static func withPort(_ authority: String, _ port: String) -> String {
        let end = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        return authority.utf8[end...].contains(UInt8(ascii: ":")) ? authority : authority + ":" + port
    }

    // MARK: Development

    private static let proxyHeaders = ["forwarded", "x-real-ip", "via"]

    /// Whether only proxies add the header.
    private static func isFromProxy(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("x-forwarded-") || proxyHeaders.contains(name)
    }

    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]

    /// Whether a `Host` names this machine alone.
    static func isLoopback(_ host: String) -> Bool {
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
