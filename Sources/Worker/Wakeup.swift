internal import Synchronization

/// A signal that many may raise and one waits for; raising it twice before it is seen counts once.
final class Wakeup: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let news = Mutex(false)

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that there may be something to claim.
    func raise() {
        news.withLock { $0 = true }
        continuation.yield()
    }

    /// Wakes who waits, without news.
    func nudge() { continuation.yield() }

    /// Whether the signal was raised since this was asked last.
    func takeNews() -> Bool {
        news.withLock { news in
            defer { news = false }
            return news
        }
    }

    /// Ends the waiting loop.
    func finish() { continuation.finish() }
}
