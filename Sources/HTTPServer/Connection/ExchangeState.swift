/// One request and its response as a pure state machine: each transition returns the action for the caller.
///
/// ```
/// handling ──respond──▶ responded ──take──▶ sending ─────────▶ over
///                                     └───▶ streaming ──end──▶ over
/// ```
///
/// Invariants:
/// 1. `isSuspended` is true exactly while libmicrohttpd has the connection suspended: `suspend` and `read` set it, and
///    the first transition after that clears it and returns `.resume`, so each suspension is resumed once.
/// 2. Only the connection's thread suspends; it does so within the same lock as the transition that set `isSuspended`.
/// 3. Once `over`, nothing is kept: late responses and chunks are dropped.
struct ExchangeState {
    enum Phase {
        case handling
        /// The response waits for the connection's thread.
        case responded(ServerResponse)
        /// The library sends a body that is complete.
        case sending
        case streaming
        case over
    }

    enum WakeUp: Equatable {
        case none
        /// Resume the connection.
        case resume
    }

    /// The result of a read by libmicrohttpd.
    enum ReadResult: Equatable {
        case copied(Int)
        /// Suspend the connection; `true` asks for the next chunk first.
        case suspend(needsChunk: Bool)
        case end
        /// Abort the connection, so that the client does not take the part for the whole.
        case fail
    }

    private(set) var phase = Phase.handling
    private(set) var isSuspended = false
    private var chunk: [UInt8] = []
    private var offset = 0
    private var hasEnded = false
    private var abortsConnection = false
    /// Whether a download has had its last chunk.
    private var isComplete = false

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// The handler has returned a response.
    mutating func respond(_ response: ServerResponse) -> WakeUp {
        guard case .handling = phase else { return .none }
        phase = .responded(response)
        return resume()
    }

    /// The connection's thread has nothing to do until there is a response.
    ///
    /// - Returns: Whether to suspend the connection; otherwise the response is ready.
    mutating func suspend() -> Bool {
        guard case .handling = phase else { return false }
        isSuspended = true
        return true
    }

    /// The connection's thread takes the response to send it.
    mutating func take() -> ServerResponse? {
        guard case .responded(let response) = phase else { return nil }
        switch response.body {
        case .bytes: phase = .sending
        case .stream: (phase, abortsConnection) = (.streaming, response.abortsConnection)
        case .download: (phase, abortsConnection) = (.streaming, !isComplete)
        }
        return response
    }

    /// The handler's sequence has a chunk. At most one is held; `false` when it is not wanted.
    mutating func offer(_ bytes: [UInt8]) -> (isWanted: Bool, wakeUp: WakeUp) {
        switch phase {
        case .responded, .streaming:
            guard !hasEnded else { return (false, .none) }
            chunk = bytes
            offset = 0
            return (true, resumeStream())
        case .handling, .sending, .over: return (false, .none)
        }
    }

    /// libmicrohttpd has room for more of the body.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        guard case .streaming = phase else { return .fail }
        if offset < chunk.count {
            let count = min(buffer.count, chunk.count - offset)
            chunk.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
            offset += count
            return .copied(count)
        }
        chunk = []
        offset = 0
        if hasEnded { return abortsConnection ? .fail : .end }
        isSuspended = true
        return .suspend(needsChunk: true)
    }

    /// The chunks of a download were passed on to the last one. It ends cleanly unless it was ended before.
    mutating func completeDownload() -> WakeUp {
        if !hasEnded { (isComplete, abortsConnection) = (true, false) }
        return endStream()
    }

    /// No chunk follows the one that is held.
    mutating func endStream() -> WakeUp {
        hasEnded = true
        return resumeStream()
    }

    /// Ends the exchange: the client has closed the connection, or the library is done with the request.
    mutating func finish() -> WakeUp {
        phase = .over
        chunk = []
        return resume()
    }

    private mutating func resumeStream() -> WakeUp {
        if case .streaming = phase { resume() } else { .none }
    }

    private mutating func resume() -> WakeUp {
        defer { isSuspended = false }
        return isSuspended ? .resume : .none
    }
}
