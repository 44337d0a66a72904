import CCurl
import Glibc
import Synchronization

/// The commands of other threads to the loop, with an eventfd that wakes it.
final class CommandQueue: Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        var hasEnded = false
        /// The time at which a loop that ends stops waiting for running transfers.
        var stop: SuspendingClock.Instant?
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Readable when there are commands; -1 when the system refused it.
    let descriptor: Int32
    private let state = Mutex(State())

    init() { descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }

    /// - Returns: `false` when the loop has ended, or is ending and takes no new transfers.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            if case .start = command, state.stop != nil { return false }
            state.commands.append(command)
            // The loop takes all commands at once, so only the first one has to wake it.
            if state.commands.count == 1 { wake() }
            return true
        }
    }

    /// Asks the loop to end when no transfer runs, at the latest at the given time.
    func requestStop(at timestamp: SuspendingClock.Instant) {
        state.withLock { state in
            state.stop = min(state.stop ?? timestamp, timestamp)
            if !state.isClosed { wake() }
        }
    }

    /// Returns when the loop has ended.
    func waitForStop() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.stopWaiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: - From the loop's thread

    func take() -> [Command] {
        state.withLock { state in
            if state.commands.isEmpty { return [] }
            defer { state.commands = [] }
            return state.commands
        }
    }

    var stop: SuspendingClock.Instant? { state.withLock(\.stop) }

    /// - Returns: The commands that were not carried out.
    func close() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            if descriptor >= 0 { Glibc.close(descriptor) }
            defer { state.commands = [] }
            return state.commands
        }
    }

    func resumeStopWaiters() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func drainDescriptor() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// A write fails only when the counter is full, and then the descriptor is readable already.
    private func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
