import HTTP
import Synchronization

/// The memory of request bodies that have begun to arrive and are not complete, over all connections.
///
/// A body costs a client nothing until it is complete, so its memory is bounded for the whole server and, with a share
/// of that, for each address.
final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var byAddress: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let share: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: Bytes over all connections.
    ///   - share: Bytes of one address.
    init(limit: Int, share: Int) {
        self.limit = limit
        self.share = share
    }

    /// Bytes that are taken.
    var taken: Int { state.withLock { $0.total } }

    /// Takes memory for a body of an address, or of a peer without a share of its own.
    ///
    /// - Returns: The limit in bytes when the server or the address has no more.
    func take(_ bytes: Int, for address: IPAddress?) -> Int? {
        state.withLock { state in
            guard state.total + bytes <= limit else { return limit }
            if let address {
                let own = state.byAddress[address, default: 0] + bytes
                guard own <= share else { return share }
                state.byAddress[address] = own
            }
            state.total += bytes
            return nil
        }
    }

    func release(_ bytes: Int, of address: IPAddress?) {
        guard bytes > 0 else { return }
        state.withLock { state in
            state.total -= bytes
            guard let address, let own = state.byAddress[address] else { return }
            state.byAddress[address] = own > bytes ? own - bytes : nil
        }
    }
}
