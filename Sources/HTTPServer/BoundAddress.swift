/// Where a started server listens.
package struct BoundAddress: Sendable, Equatable {
    /// A numeric address, IPv6 without brackets.
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `http://127.0.0.1:5001`, without a trailing slash. An unspecified address (`0.0.0.0`, `::`) shows as the loopback
    /// address, which reaches it.
    package var url: String { "http://" + Self(host: reachableHost, port: port).description }

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
    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
