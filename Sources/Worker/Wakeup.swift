/// A signal that many may raise and one waits for; raising it twice before it is seen counts once.
struct Wakeup: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func raise() { continuation.yield() }

    /// Ends the waiting loop.
    func finish() { continuation.finish() }
}
