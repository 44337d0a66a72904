/// A request method: any token.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
}

/// A request as the client sends it.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    package var url: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var limits: HTTPLimits
    package var destination: HTTPDestination
    /// Opens a connection instead of using an idle one, whose other end may be silent.
    package var isOnNewConnection = false

    package init(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
        limits: HTTPLimits = HTTPLimits(), destination: HTTPDestination = .anywhere
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.destination = destination
    }
}

/// The limits of a request in time and memory.
package struct HTTPLimits: Sendable, Equatable {
    /// Until the connection is established, TLS included.
    package var connect: Duration = .seconds(5)
    /// From the start to the last byte.
    package var total: Duration = .seconds(600)
    /// The longest silence of the server: from the start of the request to the first byte of the response, and between
    /// two bytes of it. The time in which the reader of a stream has buffered bytes does not count.
    package var idle: Duration = .seconds(60)
    /// Bytes of the body after decompression; a longer body is an error, which stops decompression bombs.
    package var body: Int = 64 << 20
    /// The number of redirects to follow; 0 returns the redirect itself.
    package var redirects: Int = 0

    package init() {}
}

/// The permitted destinations of a request.
package enum HTTPDestination: Sendable, Equatable {
    /// Any address: for URLs that the operator configured.
    case anywhere
    /// Only public addresses and ports of the web, checked at every redirect, and only connections to checked
    /// addresses: for URLs from users or feeds. `allowing` lists host names or CIDR blocks that may be private and use
    /// any port.
    case publicInternet(allowing: [String])
}

/// Header fields in the order of the message; names compare without case.
package struct HTTPHeaders: Sendable, Equatable {
    package typealias Field = (name: String, value: String)

    private(set) package var fields: [Field] = []

    package init() {}

    package init(_ fields: [(String, String)]) { self.fields = fields.map { (name: $0, value: $1) } }

    /// The first value of that name. Setting replaces every value of the name; setting `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    package func values(of name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    /// Adds a value and keeps the others of the name (`Set-Cookie`).
    package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { same($0.name, $1.name) && $0.value == $1.value }
    }

    /// ASCII case folding only, as RFC 9110 requires; without allocation.
    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}
