/// Why a server did not start.
package enum HTTPServerError: Error, Equatable, Sendable {
    /// Not `host:port`, or the host has no address.
    case invalidAddress(String)
    /// The system refused the address: in use, not ours, or a privileged port.
    case cannotListen(address: String, reason: String)
    /// A thread, a descriptor or memory was refused.
    case outOfResources(String)
    /// `start` was called before.
    case alreadyStarted
}

extension HTTPServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidAddress(let address): "'\(address)' is not an address of the form host:port"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .outOfResources(let what): "the system refused \(what)"
        case .alreadyStarted: "the server was started before"
        }
    }
}
