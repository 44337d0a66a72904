package import JobQueue
internal import Synchronization

/// The state of a store's database, as the store's threads observe it, and the events that follow from it.
///
/// Outages and damage are told once each. Damage closes the store for new work: at first for half a minute, then for
/// twice as long each time that it shows again, or for good where only another file can help.
package final class AvailabilityMonitor: Sendable {
    private struct Outage {
        var reason: String
        var since: ContinuousClock.Instant
        /// The time from which the state no longer counts without a further failure.
        var until: ContinuousClock.Instant?
        /// Whether the database can be reached and answers no request all the same.
        var isReachable = false
    }

    private struct Damage {
        var reason: String
        var isPermanent: Bool
        var until: ContinuousClock.Instant
        var pause: Duration
    }

    private struct State {
        var outage: Outage?
        var damage: Damage?
        /// The last time that each reason of a refusal was told.
        var refusals: [String: ContinuousClock.Instant] = [:]
        var listeners: [UInt64: AsyncStream<StoreEvent>.Continuation] = [:]
        /// Whether the write-ahead log was long when it was last looked at.
        var isLogLong = false
        var lastNumber: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether there is an outage: read by every operation, without the lock.
    private let isOut = Atomic<Bool>(false)
    private let isDamaged = Atomic<Bool>(false)

    private static let firstPause: Duration = .seconds(30)
    private static let longestPause: Duration = .seconds(600)
    private static let refusalPause: Duration = .seconds(60)
    /// Distinct reasons that are remembered; after that they are told again.
    private static let refusalCount = 64

    package init() {}

    // MARK: Questions

    package var availability: StoreAvailability {
        guard isOut.load(ordering: .relaxed) || isDamaged.load(ordering: .relaxed) else { return .available }
        let now = ContinuousClock.now
        return state.withLock { state in
            if let damage = state.damage, damage.isPermanent || now < damage.until {
                return .damaged(reason: damage.reason)
            }
            guard let outage = state.outage, outage.until.map({ now < $0 }) ?? true else { return .available }
            return .unavailable(reason: outage.reason)
        }
    }

    /// The time since which the database cannot be reached; `nil` when it can.
    package var unreachableSince: ContinuousClock.Instant? {
        guard isOut.load(ordering: .relaxed) else { return nil }
        return state.withLock { $0.outage.flatMap { $0.until == nil && !$0.isReachable ? $0.since : nil } }
    }

    package var isUnavailable: Bool { isOut.load(ordering: .relaxed) }

    /// Whether the database is away until it answers, and not only full.
    package var isUnreachable: Bool { unreachableSince != nil }

    /// Refuses work that would only begin now, while the database is damaged.
    package func checkForNewWork() throws(StoreError) {
        guard isDamaged.load(ordering: .relaxed), case .damaged(let reason) = availability else { return }
        throw .damaged(reason: reason)
    }

    // MARK: Observations

    /// Notes that the database is away.
    ///
    /// - Parameters:
    ///   - reason: Without secrets.
    ///   - limit: The time after which the state ends by itself; `nil` when only an answer ends it.
    package func noteUnavailable(_ reason: String, for limit: Duration? = nil) {
        let now = ContinuousClock.now
        let isNew = state.withLock { state in
            let isNew = state.outage == nil
            state.outage = Outage(
                reason: reason, since: state.outage?.since ?? now, until: limit.map { now + $0 })
            return isNew
        }
        isOut.store(true, ordering: .relaxed)
        if isNew { tell(.unavailable(reason: reason)) }
    }

    /// Notes that a database that can be reached has answered no request for a while.
    package func noteUnanswered(_ reason: String, since start: ContinuousClock.Instant) {
        let isNew = state.withLock { state in
            guard state.outage == nil else { return false }
            state.outage = Outage(reason: reason, since: start, until: nil, isReachable: true)
            return true
        }
        guard isNew else { return }
        isOut.store(true, ordering: .relaxed)
        tell(.unavailable(reason: reason))
    }

    /// Notes that the database can be reached. That ends no outage in which it could be reached all the time.
    package func noteReachable() {
        guard isOut.load(ordering: .relaxed), state.withLock({ $0.outage?.isReachable != true }) else { return }
        noteAvailable()
    }

    /// Notes the answer to a request, which ends an outage in which the database could be reached all the time.
    package func noteAnswer() {
        guard isOut.load(ordering: .relaxed), state.withLock({ $0.outage?.isReachable == true }) else { return }
        noteAvailable()
    }

    /// Notes that the database carried out an operation.
    package func noteAvailable() {
        guard isOut.load(ordering: .relaxed) else { return }
        let outage = state.withLock { state in
            defer { state.outage = nil }
            return state.outage
        }
        isOut.store(false, ordering: .relaxed)
        if let outage { tell(.available(after: .now - outage.since)) }
    }

    /// Notes a transaction that wrote: the database has space again.
    package func noteCommit() {
        if isOut.load(ordering: .relaxed), !isUnreachable { noteAvailable() }
    }

    /// Notes damaged files. `isPermanent` says that only another file can help.
    package func noteDamage(_ reason: String, isPermanent: Bool) {
        let now = ContinuousClock.now
        let isNew = state.withLock { state in
            guard let known = state.damage else {
                state.damage = Damage(
                    reason: reason, isPermanent: isPermanent, until: now + Self.firstPause, pause: Self.firstPause)
                return true
            }
            let isOpen = !known.isPermanent && now >= known.until
            let pause = isOpen ? min(known.pause * 2, Self.longestPause) : known.pause
            state.damage = Damage(
                reason: reason, isPermanent: known.isPermanent || isPermanent,
                until: isOpen ? now + pause : known.until, pause: pause)
            return isOpen
        }
        isDamaged.store(true, ordering: .relaxed)
        if isNew { tell(.damaged(reason: reason)) }
    }

    /// Notes a refusal that lies in no value of an operation; equal ones are told once a minute.
    package func noteRefusal(_ reason: String) {
        let now = ContinuousClock.now
        let isNew = state.withLock { state in
            if let last = state.refusals[reason], now - last < Self.refusalPause { return false }
            if state.refusals.count >= Self.refusalCount { state.refusals = [:] }
            state.refusals[reason] = now
            return true
        }
        if isNew { tell(.refused(reason: reason)) }
    }

    /// Notes a forward step of the database server's clock.
    package func noteClockStep(_ step: Duration) { tell(.clockStepped(by: step)) }

    /// Notes how much of the write-ahead log a reader keeps from being moved into the database; 0 for nothing.
    package func noteLog(bytes: Int64, warningFrom limit: Int64) {
        let isNew = state.withLock { state in
            let wasLong = state.isLogLong
            if bytes >= limit { state.isLogLong = true } else if bytes < limit / 2 { state.isLogLong = false }
            return state.isLogLong && !wasLong
        }
        if isNew { tell(.logHeldBack(bytes: bytes)) }
    }

    /// Notes what an error says about the database.
    package func note(_ error: StoreError) {
        switch error {
        case .full: noteUnavailable("it has no space left", for: .seconds(5))
        case .unexpected(let reason): noteRefusal(reason)
        case .damaged(let reason): noteDamage(reason, isPermanent: false)
        case .leaseLost, .workerUnknown, .invalidText, .overLimit, .invalidValue, .unavailable: break
        }
    }

    // MARK: Events

    package func events() -> AsyncStream<StoreEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreEvent.self, bufferingPolicy: .bufferingNewest(64))
        let number: UInt64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            state.listeners[state.lastNumber] = continuation
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return stream
    }

    /// Ends all streams of events.
    package func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func tell(_ event: StoreEvent) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(event) }
    }
}
