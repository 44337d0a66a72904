internal import Basics
internal import JobQueue
internal import Synchronization

/// The calls of this process from one budget: those that wait, and those under way.
///
/// One task at a time exchanges with the store: it asks for all waiting calls at once, in their order, and brings the
/// reports of calls. It runs while calls wait, while reports are to be brought, and every six seconds while calls are
/// under way, so that the other processes know of them.
final class CallLine: Sendable {
    typealias Waiter = CheckedContinuation<Result<CallPermit, ModelError>, Never>

    private struct State {
        var queue = CallQueue<Waiter>()
        var underWay = CallsUnderWay()
        /// The uptime of the last report of their output.
        var writtenAt: Duration?
        var reports: [BudgetReport] = []
        /// The uptime of the next exchange.
        var dueAt: Duration?
        var isRunning = false
        var sleeper: (id: UInt64, continuation: CheckedContinuation<Void, Never>)?
        var sleeps: UInt64 = 0
        var reply: BudgetReply?
        var repliedAt: Duration?
        /// A reply about calls that may come, and its time.
        var room: (startable: Int?, wait: Duration, at: Duration, cause: WaitCause, until: Timestamp)?
        /// The last time at which a call asked about blocks of a budget without limits.
        var askedAt: Duration?
        /// Whether calls were let in since the store last heard of this process.
        var hasLoan = false
        /// By model: how far its expected reads are relied on.
        var reads: [String: ReadShare] = [:]
        var usualInput = RunningMean(4000)
        var usualOutput = RunningMean(1000)
        /// Milliseconds from letting a call in until it is sent.
        var usualDelay = RunningMean(0)
        /// Jobs that were claimed and have not made a call.
        var expected: Set<JobID> = []

        /// A call as it is to be charged, from its whole prompt.
        func charged(_ need: CallNeed, reading expected: ExpectedRead?) -> CallNeed {
            guard let expected else { return need }
            return (reads[expected.model] ?? ReadShare()).need(need, reading: expected.tokens)
        }
    }

    /// The longest time that a call waits here; after it another candidate is asked, or the job goes back.
    static let timeout: Duration = .seconds(5)
    /// The time for which a reply is current, so that a 429 of another process is known within a second.
    static let freshness: Duration = .seconds(1)
    private static let reportPause: Duration = .milliseconds(100)
    /// The shortest time between two reports of the output of calls under way.
    private static let writtenPause: Duration = .milliseconds(100)
    /// The shortest time by which a call is late; less is within what calls differ by on their way.
    private static let shortestDelay: Duration = .milliseconds(5)
    private static let heartbeat: Duration = .seconds(6)
    /// The time after which the store hears that a loan was used; after five seconds it would return.
    private static let confirmation: Duration = .seconds(2)
    /// The shortest pause between two exchanges of calls that wait.
    private static let shortestPause: Duration = .milliseconds(5)
    /// A random part of the pause spreads the exchanges of many processes.
    private static let jitter: Duration = .milliseconds(10)
    /// The pause after an exchange that failed.
    private static let failurePause: Duration = .seconds(1)
    private static let longestHint: Duration = .seconds(30)
    /// The time for which the number of calls that may begin is current.
    private static let roomLifetime: Duration = .milliseconds(250)

    let budget: ModelBudget
    private let holder: String
    private let store: any BudgetStore
    private let clock: TimeSource
    private let onReply: @Sendable (BudgetReply, _ askedAt: Duration) -> Void
    private let retries: @Sendable () -> Int64?
    private let state = Mutex(State())

    init(
        _ budget: ModelBudget, holder: String, _ store: any BudgetStore, clock: TimeSource,
        retries: @escaping @Sendable () -> Int64? = { nil },
        onReply: @escaping @Sendable (BudgetReply, _ askedAt: Duration) -> Void
    ) {
        (self.budget, self.holder, self.store, self.clock, self.onReply) = (budget, holder, store, clock, onReply)
        self.retries = retries
    }

