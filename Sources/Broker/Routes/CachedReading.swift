internal import JobQueue
internal import Synchronization

/// A value that is read from the store for many callers at once, at most once in its lifetime.
///
/// A caller waits for a reading that is under way, but never for longer than it wants to. A reading goes on without its
/// callers, and the next ones get its value. One that takes long may be given a rest, so that it never takes more than a
/// share of the store's time.
final class CachedReading<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        /// The end of the last reading that succeeded.
        var readAt: ContinuousClock.Instant?
        /// The beginning of the last reading.
        var beganAt: ContinuousClock.Instant?
        /// The time that the last reading took.
        var duration: Duration = .zero
        var isReading = false
        var failed = false
        /// The last time at which a caller asked.
        var askedAt: ContinuousClock.Instant?
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastNumber: UInt64 = 0
    }

    private let shortestLifetime: Duration
    private let grace: Duration
    private let limit: Duration
    private let rest: Int
    private let read: @Sendable () async throws -> Value
    private let state = Mutex(State())

    /// The shortest time between the beginnings of two readings.
    private static var interval: Duration { .seconds(1) }
    /// The time that a reading may take without a rest.
    private static var quick: Duration { .milliseconds(100) }
    private static var longestRest: Duration { .seconds(300) }
    /// The time after a question for which the value is kept current.
    private static var interest: Duration { .seconds(60) }

    /// - Parameters:
    ///   - lifetime: The age up to which a value is current.
    ///   - grace: The time after that for which the last outcome, a value or a failure, is still answered at once while
    ///     it is read again. Such an answer needs no thread of the cooperative pool, whose backlog after an outage would
    ///     delay it.
    ///   - limit: The longest time that a reading may take in the store.
    ///   - rest: How many times as long as its reading took a value is current at least, up to five minutes. A reading that
    ///     took too long is not repeated before; one of a tenth of a second needs no rest.
    ///   - read: Reads the value.
    init(
        lifetime: Duration, grace: Duration = .zero, limit: Duration = .seconds(2), rest: Int = 0,
        read: @escaping @Sendable () async throws -> Value
    ) {
        shortestLifetime = lifetime
        self.grace = grace
        self.limit = limit
        self.rest = rest
        self.read = read
    }

    /// The last value, read again when it is too old.
    ///
    /// - Parameter limit: The longest time to wait for the reading.
    /// - Returns: The value, if there ever was one, and whether it is as young as it should be.
    func value(within limit: Duration) async -> (value: Value?, isCurrent: Bool) {
        if let fresh = current { return (fresh, true) }
        if let last = lastOutcome {
            refresh()
            return last
        }
        if let (number, ends) = subscribe() {
            await Self.wait(for: ends, limit)
            state.withLock { $0.waiting[number] = nil }
        }
        if let fresh = current { return (fresh, true) }
        return (state.withLock { $0.value }, false)
    }

    /// The last value, or that of a reading that ends meanwhile when it is too old; `nil` without either in time.
    func latest(within limit: Duration) async -> Value? {
        let start = ContinuousClock.now
        let (value, isCurrent) = await value(within: limit)
        return isCurrent || state.withLock { $0.readAt.map { $0 >= start } ?? false } ? value : nil
    }

    /// Reads the value again before it is too old, while callers ask for it.
    func keepCurrent() {
        let isDue = state.withLock { state in
            guard let askedAt = state.askedAt, .now - askedAt < Self.interest else { return false }
            return state.readAt.map { .now - $0 >= lifetime(state) / 2 } ?? true
        }
        if isDue { refresh() }
    }

    /// Begins a reading, unless one is under way or began a moment ago.
    func refresh() {
        let begins = state.withLock { state in begin(&state) }
        if begins { start() }
    }

    /// The last value or failure within the grace.
    private var lastOutcome: (value: Value?, isCurrent: Bool)? {
        state.withLock { state in
            state.askedAt = .now
            if state.failed {
                guard let beganAt = state.beganAt, .now - beganAt < lifetime(state) + grace, grace > .zero
                else { return nil }
                return (state.value, false)
            }
            guard let readAt = state.readAt, .now - readAt < lifetime(state) + grace else { return nil }
            return (state.value, true)
        }
    }

    private func lifetime(_ state: State) -> Duration { max(shortestLifetime, rest(after: state.duration)) }

    private func rest(after duration: Duration) -> Duration {
        duration > Self.quick ? min(duration * rest, Self.longestRest) : .zero
    }

    private var current: Value? {
        state.withLock { state in
            state.askedAt = .now
            return isCurrent(state) ? state.value : nil
        }
    }

    private func isCurrent(_ state: State) -> Bool {
        !state.failed && state.readAt.map { .now - $0 < lifetime(state) } ?? false
    }

    /// Joins the reading that is under way, or begins one; `nil` when the last one has just failed, or has ended since the
    /// caller looked.
    private func subscribe() -> (UInt64, AsyncStream<Void>)? {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (begins, number) = state.withLock { state -> (Bool, UInt64?) in
            let begins = !isCurrent(state) && begin(&state)
            guard state.isReading else { return (false, nil) }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = continuation
            return (begins, state.lastNumber)
        }
        if begins { start() }
        return number.map { ($0, stream) }
    }

    private func begin(_ state: inout State) -> Bool {
        guard !state.isReading else { return false }
        let rest = state.duration < limit ? .zero : state.duration + rest(after: state.duration)
        let pause = max(Self.interval, rest)
        if let last = state.beganAt, state.failed, .now - last < pause { return false }
        state.isReading = true
        state.beganAt = .now
        return true
    }

    private func start() {
        Task {
            let start = ContinuousClock.now
            let value = try? await StoreTimeout.$current.withValue(limit) { try await read() }
            let waiting = state.withLock { state in
                state.isReading = false
                state.duration = .now - start
                state.failed = value == nil
                if let value {
                    state.value = value
                    state.readAt = .now
                }
                return state.waiting.values
            }
            for continuation in waiting { continuation.finish() }
        }
    }

    private static func wait(for end: AsyncStream<Void>, _ limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
