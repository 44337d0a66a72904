/// A request method; any token is one.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
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

/// What a request may cost in time and memory.
package struct HTTPLimits: Sendable, Equatable {
    /// Until the connection stands, TLS included.
    package var connect: Duration = .seconds(5)
    /// From the start to the last byte.
    package var total: Duration = .seconds(600)
    /// The longest silence of the server: until the first byte of the answer once the request is under way, and between
    /// two bytes of it. The time in which the reader of a stream has enough to read does not count.
    package var idle: Duration = .seconds(60)
    /// Bytes of body after decompression; a longer one is an error, so that a compressed bomb is cut short.
    package var body: Int = 64 << 20
    /// How many redirects are followed; 0 returns the redirect itself.
    package var redirects: Int = 0

    package init() {}
}

/// Where a request may go.
package enum HTTPDestination: Sendable, Equatable {
    /// Wherever the URL points: for addresses that the operator configured.
    case anywhere
    /// Only to public addresses and ports of the web, checked at every redirect, and connecting to an address that was
    /// checked: for URLs that users or feeds supply. `allowing` lists host names or CIDR blocks that may be private
    /// and may use any port.
    case publicInternet(allowing: [String])
}
