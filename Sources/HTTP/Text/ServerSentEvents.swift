/// The events of a streaming answer.
///
/// Ends when the answer ends. A cancelled task gets `HTTPClientError.cancelled` instead of an end, so that a stream
/// that was cut short is never taken for a whole one.
package struct ServerSentEvents: AsyncSequence {
    package typealias Element = ServerSentEvent
    package typealias Failure = HTTPClientError

    private let body: AsyncThrowingStream<[UInt8], any Error>
    private let limit: Int

    /// `limit` is the most bytes that one event may take.
    package init(_ body: AsyncThrowingStream<[UInt8], any Error>, limit: Int = 4 << 20) {
        self.body = body
        self.limit = limit
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), parser: ServerSentEventParser(limit: limit))
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator
        fileprivate var parser: ServerSentEventParser
        /// Events of the last chunk that were not handed out yet, in reverse.
        private var pending: [ServerSentEvent] = []

        fileprivate init(chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator, parser: ServerSentEventParser) {
            self.chunks = chunks
            self.parser = parser
        }

        package mutating func next() async throws(HTTPClientError) -> ServerSentEvent? {
            try await next(isolation: nil)
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(HTTPClientError) -> ServerSentEvent? {
            while pending.isEmpty {
                guard let chunk = try await nextChunk(isolation: actor) else {
                    if Task.isCancelled { throw .cancelled }
                    return nil
                }
                pending = try parser.push(chunk).reversed()
            }
            return pending.removeLast()
        }

        private mutating func nextChunk(isolation actor: isolated (any Actor)?) async throws(HTTPClientError)
            -> [UInt8]?
        {
            do {
                return try await chunks.next(isolation: actor)
            } catch let error as HTTPClientError {
                throw error
            } catch {
                throw .cancelled
            }
        }
    }
}

extension HTTPStreamingResponse {
    /// The body read as `text/event-stream`.
    package var events: ServerSentEvents { ServerSentEvents(body) }
}
