package import HTTP

/// A complete request, its body within the server's limit.
package struct ServerRequest: Sendable {
    package var method: HTTPMethod
    /// The path with percent escapes decoded, always starting with `/`.
    package var path: String
    /// The query's pairs in order, decoded; `a` without `=` has an empty value.
    package var query: [(name: String, value: String)]
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The address of the peer, without the port.
    package var remoteAddress: String
    /// The parameters of the route: `/jobs/{id}` gives `id`.
    package var parameters: [String: String] = [:]
    /// The decoded segments of the path when one of them contains an encoded slash (`/stocks/BRK%2FB`). The router
    /// matches these, so that such a slash does not separate segments.
    var encodedSegments: [String]?

    package init(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The first value of a query parameter.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A request whose body is arriving.
struct RequestUpload {
    var request: ServerRequest
    let limit: Int
    /// More than `limit` arrived or was announced: the rest is read and dropped, and the response is 413.
    private(set) var isTooLarge: Bool
    /// Bytes read and dropped.
    private(set) var discarded = 0

    init(request: ServerRequest, framing: RequestFraming.Body, limit: Int) {
        self.request = request
        self.limit = limit
        switch framing {
        case .none, .chunked: isTooLarge = false
        case .length(let length):
            isTooLarge = length > limit
            // An announced length is not proof of a body: no more than this is reserved for it.
            if !isTooLarge { self.request.body.reserveCapacity(min(length, 64 << 10)) }
        }
    }

    /// The part of a body over the limit that is still read, so that a client that sends before it reads gets the
    /// response: a connection that is closed with unread bytes is reset, and the response lost.
    static func discardLimit(_ limit: Int) -> Int { limit.addingReportingOverflow(16 << 20).partialValue }

    /// - Returns: `false` when the discarded bytes exceed their limit, too.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isTooLarge || request.body.count + bytes.count > limit {
            isTooLarge = true
            discarded += request.body.count + bytes.count
            request.body = []
        } else {
            request.body.append(contentsOf: bytes)
        }
        return discarded <= Self.discardLimit(limit)
    }
}
