import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// One request on its way through a handler and back: the shell around `ExchangeState`.
///
/// Used by the connection's thread, by the task that runs the handler and by the watcher; everything they share lies
/// behind `shared`. libmicrohttpd's own lock is only ever taken inside ours, never the other way round, since the library
/// holds none of its locks while it calls us.
///
/// `@unchecked Sendable`: `connection` is an opaque handle that the library allows any thread to resume.
final class Exchange: @unchecked Sendable {
    private struct Shared {
        var state = ExchangeState()
        var task: Task<Void, Never>?
        var isCancelled = false
        /// The handler's task, waiting for room for its next chunk.
        var demand: CheckedContinuation<Bool, Never>?
    }

    private let connection: OpaquePointer
    private let shared = Mutex(Shared())

    init(connection: OpaquePointer) { self.connection = connection }

    // MARK: The connection's thread

    /// Starts the handler; with `inline` it runs here until it first waits for something.
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

    /// The answer if it is here; otherwise the connection is suspended until it is.
    func takeOrPark() -> ServerResponse? {
        shared.withLock {
            if $0.state.park() { MHD_suspend_connection(connection) }
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
                // Told of an error here, the library would keep the connection until something else wakes its thread; a
                // write that fails ends it at once, and as visibly to the client.
                shutdown(shim_connection_fd(connection), Int32(SHUT_RDWR))
                return shim_end_of_stream
            case .park(let needsChunk):
                if needsChunk { demand = Self.takeDemand(&shared) }
                MHD_suspend_connection(connection)
                return 0
            }
        }
        demand?.resume(returning: true)
        return count
    }

    /// The library is done with the request, whether or not the answer reached its end.
    func finish() { abandon(cancelling: false) }

    // MARK: Other threads

    /// The client has gone. A handler is cancelled and still answered for, because a client that closed only its sending
    /// side looks the same; a stream is broken off.
    func clientLeft() {
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

    /// Ends a stream in good order after the chunk that is on its way; nothing happens to other answers.
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

    /// Answers in place of the handler, whose own answer will be dropped.
    func answer(insteadOfHandler response: ServerResponse) {
        cancel()
        wake(shared.withLock { $0.state.answer(response) })
    }

    // MARK: The handler's task

    private func serve(_ request: ServerRequest, isHead: Bool, handler: RequestHandler) async {
        let response = await handler(request)
        wake(shared.withLock { $0.state.answer(response) })
        guard case .stream(let makeSequence) = response.body, !isHead else { return }
        await pump(makeSequence())
        wake(shared.withLock { $0.state.endStream() })
    }

    private func pump(_ chunks: some AsyncSequence<[UInt8], Never>) async {
        for await chunk in chunks where !chunk.isEmpty {
            guard await send(chunk) else { return }
        }
    }

    /// Hands a chunk over and waits until it is on its way; `false` when nobody wants more.
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
                case .answered, .sending, .over: false
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
