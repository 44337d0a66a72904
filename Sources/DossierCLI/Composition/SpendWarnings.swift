import JobQueue
import Observability
import Synchronization

/// Warns once when a sum of the day reaches four fifths of its limit, and once when a limit refuses a call.
final class SpendWarnings: Sendable {
    /// The share of a limit from which on an operator is warned.
    static let share = 0.8

    private struct Event: Hashable {
        var limit: SpendLimit
        /// `nil` for the limits of the service.
        var user: UserID?
        var isReached: Bool
        var dayEnd: Timestamp
    }

    private let logger: Logger
    private let given = Mutex<Set<Event>>([])

    init(logger: Logger) { self.logger = logger }

    /// Takes in the booking of a call.
    ///
    /// The process whose booking passes the mark gives the warning, so that a fleet gives one.
    func note(_ booking: SpendBooking) {
        for limit in SpendLimit.allCases {
            guard let highest = booking.limits[limit], highest > 0 else { continue }
            let (sum, mark) = (booking.spend[limit], Int64(Double(highest) * Self.share))
            let isReached = booking.refusal == limit
            guard isReached || (sum >= mark && sum - booking.cost < mark) else { continue }
            let user = limit == .user ? booking.user : nil
            let event = Event(limit: limit, user: user, isReached: isReached, dayEnd: booking.spend.dayEnd)
            let isNew = given.withLock { given in
                given = given.filter { $0.dayEnd == event.dayEnd }
                return given.insert(event).inserted
            }
            if isNew { log(event, sum, of: highest) }
        }
    }

    private func log(_ event: Event, _ sum: Int64, of highest: Int64) {
        let fields: KeyValuePairs<String, LogValue> = [
            "limit": .string(event.limit.rawValue), "user": .string(event.user.map { "\($0.rawValue)" } ?? ""),
            "micro_dollars": .integer(sum), "highest": .integer(highest),
        ]
        if event.isReached {
            logger.error("a limit of the day's model spend is reached; calls are refused until midnight UTC", fields)
        } else {
            logger.warning("the day's model spend has passed 80 % of a limit", fields)
        }
    }
}
