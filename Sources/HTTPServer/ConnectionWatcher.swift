import CMicrohttpd
import Glibc
import Synchronization

/// A thread that sees what libmicrohttpd does not: that the client of a suspended connection has gone, and that a head or
/// body has taken too long although bytes keep trickling in.
final class ConnectionWatcher: Sendable {
    private let epoll: Int32
    private let doorbell: Int32
    private let interval: Duration
    private let lastWork = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter interval: how often `start`'s `sweep` is called.
    /// - Throws: `outOfResources`.
    init(interval: Duration) throws(HTTPServerError) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .outOfResources("an epoll descriptor") }
        let doorbell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard doorbell >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, doorbell, &event) == 0 else {
            Glibc.close(epoll)
            throw .outOfResources("an event descriptor")
        }
        self.epoll = epoll
        self.doorbell = doorbell
        self.interval = interval
    }

    deinit {
        Glibc.close(doorbell)
        Glibc.close(epoll)
    }

    /// Starts the thread; it holds what the closures hold until `stop`.
    /// - Parameters:
    ///   - hangUp: called with the id of a connection whose client has closed its sending side or more.
    ///   - sweep: called every `interval`.
    /// - Throws: `outOfResources`.
    func start(
        hangUp: @escaping @Sendable (UInt64) -> Void, sweep: @escaping @Sendable () -> Void
    ) throws(HTTPServerError) {
        guard startThread({ self.run(hangUp: hangUp, sweep: sweep) }) else { throw .outOfResources("a thread") }
    }

    /// Reports once when the client hangs up, at once if it already has. Closing the descriptor ends the watch.
    func watchHangUp(of descriptor: Int32, id: UInt64) {
        var event = epoll_event(events: EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: id))
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// Ends the thread, whose last act is to call `work`.
    func stop(_ work: @escaping @Sendable () -> Void) {
        lastWork.withLock { $0 = work }
        eventfd_write(doorbell, 1)
    }

    private func run(hangUp: (UInt64) -> Void, sweep: () -> Void) {
        let milliseconds = Int32(clamping: max(1, interval.nanoseconds / 1_000_000))
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var nextSweep = MonotonicClock.now() + interval.nanoseconds
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
            for event in events.prefix(Int(max(0, count))) where event.data.u64 != 0 { hangUp(event.data.u64) }
            let work = lastWork.withLock { work in
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

/// Runs a closure on a thread of its own, for work that blocks. `false` if the system refuses one.
func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let box = Unmanaged.passRetained(Box(work))
    let status = pthread_create(
        &thread, &attributes,
        { context in
            if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work() }
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}
