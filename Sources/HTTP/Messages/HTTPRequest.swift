/// A request method; any token is one.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    public static let delete = HTTPMethod(rawValue: "DELETE")
}

/// A request as the client sends it.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    public var url: String
    public var headers: HTTPHeaders
    public var body: [UInt8]
    public var limits: HTTPLimits
    public var destination: HTTPDestination

    public init(
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
public struct HTTPLimits: Sendable, Equatable {
    /// Until the connection stands, TLS included.
    public var connect: Duration = .seconds(5)
    /// From the start to the last byte.
    public var total: Duration = .seconds(600)
    /// The longest silence of the server: until the first byte of the answer once the request is under way, and between
    /// two bytes of it. The time in which the reader of a stream has enough to read does not count.
    public var idle: Duration = .seconds(60)
    /// Bytes of body after decompression; a longer one is an error, so that a compressed bomb is cut short.
    public var body: Int = 64 << 20
    /// How many redirects are followed; 0 returns the redirect itself.
    public var redirects: Int = 0

    public init() {}
}

/// Where a request may go.
public enum HTTPDestination: Sendable, Equatable {
    /// Wherever the URL points: for addresses that the operator configured.
    case anywhere
    /// Only to public addresses and ports of the web, checked at every redirect, and connecting to an address that was
    /// checked: for URLs that users or feeds supply. `allowing` lists host names or CIDR blocks that may be private
    /// and may use any port.
    case publicInternet(allowing: [String])
}
