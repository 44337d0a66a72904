internal import Glibc

/// A thread of its own for blocking calls, so that they never hold a thread of the cooperative pool.
package enum Thread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread; `false` when the system has none to give.
    ///
    /// Signals are left to the other threads of the process.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    package static func sleep(microseconds: UInt32) { usleep(microseconds) }
}
