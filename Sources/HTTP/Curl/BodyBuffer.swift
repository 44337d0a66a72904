import Synchronization

/// Where the loop's thread leaves the bytes of a streamed body and their reader takes them.
///
/// At most `capacity` bytes and one chunk wait here. When more comes the transfer is paused, and the reader has it
/// resumed once it has taken what waits.
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

    /// - Returns: `false` when there is no room: libcurl is to keep the chunk and pause.
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

    /// Ends the body; only the first end counts. What waits is still read, except after a cancellation.
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

    /// The bytes that wait, or else the next that come; `nil` at the end.
    /// Calls `resume` when the transfer had paused and is to go on.
    func next(resume: @Sendable () -> Void) async throws(HTTPClientError) -> [UInt8]? {
        let chunk: Chunk = await withCheckedContinuation { continuation in
            let (answer, wasPaused) = state.withLock { state -> (Chunk?, Bool) in
                if !state.bytes.isEmpty {
                    defer {
                        state.bytes = []
                        state.isPaused = false
                    }
                    return (.success(state.bytes), state.isPaused)
                }
                if let end = state.end { return (end.map { nil }, false) }
                // A stream has one reader; a second one at the same time would lose bytes to the first.
                guard state.reader == nil else { return (.failure(.cancelled), false) }
                state.reader = continuation
                return (nil, false)
            }
            if let answer { continuation.resume(returning: answer) }
            if wasPaused { resume() }
        }
        return try chunk.get()
    }
}
