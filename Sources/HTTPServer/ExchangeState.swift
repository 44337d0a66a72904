/// One request and its answer, as a machine without effects: each transition returns what the caller has to do.
///
/// ```
/// handling ──answer──▶ answered ──take──▶ sending ─────────▶ over
///                                   └───▶ streaming ──end──▶ over
/// ```
///
/// Invariants:
/// 1. `isParked` is true exactly while libmicrohttpd has the connection suspended and nobody has resumed it: suspending
///    (`park`, `read`) sets it, and whichever transition finds it set clears it and returns `.resume`, so each suspension
///    is resumed once.
/// 2. Only the connection's thread suspends; it does so within the same lock as the transition that set `isParked`.
/// 3. Once `over`, nothing is kept: late answers and chunks are dropped.
struct ExchangeState {
    enum Phase {
        case handling
        /// The answer waits for the connection's thread.
        case answered(ServerResponse)
        /// The library sends a body that it holds.
        case sending
        case streaming
        case over
    }

    enum WakeUp: Equatable {
        case none
        /// Resume the connection.
        case resume
    }

    /// What the content reader does.
    enum Reading: Equatable {
        case copied(Int)
        /// Suspend the connection; `true` asks for the next chunk first.
        case park(needsChunk: Bool)
        case end
        /// Break the connection off, so that the client does not take what it has for the whole.
        case fail
    }

    private(set) var phase = Phase.handling
    private(set) var isParked = false
    private var chunk: [UInt8] = []
    private var offset = 0
    private var hasEnded = false
    private var breaksOff = false

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// The handler has answered.
    mutating func answer(_ response: ServerResponse) -> WakeUp {
        guard case .handling = phase else { return .none }
        phase = .answered(response)
        return unpark()
    }

    /// The connection's thread has nothing to do until an answer is here.
    /// - Returns: whether it has to suspend the connection; otherwise the answer is here already.
    mutating func park() -> Bool {
        guard case .handling = phase else { return false }
        isParked = true
        return true
    }

    /// The connection's thread takes the answer to send it.
    mutating func take() -> ServerResponse? {
        guard case .answered(let response) = phase else { return nil }
        breaksOff = response.breaksOff
        if case .stream = response.body { phase = .streaming } else { phase = .sending }
        return response
    }

    /// The handler's sequence has a chunk. At most one is held: `false` when nobody wants it.
    mutating func offer(_ bytes: [UInt8]) -> (isWanted: Bool, wakeUp: WakeUp) {
        switch phase {
        case .answered, .streaming:
            guard !hasEnded else { return (false, .none) }
            chunk = bytes
            offset = 0
            return (true, unparkStream())
        case .handling, .sending, .over: return (false, .none)
        }
    }

    /// The content reader has room.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
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
        if hasEnded { return breaksOff ? .fail : .end }
        isParked = true
        return .park(needsChunk: true)
    }

    /// No chunk follows the one that is held.
    mutating func endStream() -> WakeUp {
        hasEnded = true
        return unparkStream()
    }

    /// Gives up: the client has left, or the library is done with the request.
    mutating func finish() -> WakeUp {
        phase = .over
        chunk = []
        return unpark()
    }

    private mutating func unparkStream() -> WakeUp {
        if case .streaming = phase { unpark() } else { .none }
    }

    private mutating func unpark() -> WakeUp {
        defer { isParked = false }
        return isParked ? .resume : .none
    }
}
