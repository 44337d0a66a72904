/// An asynchronous sequence whose iteration throws `CancellationError` when its task is cancelled.
///
/// `AsyncThrowingStream` ends silently in that case, which a loop cannot tell from success. Nothing happens before the
/// first element is asked for; each iteration begins anew. A consumer that is slower than the source gets the latest
/// state; the last element is never lost. Leaving the loop stops the work behind it, but never a job on the server.
///
/// ```swift
/// func show(_ jobs: Updates<Job>) async throws {
///     for try await job in jobs { print(job.progress) }
/// }
/// ```
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    /// One pass over the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let begin: @Sendable () async throws -> UpdatesSource<Element>
        private var pass: Pass?
        private var hasEnded = false

        init(_ begin: @escaping @Sendable () async throws -> UpdatesSource<Element>) { self.begin = begin }

        /// The next element; `nil` at the end.
        public mutating func next() async throws -> Element? {
            try Task.checkCancellation()
            if hasEnded { return nil }
            do {
                if pass == nil { pass = Pass(source: try await begin()) }
                guard let pass else { return nil }
                let element = try await pass.source.next()
                if element == nil {
                    hasEnded = true
                    try Task.checkCancellation()
                }
                return element
            } catch {
                hasEnded = true
                pass = nil
                // Whatever a cancelled task was told on its way here.
                try Task.checkCancellation()
                throw error
            }
        }

        /// Ends the work behind the pass when the iterator is gone.
        private final class Pass {
            let source: UpdatesSource<Element>
            init(source: UpdatesSource<Element>) { self.source = source }
            deinit { source.end() }
        }
    }

    private let begin: @Sendable () async throws -> UpdatesSource<Element>

    init(_ begin: @escaping @Sendable () async throws -> UpdatesSource<Element>) { self.begin = begin }

    /// Begins a new pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(begin) }
}

/// What one pass over ``Updates`` reads from.
struct UpdatesSource<Element: Sendable>: Sendable {
    /// The next element, or `nil` at the end.
    let next: @Sendable () async throws -> Element?
    /// Called once, when the pass is over.
    var end: @Sendable () -> Void = {}
}
