import Basics
import Glibc
import Observability
import Synchronization
import Worker

/// Bounds the stop of a process whose jobs do not end or whose database does not answer.
///
/// Without it, each write would wait for as long as the store does. Nothing is lost: other processes notice the end of
/// this one and take its jobs.
final class StopLimit: Sendable {
    /// The time for what needs the database, after the jobs have ended.
    static let grace: Duration = .seconds(3)
    private static let pause: Duration = .milliseconds(50)

    private let timer = Mutex<Task<Void, Never>?>(nil)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Gives the jobs of workers the time of their drain, and then the database its time.
    func begin(_ workers: [Worker], drain: Duration) {
        replace { [self] in
            let end = ContinuousClock.now + drain
            while .now < end, !workers.allSatisfy(\.isIdle) {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            }
            await stop(after: Self.grace)
        }
    }

    /// Gives a further time, which replaces the one that runs.
    func allow(_ time: Duration) { replace { [self] in await stop(after: time) } }

    /// Ends the limit.
    func lift() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }

    private func replace(_ body: @escaping @Sendable () async -> Void) {
        timer.withLock { timer in
            timer?.cancel()
            timer = Task { await body() }
        }
    }

    private func stop(after time: Duration) async {
        guard (try? await Task.sleep(for: time)) != nil else { return }
        logger.warning("stopped before its jobs and writes had ended; other processes take the jobs")
        _exit(0)
    }
}
