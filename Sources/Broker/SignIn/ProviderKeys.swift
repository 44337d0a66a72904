internal import HTTP
internal import JSON
internal import Observability

/// The public keys of an identity provider, fetched at the first need and kept.
///
/// - A set is current for the answer's `max-age`, within bounds, and is read again in the background. While that fails
///   the old keys hold for a day.
/// - A token with an unknown key id has the keys read at once, seldom enough that nobody makes this service call the
///   provider at will.
/// - Readings that several requests want are one.
package actor ProviderKeys {
    /// Where the keys are found.
    package enum Location: Sendable, Hashable {
        case keySet(url: String)
        /// The provider's discovery document names the address.
        case discovery(issuer: String)
    }

    /// The reason why there are no keys.
    enum Unavailable: Error { case unavailable(retryAfter: Int) }

    /// Seconds for which a set is current.
    static let lifetimes: ClosedRange<Int64> = 30...3600
    static let standardLifetime: Int64 = 600
    /// The time for which keys hold that cannot be read again.
    static let grace: Int64 = 86_400
    /// The time between two readings because of unknown key ids.
    static let unknownPause: Int64 = 30
    /// The time after a reading that failed.
    static let failurePause: Int64 = 5

    private struct Held {
        var set: ProviderKeySet
        var readAt: Int64
        var currentUntil: Int64
    }

    nonisolated let location: Location
    private let transport: any HTTPTransport
    private let logger: Logger
    /// Seconds of a clock that is never set.
    private let now: @Sendable () -> Int64
    private var held: Held?
    private var failedAt: Int64?
    private var unknownAt: Int64?
    private var reading: Task<Void, Never>?

    init(
        _ location: Location, transport: any HTTPTransport, logger: Logger,
        now: @escaping @Sendable () -> Int64 = { MonotonicSeconds.now }
    ) {
        (self.location, self.transport, self.logger, self.now) = (location, transport, logger, now)
    }

    /// The key of a token; `nil` when the provider has none.
    ///
    /// - Throws: `unavailable` when there are no keys at all, or a key is unknown and the keys cannot be read now.
    func key(for token: ProviderToken) async throws(Unavailable) -> ProviderKeySet.Key? {
        var set = try await present()
        if let key = set.key(for: token) { return key }
        guard let id = token.keyID, !set.has(id) else { return nil }
        if reading != nil {
            await read()
            set = held?.set ?? set
            if set.has(id) { return set.key(for: token) }
        }
        if let last = unknownAt {
            let pause = failedAt == nil ? Self.unknownPause : Self.failurePause
            if now() - last < pause {
                if failedAt != nil { throw .unavailable(retryAfter: Int(pause - (now() - last))) }
                return nil
            }
        }
        unknownAt = now()
        await read()
        // It may be a new key: a user who has one need not sign in again.
        if failedAt != nil { throw .unavailable(retryAfter: Int(Self.failurePause)) }
        return held?.set.key(for: token)
    }

    /// Reads the keys again when they are due. Does nothing before they are first needed.
    func refreshIfDue() async {
        if isDue { await read() }
    }

    private var isDue: Bool {
        guard let held, held.currentUntil <= now() else { return false }
        return failedAt.map { now() - $0 >= Self.failurePause } ?? true
    }

    /// The keys that hold.
    private func present() async throws(Unavailable) -> ProviderKeySet {
        if let held, now() - held.readAt < Self.grace {
            if isDue, reading == nil { begin() }
            return held.set
        }
        if let failedAt, reading == nil, now() - failedAt < Self.failurePause {
            throw .unavailable(retryAfter: Int(Self.failurePause - (now() - failedAt)))
        }
        await read()
        guard let held, now() - held.readAt < Self.grace else {
            throw .unavailable(retryAfter: Int(Self.failurePause))
        }
        return held.set
    }

    /// Waits for the reading that is under way, or for a new one. It goes on without its callers.
    private func read() async {
        if reading == nil { begin() }
        await reading?.value
    }

    private func begin() {
        reading = Task {
            await fetchAndKeep()
            reading = nil
        }
    }

    private func fetchAndKeep() async {
        do throws(ProviderKeyFetch.Failure) {
            let (set, lifetime) = try await ProviderKeyFetch(transport: transport).keys(at: location)
            let seconds = min(
                max(lifetime ?? Self.standardLifetime, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
            held = Held(set: set, readAt: now(), currentUntil: now() + seconds)
            failedAt = nil
        } catch {
            failedAt = now()
            logger.warning("the keys of the identity provider cannot be read", ["problem": .string(error.reason)])
        }
    }
}

/// Seconds since an arbitrary moment, which no setting of the wall clock changes.
enum MonotonicSeconds {
    private static let start = ContinuousClock.now

    static var now: Int64 { (ContinuousClock.now - start).components.seconds }
}
