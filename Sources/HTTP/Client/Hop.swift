/// One request on the wire: the caller's, or the request that follows a redirect.
struct Hop: Sendable {
    var method: HTTPMethod
    var url: AbsoluteURL
    var headers: HTTPHeaders
    var body: [UInt8]
    let isOnNewConnection: Bool

    init(_ request: HTTPRequest) throws(HTTPClientError) {
        try RequestValidation.check(request.method, request.headers)
        method = request.method
        url = try AbsoluteURL(request.url)
        headers = request.headers
        body = request.body
        isOnNewConnection = request.isOnNewConnection
    }

    /// Whether a response is a redirect.
    static func isRedirect(_ head: ResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
    }

    /// The request that follows a redirect, as browsers make it: 303 asks with GET, 301 and 302 turn POST into GET,
    /// 307 and 308 repeat the request. Credentials are sent to their own origin only.
    ///
    /// A guarded request, one to `HTTPDestination.publicInternet`, may not leave `https`. A location that is not an
    /// `http` or `https` URL is `invalidURL`.
    func following(_ head: ResponseHead, isGuarded: Bool) throws(HTTPClientError) -> Hop {
        var next = self
        next.url = try url.resolving(head.headers["Location"] ?? "")
        if isGuarded, url.scheme == "https", next.url.scheme == "http" {
            throw .insecure(host: next.url.host, reason: "a redirect leads away from https")
        }
        let dropsBody = head.status == 303 ? method != .head : head.status < 303 && method == .post
        if dropsBody {
            next.method = .get
            next.body = []
            next.headers.removeAll { $0.hasPrefix("content-") }
        }
        next.headers.removeAll { $0 == "host" }
        if next.url.origin != url.origin { next.headers.removeAll(where: Self.isCredential) }
        return next
    }

    /// Services name their keys in many ways (`x-api-key`, `x-goog-api-key`, `api_token`), so parts of names decide.
    private static func isCredential(_ name: String) -> Bool {
        ["auth", "cookie", "key", "token", "secret", "session", "password", "credential", "signature"]
            .contains { name.contains($0) }
    }
}

extension HTTPHeaders {
    /// - Parameter matches: Receives the name in lower case.
    fileprivate mutating func removeAll(where matches: (String) -> Bool) {
        self = HTTPHeaders(fields.filter { !matches($0.name.lowercased()) }.map { ($0.name, $0.value) })
    }
}

/// The check of a request's head. Invalid characters are refused, never repaired: a line break in a value would start
/// another header.
enum RequestValidation {
    /// - Throws: `HTTPClientError.invalidHeader` naming the method or the first header that cannot be sent.
    static func check(_ method: HTTPMethod, _ headers: HTTPHeaders) throws(HTTPClientError) {
        guard isToken(method.rawValue) else { throw .invalidHeader(name: "method") }
        for field in headers.fields {
            guard isToken(field.name) else { throw .invalidHeader(name: "(name)") }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                throw .invalidHeader(name: field.name)
            }
        }
    }

    /// `tchar` of RFC 9110, one or more.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
