internal import Basics
internal import JobQueue
internal import Synchronization

/// The sessions and users whose access tokens are refused, and users who were erased, as the store had them at most two
/// seconds ago.
///
/// Requests are checked in memory. What this broker ends is added at once; what others end is read from the store twice a
/// second. While the store does not answer, no token is taken.
final class AccessList: Sendable {
    fileprivate struct State {
        /// Ended sessions, with the time at which they were added.
        var sessions: [String: Timestamp] = [:]
        /// The generations of users by the bytes of their subjects.
        var generations: [[UInt8]: Int64] = [:]
        /// The bytes of the subjects of barred users.
        var barred: Set<[UInt8]> = []
        /// Erasures by the HMAC of the subject; several of one subject are one, the latest.
        var erasures: [String: Erased] = [:]
        /// The key of the HMAC, once there is an erasure.
        var key: String?
        var readAt: Timestamp?
    }

    /// An erasure of a subject.
    fileprivate struct Erased {
        var requestedAt: Timestamp
        var isCompleted: Bool
        var readAt: Timestamp
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

    /// Receives the users whose rows go, and `nil` when the last of them have gone.
    private let forget: @Sendable (UserID?) -> Void
    private let records: any SessionRepository & ErasureRepository

    init(
        _ sessions: any SessionRepository & ErasureRepository, now: @escaping @Sendable () -> Timestamp,
        forget: @escaping @Sendable (UserID?) -> Void = { _ in }
    ) {
        let state = StateBox()
        self.state = state
        (self.forget, records) = (forget, sessions)
        reading = CachedReading(lifetime: Self.lifetime) {
            let start = now()
            let since = state.value.withLock { $0.readAt }.map { $0 - Self.overlap }
            // Operators' tokens may hold for long, so that the first reading has all generations.
            let endings = try await sessions.accessEndings(
                sessionsSince: since ?? start - Self.kept, usersSince: since ?? Timestamp(milliseconds: 0))
            if endings.contains(where: \.isErasure), state.value.withLock({ $0.key == nil }) {
                let key = try await sessions.erasureKey()
                state.value.withLock { $0.key = key }
            }
            // Before anybody of the name is let in again, so that the new account is not taken for the one before.
            for ending in endings where state.value.withLock({ $0.isNews(ending) }) {
                if case .erasure(_, let user, _, _) = ending { forget(user) }
            }
            state.value.withLock { state in
                // Erasures first: generations of an account that came after one stay.
                for ending in endings where ending.isErasure { Self.add(ending, at: start, to: &state) }
                for ending in endings where !ending.isErasure { Self.add(ending, at: start, to: &state) }
                state.erasures = state.erasures.filter { start - $0.value.readAt < Self.keptErasure }
                if state.sessions.count > 1000 {
                    state.sessions = state.sessions.filter { start - $0.value < Self.kept }
                }
                state.readAt = start
            }
            return true
        }
    }

    /// The time for which an erasure counts from its last reading: longer than the store keeps the HMAC.
    private static let keptErasure: Duration = Erasure.memory + .seconds(86_400)

    /// Adds an ending of this broker's.
    func add(_ ending: AccessEnding, at now: Timestamp) { state.value.withLock { Self.add(ending, at: now, to: &$0) } }

    /// Adds an erasure that this broker began.
    func add(_ erasure: Erasure, at now: Timestamp) async throws(StoreError) {
        let key = try await records.erasureKey()
        state.value.withLock { $0.key = key }
        forget(erasure.user)
        guard let digest = erasure.digest else { return }
        add(
            .erasure(
                digest: digest, user: erasure.user, requestedAt: erasure.requestedAt,
                isCompleted: erasure.completedAt != nil),
            at: now)
    }

    private static func add(_ ending: AccessEnding, at now: Timestamp, to state: inout State) {
        switch ending {
        case .session(let id): if state.sessions[id] == nil { state.sessions[id] = now }
        case .user(let subject, let generation):
            let key = Array(subject.utf8)
            state.generations[key] = max(state.generations[key] ?? 0, generation)
        case .bar(let subject, true): state.barred.insert(Array(subject.utf8))
        case .bar(let subject, false): state.barred.remove(Array(subject.utf8))
        case .erasure(let digest, _, let requestedAt, let isCompleted):
            let isNews = state.isNews(ending)
            guard isNews || state.erasures[digest]?.requestedAt == requestedAt else { return }
            state.erasures[digest] = Erased(requestedAt: requestedAt, isCompleted: isCompleted, readAt: now)
            // The generations of the next account of the name begin at 0.
            guard isNews, let key = state.key else { return }
            state.generations = state.generations.filter { Erasure.digest(of: $0.key, key: key) != digest }
            state.barred = state.barred.filter { Erasure.digest(of: $0, key: key) != digest }
        }
    }

    /// Refuses a token whose access has ended, as far as this broker knows at the moment.
    func checkKnown(_ token: AccessClaims) throws(APIError) {
        try checkBar(of: token.subject)
        let isRefused = state.value.withLock { state in
            if let erased = state.erased(Array(token.subject.utf8)) {
                guard erased.isCompleted, erased.permits(issuedAt: token.issuedAt) else { return true }
            }
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

    private func checkBar(of subject: String) throws(APIError) {
        if state.value.withLock({ $0.barred.contains(Array(subject.utf8)) }) { throw .accountRefused("barred") }
    }

    // MARK: Erased users

    /// Refuses a user who is being erased, as far as this broker knows at the moment.
    func checkKnown(subject: String) throws(APIError) {
        try checkBar(of: subject)
        let isRunning = state.value.withLock { $0.erased(Array(subject.utf8))?.isCompleted == false }
        if isRunning { throw .accountRefused("erased") }
    }

    /// Refuses a user who is being erased.
    ///
    /// - Throws: `databaseUnavailable` when it is not known who was erased in the last seconds.
    func check(subject: String) async throws(APIError) {
        guard await reading.value(within: .seconds(1)).isCurrent else { throw .databaseUnavailable }
        try checkKnown(subject: subject)
    }

    /// Refuses a sign-in by a provider's token that was issued before an erasure of its user, or while one runs.
    func check(subject: String, issuedAt: Int64?) async throws(APIError) {
        try await check(subject: subject)
        let isRefused = state.value.withLock { state in
            state.erased(Array(subject.utf8)).map { !$0.permits(issuedAt: issuedAt) } ?? false
        }
        if isRefused { throw .accountRefused("erased") }
    }

    /// Reads again what others have ended, while requests come.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { reading.keepCurrent() }
    }
}

extension AccessList.State {
    /// The erasure of a subject, given as bytes.
    fileprivate func erased(_ subject: [UInt8]) -> AccessList.Erased? {
        guard !erasures.isEmpty, let key else { return nil }
        return erasures[Erasure.digest(of: subject, key: key)]
    }

    /// Whether an erasure was not known, or not as completed.
    func isNews(_ ending: AccessEnding) -> Bool {
        guard case .erasure(let digest, _, let requestedAt, let isCompleted) = ending else { return false }
        guard let known = erasures[digest], known.requestedAt >= requestedAt else { return true }
        return known.requestedAt == requestedAt && known.isCompleted != isCompleted
    }
}

extension AccessList.Erased {
    /// Whether a token is of a time after the request; the time is in whole seconds.
    fileprivate func permits(issuedAt: Int64?) -> Bool {
        issuedAt.map { $0.multipliedReportingOverflow(by: 1000).partialValue > requestedAt.milliseconds } ?? false
    }
}

extension AccessEnding {
    fileprivate var isErasure: Bool {
        if case .erasure = self { true } else { false }
    }
}
