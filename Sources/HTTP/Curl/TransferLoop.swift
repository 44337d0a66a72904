import Basics
import CCurl
import Glibc

/// Carries every transfer of a client on one thread. epoll reports the ready sockets, and only those are processed
/// (`curl_multi_socket_action`), so thousands of quiet streams cost almost nothing.
///
/// `@unchecked Sendable`: after `init` only the loop's own thread touches anything but the command queue.
final class TransferLoop: @unchecked Sendable {
    private let configuration: HTTPClientConfiguration
    private let commands = CommandQueue()
    private let epoll: Int32
    private let multi: UnsafeMutableRawPointer?

    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var spares: [EasyHandle] = []
    /// The time at which libcurl has to be called although no socket is ready.
    private var timer: SuspendingClock.Instant?
    /// The time of the next check for silent servers.
    private var idleCheck: SuspendingClock.Instant?

    /// The time of the last look at the sockets.
    private var lastLook: SuspendingClock.Instant = .now

    private static let mostSpares = 128
    /// From so many on, the loop looks at most once in the pause.
    private static let manyTransfers = 16
    private static let pause: Duration = .milliseconds(5)
    private static let eventsAtOnce = 256

    init(_ configuration: HTTPClientConfiguration) {
        self.configuration = configuration
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        multi = CurlLibrary.isReady ? curl_multi_init() : nil
        // The thread keeps the loop alive until it ends, and takes no signals: OpenSSL would raise SIGPIPE on a
        // connection that the server has closed.
        guard prepare(), Thread.start({ self.run() }) else {
            end()
            return
        }
    }

    // MARK: - From any thread

    func start(_ transfer: Transfer) {
        if !commands.post(.start(transfer)) { transfer.abandon(.cancelled) }
    }

    /// Ends a transfer, or prevents its start.
    func cancel(_ transfer: Transfer) { _ = commands.post(.cancel(transfer)) }

    /// The reader of a paused transfer has room again.
    func resume(_ transfer: Transfer) { _ = commands.post(.resume(transfer)) }

    func requestStop(after grace: Duration) { commands.requestStop(at: .now.advanced(by: grace)) }

    func waitForStop() async { await commands.waitForStop() }

    // MARK: - Setup

