import Synchronization

/// Passes chunks from one task to another, one at a time.
final class EventChannel: Sendable {
    private struct State {
        var chunk: [UInt8]?
        /// Is taken when there is no chunk.
        var comment: [UInt8]?
        /// No chunk follows.
        var hasEnded = false
        /// No further chunk is taken.
        var isClosed = false
        var receiver: CheckedContinuation<[UInt8]?, Never>?
        var sender: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Waits for a chunk; `nil` at the end or when the calling task is cancelled.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isDecided, chunk, sender) = state.withLock { state in
                    let sender = state.sender
                    state.sender = nil
                    if let chunk = state.chunk ?? state.comment {
                        state.chunk = nil
                        state.comment = nil
                        return (true, Optional(chunk), sender)
                    }
                    if state.hasEnded || state.isClosed { return (true, nil, sender) }
                    state.receiver = continuation
                    return (false, nil, sender)
                }
                sender?.resume(returning: true)
                if isDecided { continuation.resume(returning: chunk) }
            }
        } onCancel: {
            close()
        }
    }

    /// Waits until the chunk is taken; `false` when it will not be.
    func send(_ chunk: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let (receiver, isClosed) = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>?, Bool) in
                if state.isClosed { return (nil, true) }
                if let receiver = state.receiver {
                    state.receiver = nil
                    return (receiver, false)
                }
                state.chunk = chunk
                state.sender = continuation
                return (nil, false)
            }
            if let receiver { receiver.resume(returning: chunk) }
            if receiver != nil || isClosed { continuation.resume(returning: !isClosed) }
        }
    }

    /// Gives a comment to the receiver, now or at its next call; a chunk that arrives earlier replaces it.
    func offer(_ comment: [UInt8]) {
        let receiver = state.withLock { state in
            let receiver = state.receiver
            state.receiver = nil
            if receiver == nil { state.comment = comment }
            return receiver
        }
        receiver?.resume(returning: comment)
    }

    /// No chunk follows the one that waits.
    func end() { stop { $0.hasEnded = true } }

    /// The receiver has left.
    func close() {
        stop {
            $0.isClosed = true
            $0.chunk = nil
            $0.comment = nil
        }
    }

    private func stop(_ change: (inout State) -> Void) {
        let (receiver, sender) = state.withLock { state in
            change(&state)
            defer {
                state.receiver = nil
                if state.isClosed { state.sender = nil }
            }
            return (state.receiver, state.isClosed ? state.sender : nil)
        }
        receiver?.resume(returning: nil)
        sender?.resume(returning: false)
    }
}
