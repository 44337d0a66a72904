/// One running request, with the response as far as libcurl's callbacks have collected it.
///
/// `@unchecked Sendable`: from `TransferLoop.start` on, which passes a mutex, only the loop's thread touches the
/// mutable properties; other threads only pass the reference on.
final class Transfer: @unchecked Sendable {
    enum Mode {
        case collect
        case stream(BodyBuffer)
    }

    enum Outcome: Sendable {
        /// The body is empty when it is streamed.
        case response(ResponseHead, body: [UInt8])
        /// A response that the client follows.
        case redirect(ResponseHead)
    }

    typealias Waiter = CheckedContinuation<Result<Outcome, HTTPClientError>, Never>

    /// Without its body, which is in `unsent`.
    let hop: Hop
    let bodyLength: Int
    let limits: HTTPLimits
    let mode: Mode
    /// The addresses to which the hop may connect.
    let connection: ConnectionPolicy
    /// The deadline of the request as a whole, redirects included.
    let deadline: SuspendingClock.Instant
    /// Resumes the task that waits for the outcome; set before `TransferLoop.start`.
    var waiter: Waiter?

    /// The handle that carries the transfer while it runs.
    var easy: EasyHandle?
    /// Set when a cancellation overtakes the start.
    var isCancelled = false
    /// Whether libcurl holds a chunk back until the reader has room.
    var isPaused = false

    private var parser = ResponseHeadParser()
    private var isRedirect = false
    private var body: [UInt8] = []
    private var received = 0
    /// The part of the request's body that libcurl has not taken yet. Its memory is freed as soon as all is sent: a
    /// stream may last for minutes after that, and there may be thousands.
    private var unsent: ArraySlice<UInt8>
    private var hasUploaded = false
    private var idleSince: SuspendingClock.Instant?
    /// The reason why a callback ended the transfer.
    private var refusal: HTTPClientError?

    /// The most bytes of a redirect's body that are read so that the connection can be used again.
    private static let redirectBodyLimit = 64 << 10

    init(hop: Hop, limits: HTTPLimits, mode: Mode, connection: ConnectionPolicy, deadline: SuspendingClock.Instant) {
        bodyLength = hop.body.count
        unsent = hop.body[...]
        var hop = hop
        hop.body = []
        self.hop = hop
        self.limits = limits
        self.mode = mode
        self.connection = connection
        self.deadline = deadline
    }

    // MARK: - Connecting and sending

    /// Checks every socket before it connects, and every connection, also a reused one, before it is used.
    func mayUse(_ peer: IPAddress?) -> Bool {
        guard let policy = connection.policy else { return true }
        if let peer, policy.permits(peer, of: hop.url.host) { return true }
        refusal = .forbiddenAddress(host: hop.url.host, address: peer?.description ?? "unknown")
        return false
    }

    /// Restarts the measurement of the server's silence.
    func touch() { idleSince = .now }

    /// - Returns: The number of bytes of the request's body that were copied.
    func upload(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        touch()
        let part = unsent.prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        hasUploaded = hasUploaded || !part.isEmpty
        unsent = part.count < unsent.count ? unsent.dropFirst(part.count) : []
        return part.count
    }

    /// Whether libcurl may repeat the request when a reused connection fails. The server may have acted on a body that
    /// was sent, so only the caller decides whether to send it again.
    var mayRewind: Bool { !hasUploaded }

    // MARK: - Receiving

    enum Reaction { case taken, paused, refused }

    func receive(header line: UnsafeRawBufferPointer) -> Reaction {
        touch()
        switch parser.receive(line) {
        case .incomplete: return .taken
        case .unusable:
            refusal = .connectionLost(host: hop.url.host, reason: "the head of the response is malformed")
            return .refused
        case .complete:
            isRedirect = limits.redirects > 0 && Hop.isRedirect(parser.head)
            if !isRedirect, case .stream = mode { deliver(.success(.response(parser.head.decoded, body: []))) }
            return .taken
        }
    }

    func receive(body chunk: UnsafeRawBufferPointer) -> Reaction {
        touch()
        let limit = isRedirect ? Self.redirectBodyLimit : limits.body
        guard received + chunk.count <= limit else {
            refusal = .bodyTooLarge(limit: limit)
            return .refused
        }
        if !isRedirect {
            switch mode {
            case .collect: body.append(contentsOf: chunk)
            case .stream(let buffer):
                guard buffer.offer(chunk) else {
                    isPaused = true
                    return .paused
                }
            }
        }
        received += chunk.count
        return .taken
    }

    // MARK: - Ending

    /// The time at which the server has been silent for too long; `nil` while no response is expected.
    var idleDeadline: SuspendingClock.Instant? { isPaused ? nil : idleSince?.advanced(by: limits.idle) }

    /// - Parameter failure: libcurl's error, `nil` after a complete response.
    func finish(_ failure: HTTPClientError?) {
        if isRedirect { return deliver(.success(.redirect(parser.head))) }
        let failure = refusal ?? failure ?? (parser.isComplete ? nil : noResponse)
        if case .stream(let buffer) = mode { buffer.finish(failure.map { .failure($0) } ?? .success(())) }
        deliver(failure.map { .failure($0) } ?? .success(.response(parser.head.decoded, body: body)))
        body = []
    }

    /// Ends the transfer before its response is complete.
    func abandon(_ failure: HTTPClientError) {
        if case .stream(let buffer) = mode { buffer.finish(.failure(failure)) }
        deliver(.failure(failure))
    }

    private var noResponse: HTTPClientError { .connectionLost(host: hop.url.host, reason: "there was no response") }

    /// Only the first outcome counts: a stream delivers its head before it ends.
    private func deliver(_ outcome: Result<Outcome, HTTPClientError>) {
        waiter?.resume(returning: outcome)
        waiter = nil
    }
}