    // MARK: Calls

    /// Waits until a call may begin. Each permit must be settled.
    ///
    /// - Parameters:
    ///   - need: The expected use of the call, with its whole prompt.
    ///   - expected: The part of the prompt that is expected to be read from the provider's cache. It is left out of
    ///     what is charged as far as such reads came of late, up to the moment at which the call begins.
    ///   - caller: The caller, with its place among others.
    ///   - longest: The longest wait; zero for a call that is made only where the budget has room at once.
    /// - Returns: The right to make the call.
    /// - Throws: `rateLimited` with the time to wait when that exceeds the longest, `unavailable` when the store does
    ///   not answer, `cancelled`.
    func acquire(
        _ need: CallNeed, reading expected: ExpectedRead? = nil, _ caller: CallContext,
        waitingAtMost longest: Duration = timeout
    ) async throws(ModelError) -> CallPermit {
        let start = clock.uptime()
        let (id, permit) = state.withLock { state in
            if let job = caller.origin?.job { state.expected.remove(job) }
            state.usualInput.add(Double(state.charged(need, reading: expected).input))
            state.usualOutput.add(Double(need.output))
            let id = state.queue.makeID()
            return (id, beginUnlimited(id, need, reading: expected, &state, at: start))
        }
        if let permit { return permit }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // Cancellation marks the task before its handler runs: either the mark is seen here, or the
                    // handler finds the waiter in the queue.
                    guard !Task.isCancelled else { return true }
                    let isFirst = state.queue.isEmpty
                    state.queue.add(
                        .init(
                            id: id, place: caller.place, need: need, expectedRead: expected, since: start,
                            longestWait: longest, waiter: continuation))
                    // Further background calls are asked for with the first one.
                    if isFirst || need.isInteractive || longest == .zero { nudge(&state, at: start) }
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(ModelError(.cancelled))) }
            }
        } onCancel: {
            state.withLock { $0.queue.remove(id) }?.waiter.resume(returning: .failure(ModelError(.cancelled)))
        }
        return try result.get()
    }

    /// A permit for a call that need not wait, because neither the provider nor `models.yaml` names limits. Once a second
    /// one of the calls asks the store, for blocks; the others use the last reply until then.
    private func beginUnlimited(
        _ id: UInt64, _ whole: CallNeed, reading expected: ExpectedRead?, _ state: inout State, at now: Duration
    ) -> CallPermit? {
        guard budget.limits.isNone, state.queue.isEmpty, let reply = state.reply, let repliedAt = state.repliedAt,
            reply.tellsLimits == false, reply.buckets.isEmpty, now - repliedAt < SharedBudget.loanLifetime,
            reply.blockedFor.map({ repliedAt + $0 <= now }) ?? true
        else { return nil }
        if now - repliedAt >= Self.freshness {
            guard let askedAt = state.askedAt, now - askedAt < Self.freshness else {
                state.askedAt = now
                return nil
            }
        }
        let need = state.charged(whole, reading: expected)
        return CallPermit(
            id, need, reading: expected, BudgetMark(at: reply.timestamp, call: 0), at: now,
            usableUntil: now + SharedBudget.loanLifetime, state.underWay.begin(id, need, at: now), self)
    }

    /// Brings reports to the store soon.
    func report(_ reports: [BudgetReport]) {
        let now = clock.uptime()
        state.withLock { state in
            // A provider that tells no limits says so once.
            let news = reports.filter { report in
                if case .head(let reading, _) = report {
                    return !reading.lines.isEmpty || state.reply?.tellsLimits == nil
                }
                return true
            }
            guard !news.isEmpty, !isUnlimited(state) || news.contains(where: \.isUrgent) else { return }
            state.reports += news
            nudge(&state, at: news.contains(where: \.isUrgent) ? now : now + Self.reportPause)
        }
    }

    /// Notes how long after it was let in a call is sent. Where a bucket holds one call, the store hears of one that is late:
    /// the bucket has refilled so much later.
    func sent(after delay: Duration) {
        let late = state.withLock { state -> Duration in
            let usual = state.usualDelay.value
            state.usualDelay.add(Double(delay.wholeMilliseconds))
            let holdsOneCall = state.reply?.buckets.contains { $0.source == .told && $0.holdsOneCall } ?? false
            return holdsOneCall ? delay - .milliseconds(Int64(usual)) : .zero
        }
        if late >= Self.shortestDelay { report([.late(late)]) }
    }

    /// Learns how far the reads are to be relied on that calls of a model expect.
    func learn(of model: String, _ change: (inout ReadShare) -> Void) {
        state.withLock { change(&$0.reads[model, default: ReadShare()]) }
    }

    /// Whether nothing is counted, since neither the provider nor `models.yaml` names limits.
    private func isUnlimited(_ state: State) -> Bool { budget.limits.isNone && state.reply?.tellsLimits == false }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - permit: Its permit.
    ///   - output: The output that its provider told; `nil` when it told none.
    ///   - reports: What else the call has shown.
    ///   - time: The time that it took; `nil` for a call that was not made.
    func finish(_ permit: CallPermit, output: Int64?, _ reports: [BudgetReport], after time: Duration?) {
        let written = state.withLock { state in
            state.underWay.end(permit.id, output: output, after: time, at: clock.uptime())
        }
        report(written == 0 ? reports : reports + [.written(written)])
    }

    /// Calls that wait or are under way, for tests and operators.
    var counts: (waiting: Int, underWay: Int) { state.withLock { ($0.queue.count, $0.underWay.count) } }

    // MARK: Claims

    /// The usual background calls that may begin within two seconds, and the time after which there may be more; `nil`
    /// for no limit.
    func room() async -> (count: Int, wait: Duration, held: HeldKind)? {
        let now = clock.uptime()
        let known = state.withLock { $0.room }
        var current = known.flatMap { now - $0.at < Self.roomLifetime ? $0 : nil }
        if current == nil {
            let request = state.withLock { state in
                var request = makeRequest([], &state)
                request.waitsAsBefore = !state.queue.isEmpty
                return request
            }
            guard (try? await exchange(request)) != nil else { return nil }
            current = state.withLock { $0.room }
        }
        guard let current, let startable = current.startable else { return nil }
        let taken = state.withLock { $0.queue.backgroundCount + $0.expected.count }
        return (
            max(0, startable - taken), max(current.wait, Self.roomLifetime),
            HeldKind(current.cause, until: current.until)
        )
    }

    /// Notes a job that was claimed, until its first call.
    func expect(_ job: JobID) { state.withLock { _ = $0.expected.insert(job) } }

    func forget(_ job: JobID) { state.withLock { _ = $0.expected.remove(job) } }

    // MARK: Exchanges

    /// Asks the store for the openings of circuit breakers, unless the last reply is current.
    func refresh() async {
        let now = clock.uptime()
        let isStale = state.withLock { $0.repliedAt.map { now - $0 >= Self.freshness } ?? true }
        guard isStale else { return }
        _ = try? await exchange(BudgetRequest(budget: budget.name, limits: budget.limits))
    }

    /// - Returns: Whether this process may make the probe that it wants; `false` without an answer.
    func report(_ change: BreakerReport) async -> Bool {
        let request = BudgetRequest(budget: budget.name, limits: budget.limits, breakers: [change])
        return (try? await exchange(request))?.probes.contains(change.scope) ?? false
    }

    /// Lets the next exchange take place at a time, or earlier where one is planned. A sleep whose end has passed is
    /// ended, too: its timer may have begun late.
    private func nudge(_ state: inout State, at time: Duration) {
        let planned = state.dueAt
        if let planned, planned <= time, planned > clock.uptime() { return }
        state.dueAt = min(time, planned ?? time)
        if let sleeper = state.sleeper {
            state.sleeper = nil
            sleeper.continuation.resume()
        } else if !state.isRunning {
            state.isRunning = true
            Task { await run() }
        }
    }

    private enum Step {
        case exchange(BudgetRequest, asked: [UInt64])
        case sleep(until: Duration)
        case stop
    }

    private func run() async {
        while true {
            let step = state.withLock { state -> Step in
                guard let dueAt = state.dueAt else {
                    state.isRunning = false
                    return .stop
                }
                guard dueAt <= clock.uptime() else { return .sleep(until: dueAt) }
                state.dueAt = nil
                let asked = Array(state.queue.ordered().prefix(256))
                let needs = asked.map { state.charged($0.need, reading: $0.expectedRead) }
                return .exchange(makeRequest(needs, &state), asked: asked.map(\.id))
            }
            switch step {
            case .stop: return
            case .sleep(let until): await sleep(until: until)
            case .exchange(let request, let asked):
                do throws(ModelError) {
                    let start = clock.uptime()
                    apply(try await exchange(request), to: request, asked, askedAt: start)
                } catch {
                    fail(request, error)
                }
            }
        }
    }

    private func sleep(until due: Duration) async {
        let time = due - clock.uptime()
        var timer: Task<Void, Never>?
        await withCheckedContinuation { continuation in
            let id = state.withLock { state -> UInt64? in
                guard state.dueAt == due, time > .zero else { return nil }
                state.sleeps += 1
                state.sleeper = (state.sleeps, continuation)
                return state.sleeps
            }
            guard let id else { return continuation.resume() }
            timer = Task { [clock] in
                try? await clock.sleep(time)
                let sleeper = state.withLock { state in
                    guard state.sleeper?.id == id else { return nil as CheckedContinuation<Void, Never>? }
                    defer { state.sleeper = nil }
                    return state.sleeper?.continuation
                }
                sleeper?.resume()
            }
        }
        timer?.cancel()
    }

    private func makeRequest(_ calls: [CallNeed], _ state: inout State) -> BudgetRequest {
        var request = BudgetRequest(budget: budget.name, limits: budget.limits, calls: calls)
        request.usual = CallNeed(input: Int64(state.usualInput.value), output: Int64(state.usualOutput.value))
        request.reports = state.reports
        state.reports = []
        let now = clock.uptime()
        // Each report is a write of the store, so there are few; one of an answer's end tells the others' output, too.
        let isDue = state.writtenAt.map { now - $0 >= Self.writtenPause } ?? true
        if !isUnlimited(state), request.reports.contains(where: \.tellsOutput) || (isDue && !state.underWay.isEmpty) {
            state.writtenAt = now
            request.reports.append(.written(state.underWay.takeWritten(at: now)))
        }
        guard !calls.isEmpty || !state.underWay.isEmpty || !state.queue.isEmpty || !request.reports.isEmpty else {
            return request
        }
        state.hasLoan = false
        request.holder = BudgetHolder(
            id: holder, calls: Int64(state.underWay.count),
            expectedOutput: state.underWay.expectedOutput,
            usualTime: state.underWay.usualTime, retries: retries())
        return request
    }

    private func exchange(_ request: BudgetRequest) async throws(ModelError) -> BudgetReply {
        let start = clock.uptime()
        guard let reply = try? await store.exchange([request]).first else {
            state.withLock { $0.reports = request.reports + $0.reports }
            throw ModelError(.unavailable, retryAfter: Self.failurePause)
        }
        let now = clock.uptime()
        state.withLock { state in
            (state.reply, state.repliedAt) = (reply, now)
            if request.usual != nil {
                state.room = (
                    reply.startable, reply.startableIn, now, cause(of: reply),
                    reply.timestamp + max(reply.startableIn, reply.blockedFor ?? .zero)
                )
            }
        }
        onReply(reply, start)
        return reply
    }

    /// Begins the calls that were let in, and turns away those that would wait for too long.
    private func apply(_ reply: BudgetReply, to request: BudgetRequest, _ asked: [UInt64], askedAt start: Duration) {
        let now = clock.uptime()
        var resumed: [(Waiter, Result<CallPermit, ModelError>)] = []
        state.withLock { state in
            for (place, id) in asked.prefix(reply.granted).enumerated() {
                let need = request.calls[place]
                guard let mark = reply.mark?.before(request.calls[(place + 1)..<reply.granted]) else { break }
                guard let entry = state.queue.begin(id) else {
                    // It was cancelled meanwhile.
                    state.reports.append(.returned(need.amount, mark))
                    continue
                }
                let permit = CallPermit(
                    id, need, reading: entry.expectedRead, mark, at: now,
                    usableUntil: start + SharedBudget.loanLifetime, state.underWay.begin(id, need, at: now), self)
                resumed.append((entry.waiter, .success(permit)))
            }
            if reply.granted > 0 { state.hasLoan = true }
            let wait = request.calls.count > reply.granted ? reply.wait : .zero
            for entry in state.queue.all where now + wait - entry.since > entry.longestWait {
                // A call that shall not wait is turned away by the reply to its own question.
                if entry.longestWait == .zero, !asked.contains(entry.id) { continue }
                _ = state.queue.remove(entry.id)
                resumed.append((entry.waiter, .failure(timedOut(wait, behind: state, reply))))
            }
            schedule(&state, wait, at: now)
        }
        for (waiter, result) in resumed { waiter.resume(returning: result) }
    }

    private func schedule(_ state: inout State, _ wait: Duration, at now: Duration) {
        if !state.queue.isEmpty {
            let pause = min(max(wait, Self.shortestPause), Self.timeout)
            nudge(&state, at: now + pause + Self.jitter * Double.random(in: 0...1))
        } else if !state.reports.isEmpty {
            nudge(&state, at: now + Self.reportPause)
        } else if !state.underWay.isEmpty, !isUnlimited(state) {
            nudge(&state, at: now + (state.hasLoan ? Self.confirmation : Self.heartbeat))
        }
    }

    /// The retry hint covers the queue, so that calls that time out together do not return together.
    private func timedOut(_ wait: Duration, behind state: State, _ reply: BudgetReply) -> ModelError {
        var backlog: Duration = .zero
        for bucket in reply.buckets where bucket.kind == .requests || bucket.kind == .input {
            let need = bucket.kind == .requests ? 1 : Int64(state.usualInput.value)
            backlog = max(backlog, .milliseconds(Int64(state.queue.count) * need * 60_000 / max(1, bucket.limit)))
        }
        var error = ModelError(.rateLimited, retryAfter: max(wait, min(backlog, Self.longestHint), .milliseconds(500)))
        error.postponement = .providerBudget
        error.wait = cause(of: reply)
        return error
    }

    /// Why a call cannot begin after a reply that grants none.
    private func cause(of reply: BudgetReply) -> WaitCause {
        let provider = String(budget.name.prefix { $0 != "/" })
        return (reply.blockedFor ?? .zero) > .zero
            ? WaitCause(.providerBlocked, provider: provider, status: 429)
            : WaitCause(.providerBudget, provider: provider, budget: budget.name)
    }

    private func fail(_ request: BudgetRequest, _ error: ModelError) {
        let now = clock.uptime()
        let waiters = state.withLock { state in
            let entries = state.queue.all
            for entry in entries { _ = state.queue.remove(entry.id) }
            if !state.reports.isEmpty || !state.underWay.isEmpty { nudge(&state, at: now + Self.failurePause) }
            return entries.map(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }
}

extension BudgetReport {
    /// Whether all processes should know it at once.
    fileprivate var isUrgent: Bool {
        if case .refused = self { true } else { false }
    }
}
