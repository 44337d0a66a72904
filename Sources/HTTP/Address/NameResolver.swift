import Dispatch
import Glibc
import Synchronization

/// Resolves names with `getaddrinfo`, which blocks: on its own threads, a bounded number at once. A caller does not
/// wait for the lookup after its timeout or cancellation.
final class NameResolver: Sendable {
    private struct State {
        var running = 0
        var waiting: [Lookup] = []
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "http.resolver", attributes: .concurrent)
    private let limit: Int
    private let lookUp: @Sendable (String) -> Result<[IPAddress], HTTPClientError>

    /// `lookUp` may block; at most `limit` calls run at once.
    init(
        limit: Int = 16,
        lookUp: @escaping @Sendable (String) -> Result<[IPAddress], HTTPClientError> = NameResolver.askSystem
    ) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// Every address of the name.
    func addresses(of host: String, within time: Duration) async throws(HTTPClientError) -> [IPAddress] {
        let lookup = Lookup(host: host)
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
            guard state.running < limit else {
                state.waiting.append(lookup)
                return false
            }
            state.running += 1
            return true
        }
        if starts { queue.async { self.run(lookup) } }
    }

    private func run(_ first: Lookup) {
        var next: Lookup? = first
        while let lookup = next {
            if !lookup.isFinished { lookup.finish(lookUp(lookup.host)) }
            next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.running -= 1
                    return nil
                }
                return state.waiting.removeFirst()
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
    private let state = Mutex(State.idle)

    init(host: String) { self.host = host }

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
