import Basics
import CMicrohttpd
import Glibc
import Synchronization

/// A thread that detects two cases that libmicrohttpd does not: that the client of a suspended connection has closed
/// it, and that a head or body takes too long although bytes keep arriving.
final class ConnectionWatcher: Sendable {
    private let epoll: Int32
    private let wakeUp: Int32
    private let interval: Duration
    private let finalWork = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter interval: The time between two calls of `sweep`.
    /// - Throws: `outOfResources`.
    init(interval: Duration) throws(HTTPServerError) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .outOfResources("an epoll descriptor") }
        let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard wakeUp >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
            Glibc.close(epoll)
            throw .outOfResources("an event descriptor")
        }
        self.epoll = epoll
        self.wakeUp = wakeUp
        self.interval = interval
    }

    deinit {
        Glibc.close(wakeUp)
        Glibc.close(epoll)
    }

    /// Starts the thread, which keeps the closures until `stop`.
    /// - Parameters:
    ///   - hangUp: Receives the id of a connection whose client has closed at least its sending side.
    ///   - sweep: Is called every `interval`.
    /// - Throws: `outOfResources`.
    func start(
        hangUp: @escaping @Sendable (UInt64) -> Void, sweep: @escaping @Sendable () -> Void
    ) throws(HTTPServerError) {
        guard Thread.start({ self.run(hangUp: hangUp, sweep: sweep) }) else { throw .outOfResources("a thread") }
    }

    /// Reports once when the client hangs up, immediately if it already has. Closing the descriptor ends the watch.
    func watchHangUp(of descriptor: Int32, id: UInt64) {
        var event = epoll_event(events: EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: id))
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// Ends the thread after it has called `work`.
    func stop(_ work: @escaping @Sendable () -> Void) {
        finalWork.withLock { $0 = work }
        eventfd_write(wakeUp, 1)
    }

    private func run(hangUp: (UInt64) -> Void, sweep: () -> Void) {
        let milliseconds = Int32(clamping: max(1, interval.nanoseconds / 1_000_000))
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var nextSweep = MonotonicClock.now() + interval.nanoseconds
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
            for event in events.prefix(Int(max(0, count))) where event.data.u64 != 0 { hangUp(event.data.u64) }
            let work = finalWork.withLock { work in
                defer { work = nil }
                return work
            }
            if let work { return work() }
            if MonotonicClock.now() >= nextSweep {
                sweep()
                nextSweep = MonotonicClock.now() + interval.nanoseconds
            }
        }
    }
}
