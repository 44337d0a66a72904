import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// One request and its response: performs the effects that `ExchangeState` decides.
///
/// The connection's thread, the task that runs the handler and the watcher use it; `shared` guards everything they
/// share. libmicrohttpd's lock is only ever taken inside this lock, never the other way round, since the library holds
/// none of its locks during a callback.
///
/// `@unchecked Sendable`: `connection` is an opaque handle that the library allows any thread to resume.
final class Exchange: @unchecked Sendable {
    private struct Shared {
        var state = ExchangeState()
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Resumes the handler's task, which waits for room for its next chunk.
        var demand: CheckedContinuation<Bool, Never>?
    }

    private let connection: OpaquePointer
    private let shared = Mutex(Shared())

    init(connection: OpaquePointer) { self.connection = connection }

    // MARK: The connection's thread

    /// Starts the handler; with `inline` it runs on this thread until its first suspension.
    func start(_ request: ServerRequest, handler: @escaping RequestHandler, inline: Bool) {
        let isHead = request.method == .head
        let work: @Sendable () async -> Void = { await self.serve(request, isHead: isHead, handler: handler) }
        let task = inline ? Task.immediate(operation: work) : Task(operation: work)
        let isCancelled = shared.withLock {
            if !$0.state.isOver { $0.task = task }
            return $0.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// The response if it is ready; otherwise suspends the connection until it is.
    func takeOrSuspend() -> ServerResponse? {
        shared.withLock {
            if $0.state.suspend() { MHD_suspend_connection(connection) }
            return $0.state.take()
        }
    }

    /// Fills the library's buffer from the stream, or suspends the connection until there is a chunk.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var demand: CheckedContinuation<Bool, Never>?
        let count = shared.withLock { shared in
            switch shared.state.read(into: buffer) {
            case .copied(let count): return count
            case .end: return shim_end_of_stream
            case .fail:
                // After an error code the library would keep the connection until something else wakes its thread. A
                // write that fails closes it immediately, and the client sees the same.
                shutdown(shim_connection_fd(connection), Int32(SHUT_RDWR))
                return shim_end_of_stream
            case .suspend(let needsChunk):
                if needsChunk { demand = Self.takeDemand(&shared) }
                MHD_suspend_connection(connection)
                return 0
            }
        }
        demand?.resume(returning: true)
        return count
    }

    /// The library is done with the request, whether or not the response was sent completely.
    func finish() { abandon(cancelling: false) }

    // MARK: Other threads

    /// The client closed the connection. A handler is cancelled but its response is still sent, because a client that
    /// closed only its sending side looks the same; a stream is aborted.
    func clientClosed() {
        let isStreaming = shared.withLock { if case .streaming = $0.state.phase { true } else { false } }
        if isStreaming { abandon(cancelling: true) } else { cancel() }
    }

    /// Cancels the task that runs the handler and iterates its stream.
    func cancel() {
        let task = shared.withLock { shared in
            shared.isCancelled = true
            return shared.task
        }
        task?.cancel()
    }

    /// Ends a stream cleanly after the chunk that is being sent; other responses are not affected.
    func endStream() {
        let (demand, wakeUp, isStreaming) = shared.withLock { shared in
            guard case .streaming = shared.state.phase else {
                return (CheckedContinuation<Bool, Never>?.none, ExchangeState.WakeUp.none, false)
            }
            return (Self.takeDemand(&shared), shared.state.endStream(), true)
        }
        wake(wakeUp)
        demand?.resume(returning: false)
        if isStreaming { cancel() }
    }

    /// Responds in place of the handler, whose own response is dropped.
    func respond(insteadOfHandler response: ServerResponse) {
        cancel()
        wake(shared.withLock { $0.state.respond(response) })
    }

    // MARK: The handler's task

    private func serve(_ request: ServerRequest, isHead: Bool, handler: RequestHandler) async {
        let response = await handler(request)
        wake(shared.withLock { $0.state.respond(response) })
        if isHead { return }
        switch response.body {
        case .bytes: break
        case .stream(let makeSequence):
            await pump(makeSequence())
            wake(shared.withLock { $0.state.endStream() })
        case .download(let makeSequence):
            let isComplete = await download(makeSequence())
            wake(shared.withLock { isComplete ? $0.state.completeDownload() : $0.state.endStream() })
        }
    }

    private func pump(_ chunks: some AsyncSequence<[UInt8], Never>) async {
        for await chunk in chunks where !chunk.isEmpty {
            guard await send(chunk) else { return }
        }
    }

    /// Whether all chunks were passed on.
    private func download(_ chunks: some AsyncSequence<[UInt8], any Error>) async -> Bool {
        do {
            for try await chunk in chunks where !chunk.isEmpty {
                guard await send(chunk) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Passes a chunk on and waits until it is being sent; `false` when the response takes no more.
    private func send(_ chunk: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let (isWanted, wakeUp) = shared.withLock { shared in
                let offered = shared.state.offer(chunk)
                if offered.isWanted { shared.demand = continuation }
                return offered
            }
            wake(wakeUp)
            if !isWanted { continuation.resume(returning: false) }
        }
    }

    private func abandon(cancelling: Bool) {
        let (demand, wakeUp, task) = shared.withLock { shared in
            let isUnfinished: Bool =
                switch shared.state.phase {
                case .handling, .streaming: true
                case .responded, .sending, .over: false
                }
            let task = isUnfinished || cancelling ? shared.task : nil
            shared.isCancelled = shared.isCancelled || isUnfinished
            shared.task = nil
            return (Self.takeDemand(&shared), shared.state.finish(), task)
        }
        wake(wakeUp)
        demand?.resume(returning: false)
        task?.cancel()
    }

    private func wake(_ wakeUp: ExchangeState.WakeUp) {
        if wakeUp == .resume { MHD_resume_connection(connection) }
    }

    private static func takeDemand(_ shared: inout Shared) -> CheckedContinuation<Bool, Never>? {
        defer { shared.demand = nil }
        return shared.demand
    }
}
