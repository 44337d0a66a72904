import Dispatch
import Glibc
import Synchronization

/// The signals that a long-running command handles.
enum ProcessSignals {
    enum Signal: Sendable { case stop, reload }

    /// SIGTERM and SIGINT as `stop`, SIGHUP as `reload`, or as `stop` when it says that the process's terminal was closed.
    /// A second `stop` ends the process at once, without the drain, and so does the first one while the process starts:
    /// there is nothing to drain.
    static func stream(from start: StartPhase = StartPhase(isOver: true)) -> AsyncStream<Signal> {
        AsyncStream { continuation in
            let stops = StopCount()
            let terminal = ControllingTerminal.ofStart
            let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { @Sendable in
                    if number == SIGHUP, !terminal.wasClosed {
                        continuation.yield(.reload)
                    } else {
                        if stops.next() > 1 { exit(130) }
                        if !start.isOver { exit(0) }
                        continuation.yield(.stop)
                    }
                }
                source.resume()
                return SignalSource(source)
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
            }
        }
    }
}

/// The terminal that controls the process. When it is closed, the process gets the signal by which operators ask a
/// service to read its files again.
private struct ControllingTerminal {
    /// As the process began: later on, a service handles SIGHUP itself.
    static let ofStart = ControllingTerminal(isHeeded: isThere && !isHangupIgnored)

    /// Whether the process has such a terminal, and was not started by `nohup`, to go on without it.
    private let isHeeded: Bool

    var wasClosed: Bool { isHeeded && !Self.isThere }

    private static var isThere: Bool {
        let file = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return false }
        close(file)
        return true
    }

    private static var isHangupIgnored: Bool {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

/// The time until a process serves.
final class StartPhase: Sendable {
    private let hasEnded: Atomic<Bool>

    init(isOver: Bool = false) { hasEnded = Atomic(isOver) }

    var isOver: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

    func end() { hasEnded.store(true, ordering: .sequentiallyConsistent) }
}

/// Keeps a dispatch source alive. Unchecked: dispatch sources may be used from any thread.
private struct SignalSource: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ source: any DispatchSourceSignal) { self.source = source }

    func cancel() { source.cancel() }
}

private final class StopCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
