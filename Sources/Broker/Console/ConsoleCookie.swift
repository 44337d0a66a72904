internal import Basics
internal import HTTP
internal import HTTPServer

/// The cookie by which a browser signs in to the console where users have tokens. It stands for the `Authorization`
/// header, and only in requests that the console's own pages make: a browser says so in `Sec-Fetch-Site`, which no page
/// can set.
enum ConsoleCookie {
    static let name = "dossier_console"

    /// The access token of a request; `nil` unless a page of this service has sent it.
    static func token(of request: ServerRequest) -> String? {
        guard request.headers.values(of: "Sec-Fetch-Site") == ["same-origin"] else { return nil }
        let pairs = request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }
        let tokens = pairs.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmed.hasSameBytes(as: name) else { return nil }
            return parts[1].trimmed
        }
        // A second one may come from another name of the host.
        return tokens.count == 1 ? tokens[0] : nil
    }

    /// The request with the token of its cookie, where it has no other sign-in.
    static func applied(to request: ServerRequest) -> ServerRequest {
        guard request.headers["Authorization"] == nil, let token = token(of: request) else { return request }
        var request = request
        request.headers["Authorization"] = "Bearer \(token)"
        return request
    }

    /// The header that sets the cookie, or removes it when `seconds` is 0. It is sent over TLS alone, except to a
    /// loopback address.
    static func header(_ token: String, for seconds: Int64, host: String?) -> (String, String) {
        let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
        return ("Set-Cookie", "\(name)=\(token); \(attributes)\(OriginGuard.isLoopback(host ?? "") ? "" : "; Secure")")
    }
}