    private func prepare() -> Bool {
        guard let multi, epoll >= 0, commands.descriptor >= 0 else { return false }
        let userData = Unmanaged.passUnretained(self).toOpaque()
        curl_multi_set_socket_callback(multi, Self.socketChanged)
        curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, userData)
        curl_multi_set_timer_callback(multi, Self.timerChanged)
        curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, userData)
        // One request at a time on a connection, with HTTP/2 too: in libcurl 7.88 one paused stream stops all others of
        // its connection (measured), and a slow reader must not stop other streams.
        curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: commands.descriptor))
        return epoll_ctl(epoll, EPOLL_CTL_ADD, commands.descriptor, &event) == 0
    }

    private static let socketChanged: curl_socket_callback = { _, socket, what, userData, known in
        guard let userData else { return 0 }
        let loop = Unmanaged<TransferLoop>.fromOpaque(userData).takeUnretainedValue()
        loop.watch(socket, what, isKnown: known != nil)
        return 0
    }

    private static let timerChanged: curl_multi_timer_callback = { _, milliseconds, userData in
        guard let userData else { return 0 }
        let loop = Unmanaged<TransferLoop>.fromOpaque(userData).takeUnretainedValue()
        loop.timer = milliseconds < 0 ? nil : .now.advanced(by: .milliseconds(milliseconds))
        return 0
    }

    // MARK: - The thread

    private func run() {
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventsAtOnce)
        defer { events.deallocate() }
        while !isOver {
            pace()
            let count = epoll_wait(epoll, events, Int32(Self.eventsAtOnce), millisecondsToWait)
            lastLook = .now
            for index in 0..<max(Int(count), 0) { handle(events[index]) }
            for command in commands.take() { perform(command) }
            if let timer, timer <= .now {
                self.timer = nil
                act(on: CURL_SOCKET_TIMEOUT, 0)
            }
            collectFinished()
            if let idleCheck, idleCheck <= .now { endSilent() }
        }
        end()
    }

    /// Where many transfers run, looks at them together, two hundred times a second at most: each piece of each answer
    /// would wake this thread, and one for its reader.
    private func pace() {
        guard active.count >= Self.manyTransfers, commands.stop == nil else { return }
        let early = SuspendingClock.now.duration(to: lastLook.advanced(by: Self.pause))
        if early > .zero { usleep(UInt32(early / .microseconds(1))) }
    }

    private var isOver: Bool {
        guard let stop = commands.stop else { return false }
        return active.isEmpty || stop <= .now
    }

    private var millisecondsToWait: Int32 {
        let next = [timer, idleCheck, commands.stop].compactMap(\.self).min()
        guard let next else { return -1 }
        let wait = SuspendingClock.now.duration(to: next)
        return wait <= .zero ? 0 : Int32(clamping: wait.clampedMilliseconds)
    }

    private func handle(_ event: epoll_event) {
        if event.data.fd == commands.descriptor { return commands.drainDescriptor() }
        var ready: Int32 = 0
        if event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { ready |= CURL_CSELECT_IN }
        if event.events & EPOLLOUT.rawValue != 0 { ready |= CURL_CSELECT_OUT }
        if event.events & EPOLLERR.rawValue != 0 { ready |= CURL_CSELECT_ERR }
        act(on: event.data.fd, ready)
    }

    private func act(on socket: curl_socket_t, _ ready: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, ready, &running)
    }

    /// Watches a socket for libcurl. The system has removed a closed socket from epoll already.
    private func watch(_ socket: curl_socket_t, _ what: Int32, isKnown: Bool) {
        var event = epoll_event(events: 0, data: epoll_data_t(fd: socket))
        if what == CURL_POLL_REMOVE {
            epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event)
            return
        }
        if what & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
        if what & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
        let first = isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        if epoll_ctl(epoll, first, socket, &event) != 0 {
            epoll_ctl(epoll, isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event)
        }
        if !isKnown { curl_multi_assign(multi, socket, Unmanaged.passUnretained(self).toOpaque()) }
    }

    private func perform(_ command: CommandQueue.Command) {
        switch command {
        case .start(let transfer): begin(transfer)
        case .cancel(let transfer):
            transfer.isCancelled = true
            if let easy = transfer.easy {
                detach(easy)
                transfer.abandon(.cancelled)
            }
        case .resume(let transfer):
            guard let easy = transfer.easy, transfer.isPaused else { return }
            transfer.isPaused = false
            transfer.touch()
            // libcurl delivers the paused chunk here, and the transfer may refuse it.
            let code = curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
            if code != CURLE_OK { finish(transfer, easy, code) }
        }
    }

    private func begin(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.abandon(.cancelled) }
        let host = transfer.hop.url.host
        guard let easy = spares.popLast() ?? EasyHandle() else {
            return transfer.abandon(.connectionLost(host: host, reason: "out of memory"))
        }
        let code = easy.configure(for: transfer, configuration)
        guard code == CURLE_OK, curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            return transfer.abandon(HTTPClientError(code, host: host, detail: ""))
        }
        transfer.easy = easy
        active[easy.pointer] = transfer
        scheduleIdleCheck(.now.advanced(by: transfer.limits.idle))
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle,
                let transfer = active[pointer], let easy = transfer.easy
            else { continue }
            finish(transfer, easy, message.pointee.data.result)
        }
    }

    private func finish(_ transfer: Transfer, _ easy: EasyHandle, _ code: CURLcode) {
        let failure =
            code == CURLE_OK
            ? nil : HTTPClientError(code, host: transfer.hop.url.host, detail: easy.detail)
        detach(easy)
        transfer.finish(failure)
    }

    /// Takes the handle from its transfer; a running request on it is closed.
    private func detach(_ easy: EasyHandle) {
        curl_multi_remove_handle(multi, easy.pointer)
        active.removeValue(forKey: easy.pointer)?.easy = nil
        if easy.reset(), spares.count < Self.mostSpares { spares.append(easy) }
    }

    private func scheduleIdleCheck(_ timestamp: SuspendingClock.Instant) {
        idleCheck = min(idleCheck ?? timestamp, timestamp)
    }

    private func endSilent() {
        idleCheck = nil
        let now = SuspendingClock.now
        for transfer in Array(active.values) {
            // A transfer that is still connecting has the limit for connecting.
            let deadline = transfer.idleDeadline ?? now.advanced(by: transfer.limits.idle)
            if deadline <= now, let easy = transfer.easy {
                detach(easy)
                transfer.abandon(.timedOut(host: transfer.hop.url.host))
            } else {
                // Checks are at least 10 ms apart, so that thousands of transfers do not keep the loop busy.
                scheduleIdleCheck(max(deadline, now.advanced(by: .milliseconds(10))))
            }
        }
    }

    private func end() {
        let left = commands.close()
        for case .start(let transfer) in left { transfer.abandon(.cancelled) }
        for transfer in Array(active.values) {
            if let easy = transfer.easy { detach(easy) }
            transfer.abandon(.cancelled)
        }
        spares = []
        if let multi { curl_multi_cleanup(multi) }
        if epoll >= 0 { close(epoll) }
        commands.resumeStopWaiters()
    }
}
