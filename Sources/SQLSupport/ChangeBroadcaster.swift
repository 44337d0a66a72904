package import JobQueue
internal import Synchronization

/// Sends signals to all streams of this process that watch a topic.
package final class ChangeBroadcaster: Sendable {
    private struct State {
        var watchers: [ChangeTopic: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var lastNumber: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// A stream that begins with a signal and buffers at most one.
    package func watch(_ topic: ChangeTopic) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number: UInt64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            state.watchers[topic, default: [:]][state.lastNumber] = continuation
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.watchers[topic]?[number] = nil }
        }
        return stream
    }

    /// Signals all streams of a topic.
    package func notify(_ topic: ChangeTopic) {
        // Outside the lock, since a stream that ends now takes the lock in `onTermination`.
        let watchers = state.withLock { state in state.watchers[topic].map { Array($0.values) } ?? [] }
        for watcher in watchers { watcher.yield() }
    }

    /// Ends all present and later streams.
    package func close() {
        let watchers = state.withLock { state in
            state.isClosed = true
            defer { state.watchers = [:] }
            return state.watchers.values.flatMap(\.values)
        }
        for watcher in watchers { watcher.finish() }
    }
}
