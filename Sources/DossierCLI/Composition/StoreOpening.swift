import Basics
import JobQueue
import Observability
import Synchronization

extension Composition {
    /// Why a database cannot be opened.
    enum OpeningFailure: Error {
        /// It does not answer, or another process holds its lock.
        case away(reason: String)
        case permanent(CommandFailure)
    }

    /// The pause between two tries to open a database that is away.
    private static let openingPause: Duration = .seconds(1)

    /// Opens the database of a process that serves, and waits for one that is away.
    ///
    /// - Parameters:
    ///   - migrations: What to do with a database that lacks migrations.
    ///   - onWait: Is called once when the database turns out to be away, or takes long to open.
    /// - Returns: The store.
    /// - Throws: The failure that only an operator can mend.
    func waitForStore(
        _ migrations: MigrationPolicy, onWait: @escaping @Sendable () -> Void = {}
    ) async throws(CommandFailure) -> any Store {
        let waiting = WaitingLog(logger: logger, onWait: onWait)
        while true {
            do throws(OpeningFailure) {
                let store = try await tryOpenStore(migrations: migrations)
                waiting.stop(isBack: true)
                warn(of: store.schema)
                return store
            } catch {
                switch error {
                case .permanent(let failure):
                    waiting.stop(isBack: false)
                    throw failure
                case .away(let reason): waiting.note(reason)
                }
            }
            guard (try? await Task.sleep(for: Self.openingPause)) != nil else { throw .failed("stopped") }
        }
    }
}

extension Composition {
    /// Tells of a database of another version, which is served all the same.
    private func warn(of schema: SchemaReport) {
        guard !schema.isCurrent else { return }
        logger.warning("the database is of another version", ["reason": .string(schema.reading.text)])
    }
}

/// Tells, soon and once a minute, that a process waits for its database.
private final class WaitingLog: Sendable {
    private struct State {
        var reason = "it is not open yet"
        var hasTold = false
        /// Whether the database was away, and did not only take long to open.
        var hasFailed = false
    }

    /// The time in which a database that is there has been opened.
    private static let limit: Duration = .seconds(3)
    private static let interval: Duration = .seconds(60)

    private let start = ContinuousClock.now
    private let state = Mutex(State())
    private let logger: Logger
    private let onWait: @Sendable () -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(logger: Logger, onWait: @escaping @Sendable () -> Void) {
        self.logger = logger
        self.onWait = onWait
        task.withLock { task in
            task = Task { [weak self] in
                var pause = Self.limit
                while (try? await Task.sleep(for: pause)) != nil, let self {
                    tell()
                    pause = Self.interval
                }
            }
        }
    }

    /// Notes a try that failed; the first one is told at once.
    func note(_ reason: String) {
        let isFirst = state.withLock { state in
            state.reason = reason
            state.hasFailed = true
            return !state.hasTold
        }
        if isFirst { tell() }
    }

    private func tell() {
        let (reason, isFirst) = state.withLock { state in
            defer { state.hasTold = true }
            return (state.reason, !state.hasTold)
        }
        if isFirst { onWait() }
        logger.error("waiting for the database", ["reason": .string(reason)])
    }

    /// Ends the lines, with one for the database's return if it was away.
    func stop(isBack: Bool) {
        task.withLock { task in
            task?.cancel()
            task = nil
        }
        guard isBack, state.withLock({ $0.hasFailed }) else { return }
        logger.info("the database is back", ["outage_seconds": .seconds(.now - start)])
    }
}
