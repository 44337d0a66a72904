internal import DataSources
internal import JobQueue
internal import Prices
internal import Synchronization

/// Counts the different trainings that each user asks for in a day (UTC), in the memory of this broker: trainings cost
/// no credit, and the best of many tries looks better than it is.
final class TrainingAllowance: Sendable {
    /// Different trainings of a user and day.
    static let limit = 20
    /// Users that are remembered; beyond it the counts begin again.
    private static let mostUsers = 50_000

    private struct State {
        var day: Int64 = 0
        /// The keys of each user's trainings, by symbol.
        var users: [UserID: [String: Set<String>]] = [:]
    }

    private let state = Mutex(State())

    /// The number of different trainings that a user asked for today.
    func total(of user: UserID, at timestamp: Timestamp) -> Int {
        state.withLock { state in
            guard state.day == timestamp.milliseconds / 86_400_000 else { return 0 }
            return (state.users[user] ?? [:]).values.reduce(0) { $0 + $1.count }
        }
    }

    /// Gives back a training that was counted and could not be made.
    func giveBack(_ input: ForecastInput, of user: UserID) {
        state.withLock { state in
            _ = state.users[user]?[input.ticker.text]?.remove(Self.key(input))
        }
    }

    private static func key(_ input: ForecastInput) -> String {
        "\(input.timeframe.rawValue)/\(input.horizon)/\(input.lookbackDays)"
    }

    /// Counts a training; `isNew` says that it is not answered from the cache: only such a one is refused.
    ///
    /// - Returns: The number of different trainings of the symbol that the user asked for today; `nil` over the limit.
    func count(_ input: ForecastInput, of user: UserID, at timestamp: Timestamp, isNew: Bool) -> Int? {
        let day = timestamp.milliseconds / 86_400_000
        let key = Self.key(input)
        return state.withLock { state in
            if state.day != day || state.users.count > Self.mostUsers { state = State(day: day) }
            var symbols = state.users[user] ?? [:]
            let isKnown = symbols[input.ticker.text]?.contains(key) == true
            let total = symbols.values.reduce(0) { $0 + $1.count }
            if !isKnown {
                // Answers that exist cost nothing; they are remembered while there is room.
                guard total < Self.limit else { return isNew ? nil : (symbols[input.ticker.text]?.count ?? 0) + 1 }
                symbols[input.ticker.text, default: []].insert(key)
                state.users[user] = symbols
            }
            return symbols[input.ticker.text]?.count ?? 1
        }
    }
}
