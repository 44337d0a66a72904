import Synchronization

/// Hands chunks from one task to another, one at a time.
final class EventSlot: Sendable {
    private struct State {
        var chunk: [UInt8]?
        /// What goes out when somebody asks and no chunk is there.
        var comment: [UInt8]?
        /// No chunk follows.
        var hasEnded = false
        /// Nobody takes one any more.
        var isClosed = false
        var taker: CheckedContinuation<[UInt8]?, Never>?
        var giver: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Waits for a chunk; `nil` at the end or when the calling task is cancelled.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isDecided, chunk, giver) = state.withLock { state in
                    let giver = state.giver
                    state.giver = nil
                    if let chunk = state.chunk ?? state.comment {
                        state.chunk = nil
                        state.comment = nil
                        return (true, Optional(chunk), giver)
                    }
                    if state.hasEnded || state.isClosed { return (true, nil, giver) }
                    state.taker = continuation
                    return (false, nil, giver)
                }
                giver?.resume(returning: true)
                if isDecided { continuation.resume(returning: chunk) }
            }
        } onCancel: {
            close()
        }
    }

    /// Hands a chunk over, waiting until it is taken; `false` when nobody will.
    func put(_ chunk: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let (taker, isClosed) = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>?, Bool) in
                if state.isClosed { return (nil, true) }
                if let taker = state.taker {
                    state.taker = nil
                    return (taker, false)
                }
                state.chunk = chunk
                state.giver = continuation
                return (nil, false)
            }
            if let taker { taker.resume(returning: chunk) }
            if taker != nil || isClosed { continuation.resume(returning: !isClosed) }
        }
    }

    /// Hands a comment over, now or when somebody asks next; a chunk that comes before that takes its place.
    func offer(_ comment: [UInt8]) {
        let taker = state.withLock { state in
            let taker = state.taker
            state.taker = nil
            if taker == nil { state.comment = comment }
            return taker
        }
        taker?.resume(returning: comment)
    }

    /// No chunk follows the one that waits.
    func end() { stop { $0.hasEnded = true } }

    /// Nothing is taken any more.
    func close() {
        stop {
            $0.isClosed = true
            $0.chunk = nil
            $0.comment = nil
        }
    }

    private func stop(_ change: (inout State) -> Void) {
        let (taker, giver) = state.withLock { state in
            change(&state)
            defer {
                state.taker = nil
                if state.isClosed { state.giver = nil }
            }
            return (state.taker, state.isClosed ? state.giver : nil)
        }
        taker?.resume(returning: nil)
        giver?.resume(returning: false)
    }
}
