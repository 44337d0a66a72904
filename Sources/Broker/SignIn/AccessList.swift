internal import Basics
internal import JobQueue
internal import Synchronization

/// The sessions and users whose access tokens are refused, as the store had them at most two seconds ago.
///
/// Requests are checked in memory. What this broker ends is added at once; what others end is read from the store twice a
/// second. While the store does not answer, no token is taken.
final class AccessList: Sendable {
    private struct State {
        /// Ended sessions, with the time at which they were added.
        var sessions: [String: Timestamp] = [:]
        /// The generations of users by the bytes of their subjects.
        var generations: [[UInt8]: Int64] = [:]
        var readAt: Timestamp?
    }

    /// The time between two readings, and the age at which a reading is too old.
    static let interval: Duration = .milliseconds(500)
    private static let lifetime: Duration = .milliseconds(1500)
    /// Clocks of brokers may differ by this, and a transaction may take as long.
    private static let overlap: Duration = .seconds(600)
    /// Access tokens of sessions hold for a day.
    private static let kept: Duration = .seconds(25 * 3600)

    private let state: StateBox
    private let reading: CachedReading<Bool>

    private final class StateBox: Sendable {
        let value = Mutex(State())
    }

    init(_ sessions: any SessionRepository, now: @escaping @Sendable () -> Timestamp) {
        let state = StateBox()
        self.state = state
        reading = CachedReading(lifetime: Self.lifetime) {
            let start = now()
            let since = state.value.withLock { $0.readAt }.map { $0 - Self.overlap }
            // Operators' tokens may hold for long, so that the first reading has all generations.
            let endings = try await sessions.accessEndings(
                sessionsSince: since ?? start - Self.kept, usersSince: since ?? Timestamp(milliseconds: 0))
            state.value.withLock { state in
                for ending in endings { Self.add(ending, at: start, to: &state) }
                if state.sessions.count > 1000 {
                    state.sessions = state.sessions.filter { start - $0.value < Self.kept }
                }
                state.readAt = start
            }
            return true
        }
    }

    /// Adds an ending of this broker's.
    func add(_ ending: AccessEnding, at now: Timestamp) { state.value.withLock { Self.add(ending, at: now, to: &$0) } }

    private static func add(_ ending: AccessEnding, at now: Timestamp, to state: inout State) {
        switch ending {
        case .session(let id): if state.sessions[id] == nil { state.sessions[id] = now }
        case .user(let subject, let generation):
            let key = Array(subject.utf8)
            state.generations[key] = max(state.generations[key] ?? 0, generation)
        }
    }

    /// Refuses a token whose access has ended, as far as this broker knows at the moment.
    func checkKnown(_ token: AccessClaims) throws(APIError) {
        let isRefused = state.value.withLock { state in
            if let session = token.session, state.sessions[session] != nil { return true }
            return token.generation < state.generations[Array(token.subject.utf8), default: 0]
        }
        if isRefused { throw .tokenInvalid }
    }

    /// Refuses a token whose access has ended.
    ///
    /// - Throws: `databaseUnavailable` when it is not known what has ended in the last seconds.
    func check(_ token: AccessClaims) async throws(APIError) {
        guard await reading.value(within: .seconds(1)).isCurrent else { throw .databaseUnavailable }
        try checkKnown(token)
    }

    /// Reads again what others have ended, while requests come.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { reading.keepCurrent() }
    }
}
