/// One request on the wire: the caller's own, or what a redirect made of it.
struct Hop: Sendable {
    var method: HTTPMethod
    var url: AbsoluteURL
    var headers: HTTPHeaders
    var body: [UInt8]

    init(_ request: HTTPRequest) throws(HTTPClientError) {
        try RequestHead.check(request.method, request.headers)
        method = request.method
        url = try AbsoluteURL(request.url)
        headers = request.headers
        body = request.body
    }

    /// Whether an answer sends the client elsewhere.
    static func isRedirect(_ head: ResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
    }

    /// The request that follows a redirect, as browsers make it: 303 asks with GET, 301 and 302 turn POST into GET,
    /// 307 and 308 repeat the request. What proves who is asking stays with the origin that it was meant for.
    ///
    /// A guarded request, one bound to the public internet, may not leave `https`. A location that is not an `http`
    /// or `https` URL is `invalidURL`.
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
    /// - Parameter matches: given the name in lower case.
    fileprivate mutating func removeAll(where matches: (String) -> Bool) {
        self = HTTPHeaders(fields.filter { !matches($0.name.lowercased()) }.map { ($0.name, $0.value) })
    }
}
