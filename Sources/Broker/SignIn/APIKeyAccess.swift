internal import Basics
internal import HTTPServer
internal import JobQueue
internal import Synchronization

/// Tells which API keys are live.
///
/// Requests are checked in memory against a reading of the store that is at most a second and a half old. Keys that are
/// revoked here end at once. A key that the reading lacks may be new, so that the store is asked for it; such questions
/// are counted by client address.
final class APIKeyAccess: Sendable {
    private static let lifetime: Duration = .milliseconds(1500)
    private static let interval: Duration = .milliseconds(500)
    /// Unknown keys that one address may present in a minute.
    private static let unknownKeys = 60
    private static let capacity = 100_000

    private final class StateBox: Sendable {
        struct State {
            var live: [String: APIKey] = [:]
            /// The ids of keys that were revoked here.
            var revoked: Set<String> = []
            /// The last uses that the store does not have, to the minute.
            var uses: [String: Timestamp] = [:]
        }

        let value = Mutex(State())
    }

    private let keys: any APIKeyRepository
    private let now: @Sendable () -> Timestamp
    private let state: StateBox
    private let reading: CachedReading<Bool>
    private let unknown: MinuteCounter<String>

    init(_ keys: any APIKeyRepository, now: @escaping @Sendable () -> Timestamp) {
        let state = StateBox()
        (self.keys, self.now, self.state) = (keys, now, state)
        unknown = MinuteCounter(capacity: Self.capacity, now: now)
        reading = CachedReading(lifetime: Self.lifetime) {
            let live = try await keys.liveKeys()
            state.value.withLock { $0.live = live }
            return true
        }
    }

    /// The live key of a request.
    ///
    /// - Throws: `tokenInvalid` for an unknown, expired or revoked key, `databaseUnavailable` when it is not known which
    ///   keys are live.
    func key(_ text: String, of request: ServerRequest) async throws(APIError) -> APIKey {
        guard await reading.value(within: .seconds(1)).isCurrent else { throw .databaseUnavailable }
        let digest = APIKey.digest(of: text)
        var found = state.value.withLock { $0.live[digest] }
        if found == nil {
            let address = request.clientAddress
            if let refusal = unknown.count([(address, Self.unknownKeys)]) {
                throw .rateLimited(
                    refusal.limit, "One address may present unknown keys in", setting: nil,
                    retryAfter: refusal.pause.roundedUpSeconds)
            }
            do {
                found = try await keys.key(digest: digest)
            } catch {
                throw APIError(error)
            }
        }
        let now = now()
        guard let key = found, isLive(key, at: now) else { throw .tokenInvalid }
        noteUse(of: key, at: now)
        return key
    }

    /// The live key of a request, as far as this broker knows at the moment; `nil` for one that may be new.
    func known(_ text: String) throws(APIError) -> APIKey? {
        guard let key = state.value.withLock({ $0.live[APIKey.digest(of: text)] }) else { return nil }
        guard isLive(key, at: now()) else { throw .tokenInvalid }
        return key
    }

    /// Ends a key of this service here, at once.
    func revoke(_ id: String) { state.value.withLock { _ = $0.revoked.insert(id) } }

    /// Ends the keys that a user made here, at once.
    func revoke(madeBy user: UserID) {
        state.value.withLock { state in
            let made = state.live.values.filter {
                $0.createdBy.kind == .user && $0.createdBy.id == String(user.rawValue)
            }
            state.revoked.formUnion(made.map(\.id))
        }
    }

    private func isLive(_ key: APIKey, at now: Timestamp) -> Bool {
        key.isLive(at: now) && !state.value.withLock { $0.revoked.contains(key.id) }
    }

    // MARK: Uses

    private func noteUse(of key: APIKey, at now: Timestamp) {
        let minute = Timestamp(milliseconds: now.milliseconds / 60_000 * 60_000)
        if let last = key.lastUsedAt, last >= minute { return }
        state.value.withLock { $0.uses[key.id] = minute }
    }

    /// Stores the last uses that the store does not have.
    func storeUses() async {
        let uses = state.value.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        guard !uses.isEmpty else { return }
        do {
            try await keys.noteKeyUses(uses)
        } catch {
            state.value.withLock { $0.uses.merge(uses) { max($0, $1) } }
        }
    }

    /// Reads again which keys are live and stores their uses, while requests come.
    func run() async {
        var rounds = 0
        while (try? await Task.sleep(for: Self.interval)) != nil {
            reading.keepCurrent()
            rounds += 1
            if rounds.isMultiple(of: 4) { await storeUses() }
        }
        await storeUses()
    }
}
