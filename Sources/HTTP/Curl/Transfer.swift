/// One request on its way, with what libcurl's callbacks collect of the answer.
///
/// `@unchecked Sendable`: what may change belongs to the loop's thread from the moment the transfer is handed over
/// (through the loop's mutex); other threads only pass the reference on.
final class Transfer: @unchecked Sendable {
    enum Mode {
        case collect
        case stream(BodyBuffer)
    }

    enum Outcome: Sendable {
        /// The body is empty when it is streamed.
        case answer(ResponseHead, body: [UInt8])
        /// An answer that the client is to follow.
        case redirect(ResponseHead)
    }

    typealias Waiter = CheckedContinuation<Result<Outcome, HTTPClientError>, Never>

    /// Without its body: that is `unsent`.
    let hop: Hop
    let bodyLength: Int
    let limits: HTTPLimits
    let mode: Mode
    /// Where the hop may connect to.
    let route: Route
    /// When the request as a whole, redirects included, is out of time.
    let deadline: SuspendingClock.Instant
    /// Who waits for the outcome; set before the transfer is handed over.
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
    /// What libcurl has not taken yet of the request's body. It goes as soon as all is sent: a stream may last for
    /// minutes after that, and there may be thousands.
    private var unsent: ArraySlice<UInt8>
    private var hasUploaded = false
    private var idleSince: SuspendingClock.Instant?
    /// Why a callback told libcurl to give up.
    private var refusal: HTTPClientError?

    /// A redirect's body is read so that the connection can be used again, but only this far.
    private static let redirectBodyLimit = 64 << 10

    init(hop: Hop, limits: HTTPLimits, mode: Mode, route: Route, deadline: SuspendingClock.Instant) {
        bodyLength = hop.body.count
        unsent = hop.body[...]
        var hop = hop
        hop.body = []
        self.hop = hop
        self.limits = limits
        self.mode = mode
        self.route = route
        self.deadline = deadline
    }

    // MARK: - Connecting and sending

    /// Asked for every socket before it connects, and for every connection, also a kept one, before it is used.
    func mayUse(_ peer: IPAddress?) -> Bool {
        guard let policy = route.policy else { return true }
        if let peer, policy.permits(peer, of: hop.url.host) { return true }
        refusal = .forbiddenAddress(host: hop.url.host, address: peer?.description ?? "unknown")
        return false
    }

    /// The server is at work from now on; silence counts.
    func touch() { idleSince = .now }

    /// - Returns: how many bytes of the request's body were copied.
    func upload(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        touch()
        let part = unsent.prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        hasUploaded = hasUploaded || !part.isEmpty
        unsent = part.count < unsent.count ? unsent.dropFirst(part.count) : []
        return part.count
    }

    /// libcurl would send a request again by itself when a kept connection dies under it. A body that was handed out may
    /// have been acted on, so only the caller decides whether it is sent twice.
    var mayRewind: Bool { !hasUploaded }

    // MARK: - Receiving

    enum Reaction { case taken, paused, refused }

    func receive(header line: UnsafeRawBufferPointer) -> Reaction {
        touch()
        switch parser.receive(line) {
        case .incomplete: return .taken
        case .unusable:
            refusal = .connectionLost(host: hop.url.host, reason: "the head of the answer is not usable")
            return .refused
        case .complete:
            isRedirect = limits.redirects > 0 && Hop.isRedirect(parser.head)
            if !isRedirect, case .stream = mode { tell(.success(.answer(parser.head.decoded, body: []))) }
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

    /// When the server has been silent for too long; `nil` while it is not its turn.
    var idleDeadline: SuspendingClock.Instant? { isPaused ? nil : idleSince?.advanced(by: limits.idle) }

    /// - Parameter failure: what libcurl says, `nil` after a whole answer.
    func finish(_ failure: HTTPClientError?) {
        if isRedirect { return tell(.success(.redirect(parser.head))) }
        let failure = refusal ?? failure ?? (parser.isComplete ? nil : noAnswer)
        if case .stream(let buffer) = mode { buffer.finish(failure.map { .failure($0) } ?? .success(())) }
        tell(failure.map { .failure($0) } ?? .success(.answer(parser.head.decoded, body: body)))
        body = []
    }

    /// Ends the transfer whatever the answer was going to be.
    func abandon(_ failure: HTTPClientError) {
        if case .stream(let buffer) = mode { buffer.finish(.failure(failure)) }
        tell(.failure(failure))
    }

    private var noAnswer: HTTPClientError { .connectionLost(host: hop.url.host, reason: "there was no answer") }

    /// Only the first outcome counts: a stream has told its head before it ends.
    private func tell(_ outcome: Result<Outcome, HTTPClientError>) {
        waiter?.resume(returning: outcome)
        waiter = nil
    }
}
