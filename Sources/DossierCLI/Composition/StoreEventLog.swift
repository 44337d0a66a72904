import Basics
import JobQueue
import Observability

/// Writes the events of a store's database to the log.
enum StoreEventLog {
    /// Begins to write, until the store is closed.
    static func start(of store: any StoreMonitoring, logger: Logger) {
        let events = store.events()
        Task {
            for await event in events { write(event, to: logger) }
        }
    }

    static func write(_ event: StoreEvent, to logger: Logger) {
        switch event {
        case .unavailable(let reason): logger.error("the database is away", ["reason": .string(reason)])
        case .available(let outage):
            logger.info("the database is back", ["outage_seconds": .seconds(outage)])
        case .damaged(let reason):
            logger.error(
                "the database is damaged: no job is taken or started until it is restored",
                ["reason": .string(reason)])
        case .refused(let reason):
            logger.error("the database refuses an operation; it is tried again", ["reason": .string(reason)])
        case .clockStepped(let step):
            logger.error(
                "the clock of the database's server has stepped; deadlines follow it after ten even minutes",
                ["step_seconds": .seconds(step)])
        case .logHeldBack(let bytes):
            logger.warning(
                "a read transaction has been open for long and keeps the write-ahead log growing",
                ["bytes": .integer(bytes)])
        }
    }
}

extension LogValue {
    /// Seconds, to the millisecond.
    static func seconds(_ duration: Duration) -> LogValue {
        let (seconds, attoseconds) = duration.components
        // One division, so that the shortest text of the number has no more than three places.
        return .double((Double(seconds) * 1000 + (Double(attoseconds) / 1e15).rounded()) / 1000)
    }
}
