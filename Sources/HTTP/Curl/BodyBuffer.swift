import Synchronization

/// The buffer between the loop's thread and the reader of a streamed body.
///
/// It holds at most `capacity` bytes and one chunk. When more arrives the transfer is paused, and the reader resumes it
/// after it has emptied the buffer.
final class BodyBuffer: Sendable {
    typealias Chunk = Result<[UInt8]?, HTTPClientError>

    private struct State {
        var bytes: [UInt8] = []
        var isPaused = false
        var end: Result<Void, HTTPClientError>?
        var reader: CheckedContinuation<Chunk, Never>?
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// - Returns: `false` when there is no room: libcurl keeps the chunk and pauses.
    func offer(_ chunk: UnsafeRawBufferPointer) -> Bool {
        let (taken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Chunk, Never>?) in
            if let reader = state.reader {
                state.reader = nil
                return (true, reader)
            }
            if state.bytes.count >= capacity {
                state.isPaused = true
                return (false, nil)
            }
            state.bytes.append(contentsOf: chunk)
            return (true, nil)
        }
        reader?.resume(returning: .success([UInt8](chunk)))
        return taken
    }

    /// Ends the body; only the first end counts. Buffered bytes are still read, except after a cancellation.
    func finish(_ end: Result<Void, HTTPClientError>) {
        let (reader, first) = state.withLock {
            state -> (CheckedContinuation<Chunk, Never>?, Result<Void, HTTPClientError>) in
            let first = state.end ?? end
            state.end = first
            if case .failure(.cancelled) = first { state.bytes = [] }
            defer { state.reader = nil }
            return (state.reader, first)
        }
        reader?.resume(returning: first.map { nil })
    }

    /// The buffered bytes, or else the next that arrive; `nil` at the end.
    ///
    /// Calls `resume` when the transfer was paused and has room again.
    func next(resume: @Sendable () -> Void) async throws(HTTPClientError) -> [UInt8]? {
        let chunk: Chunk = await withCheckedContinuation { continuation in
            let (ready, wasPaused) = state.withLock { state -> (Chunk?, Bool) in
                if !state.bytes.isEmpty {
                    defer {
                        state.bytes = []
                        state.isPaused = false
                    }
                    return (.success(state.bytes), state.isPaused)
                }
                if let end = state.end { return (end.map { nil }, false) }
                // A stream has one reader: a concurrent second one would lose bytes to the first.
                guard state.reader == nil else { return (.failure(.cancelled), false) }
                state.reader = continuation
                return (nil, false)
            }
            if let ready { continuation.resume(returning: ready) }
            if wasPaused { resume() }
        }
        return try chunk.get()
    }
}

/// The reader of a streamed body. The transfer ends when its stream is dropped.
final class BodyReader: Sendable {
    private let client: HTTPClient
    private let transfer: Transfer
    private let buffer: BodyBuffer

    /// Keeps the client alive, as its loop carries the transfer.
    init(client: HTTPClient, transfer: Transfer, buffer: BodyBuffer) {
        self.client = client
        self.transfer = transfer
        self.buffer = buffer
    }

    deinit { client.loop.cancel(transfer) }

    func next() async throws(HTTPClientError) -> [UInt8]? {
        let result: Result<[UInt8]?, HTTPClientError> = await withTaskCancellationHandler {
            do throws(HTTPClientError) {
                return .success(try await buffer.next { client.loop.resume(transfer) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            buffer.finish(.failure(.cancelled))
            client.loop.cancel(transfer)
        }
        return try result.get()
    }
}
