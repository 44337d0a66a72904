import Dispatch
import Glibc
import Synchronization

/// The user on whose behalf requests are made, so that the lookups of one user cannot hold up those of all others.
package enum Requester {
    /// The number of the user; `nil` for requests of the service itself.
    @TaskLocal package static var current: Int64?
}

/// Resolves names with `getaddrinfo`, which blocks: on its own threads, a bounded number at once, and fewer for each
/// requester. A caller does not wait for the lookup after its timeout or cancellation.
final class NameResolver: Sendable {
    private struct State {
        var running = 0
        var runningFor: [Int64: Int] = [:]
        var waiting: [Lookup] = []

        /// Whether another lookup of the requester may run beside those that do.
        func admits(_ requester: Int64?, _ limit: Int) -> Bool {
            requester.map { runningFor[$0, default: 0] < limit } ?? true
        }

        mutating func start(_ requester: Int64?) {
            running += 1
            if let requester { runningFor[requester, default: 0] += 1 }
        }

        mutating func end(_ requester: Int64?) {
            running -= 1
            guard let requester, let count = runningFor[requester] else { return }
            runningFor[requester] = count > 1 ? count - 1 : nil
        }
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "http.resolver", attributes: .concurrent)
    private let limit: Int
    private let requesterLimit: Int
    private let lookUp: @Sendable (String) -> Result<[IPAddress], HTTPClientError>

    /// `lookUp` may block; at most `limit` calls run at once, and `requesterLimit` for one requester.
    init(
        limit: Int = 16, requesterLimit: Int = 4,
        lookUp: @escaping @Sendable (String) -> Result<[IPAddress], HTTPClientError> = NameResolver.askSystem
    ) {
        self.limit = limit
        self.requesterLimit = requesterLimit
        self.lookUp = lookUp
    }

    /// Every address of the name.
    func addresses(of host: String, within time: Duration) async throws(HTTPClientError) -> [IPAddress] {
        let lookup = Lookup(host: host, requester: Requester.current)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard lookup.wait(with: continuation) else { return }
                queue.asyncAfter(deadline: .now() + .milliseconds(time.clampedMilliseconds)) {
                    lookup.finish(.failure(.timedOut(host: host)))
                }
                enqueue(lookup)
            }
        } onCancel: {
            lookup.finish(.failure(.cancelled))
        }
        return try result.get()
    }

    private func enqueue(_ lookup: Lookup) {
        let starts = state.withLock { state in
            guard state.running < limit, state.admits(lookup.requester, requesterLimit) else {
                state.waiting.append(lookup)
                return false
            }
            state.start(lookup.requester)
            return true
        }
        if starts { queue.async { self.run(lookup) } }
    }

    private func run(_ first: Lookup) {
        var next: Lookup? = first
        while let lookup = next {
            if !lookup.isFinished { lookup.finish(lookUp(lookup.host)) }
            next = state.withLock { state in
                state.end(lookup.requester)
                // A lookup that has ended, by its timeout or cancellation, needs no thread.
                state.waiting.removeAll(where: \.isFinished)
                guard
                    let place = state.waiting.firstIndex(where: { state.admits($0.requester, requesterLimit) })
                else { return nil }
                let next = state.waiting.remove(at: place)
                state.start(next.requester)
                return next
            }
        }
    }

    @Sendable static func askSystem(_ host: String) -> Result<[IPAddress], HTTPClientError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return .failure(.cannotResolve(host: host)) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let current = entry?.pointee {
            if let socketAddress = current.ai_addr,
                let address = IPAddress(socketAddress: socketAddress, family: current.ai_family)
            {
                addresses.append(address)
            }
            entry = current.ai_next
        }
        return addresses.isEmpty ? .failure(.cannotResolve(host: host)) : .success(addresses)
    }
}

/// One lookup, which ends once: with addresses, a timeout or a cancellation.
private final class Lookup: Sendable {
    typealias Answer = Result<[IPAddress], HTTPClientError>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Answer, Never>)
        case finished(Answer)
    }

    let host: String
    let requester: Int64?
    private let state = Mutex(State.idle)

    init(host: String, requester: Int64?) { (self.host, self.requester) = (host, requester) }

    var isFinished: Bool {
        state.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Stores the continuation of the waiting task; `false` when the lookup has ended and the continuation was resumed.
    func wait(with continuation: CheckedContinuation<Answer, Never>) -> Bool {
        let answer: Answer? = state.withLock { state in
            if case .finished(let answer) = state { return answer }
            state = .waiting(continuation)
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
        return answer == nil
    }

    func finish(_ answer: Answer) {
        let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
            switch state {
            case .finished: return nil
            case .idle:
                state = .finished(answer)
                return nil
            case .waiting(let continuation):
                state = .finished(answer)
                return continuation
            }
        }
        continuation?.resume(returning: answer)
    }
}

extension IPAddress {
    /// The address in a `sockaddr_in` or `sockaddr_in6`; `nil` for any other family.
    init?(socketAddress pointer: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            var address = pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = withUnsafeBytes(of: &address) { bytes in
                .v6(
                    high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        default: return nil
        }
    }

    /// The form in URLs and `CURLOPT_RESOLVE`: IPv6 in brackets.
    var inURL: String {
        if case .v6 = self { "[\(self)]" } else { description }
    }
}
