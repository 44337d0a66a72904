/// Where a started server listens.
public struct BoundAddress: Sendable, Equatable {
    /// A numeric address, IPv6 without brackets.
    public var host: String
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `http://127.0.0.1:5001`, without a trailing slash. An unspecified address (`0.0.0.0`, `::`) shows as the loopback
    /// address, which reaches it.
    public var url: String { "http://" + Self(host: reachableHost, port: port).description }

    private var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

extension BoundAddress: CustomStringConvertible {
    /// `127.0.0.1:5001`, `[::1]:5001`
    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
