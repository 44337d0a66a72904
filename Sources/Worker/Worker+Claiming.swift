internal import JobQueue
internal import Observability
internal import Synchronization

/// How a worker comes by its jobs: at every signal it claims, and when it has found nothing more it stands by for what its
/// own process submits.
extension Worker {
    private enum NextClaim {
        /// More may be ready and slots are free.
        case now
        /// At the next signal, and after this pause at the latest.
        case later(Duration?)
    }

    func forwardReadySignals() async {
        for await _ in store.changes(.ready) { claimWakeup.raise() }
    }

    func claimUntilDrained() async {
        await withTaskGroup { jobs in
            var timer: Task<Void, Never>?
            var standing: PendingClaim?
            for await _ in claimWakeup.signals where !isDraining {
                var next: NextClaim? = .now
                let hasNews = claimWakeup.takeNews()
                if let ended = standing, let claim = await ended.end() {
                    let after = await take(claim, for: ended.slots, into: &jobs)
                    if !hasNews { next = after }
                }
                standing = nil
                while case .now = next { next = await claimOnce(into: &jobs) }
                timer?.cancel()
                guard case .later(let pause) = next else { continue }
                timer = pause.map(wakeTask)
                standing = PendingClaim(for: presence.id, upTo: freeSlots, in: store, waking: claimWakeup)
            }
            timer?.cancel()
            for job in await standing?.end()?.jobs ?? [] { start(job, in: &jobs) }
            await finishJobs(&jobs)
        }
    }

    private func wakeTask(after pause: Duration) -> Task<Void, Never> {
        Task { [claimWakeup] in
            if (try? await Task.sleep(for: pause)) != nil { claimWakeup.raise() }
        }
    }

    /// How many more jobs of each lane may run.
    private var freeSlots: [QueueName: Int] {
        configuration.slots(
            running: [.interactive: running.count(by: .interactive), .background: running.count(by: .background)])
    }

    /// Claims once and starts what it got. `nil` when the worker drains.
    private func claimOnce(into jobs: inout TaskGroup<Void>) async -> NextClaim? {
        guard !isDraining else { return nil }
        pace.withLock { $0.begin() }
        let slots = freeSlots
        guard slots.values.reduce(0, +) > 0 else {
            return pace.withLock { $0.finish(isShort: true) } ? .now : .later(nil)
        }
        do {
            return await take(try await store.claim(for: presence.id, upTo: slots), for: slots, into: &jobs)
        } catch {
            if error != .workerUnknown { noteFailure(error) }
            // What became free meanwhile is looked at then.
            _ = pace.withLock { $0.finish(isShort: true) }
            return .later(.seconds(1))
        }
    }

    /// Starts what a claim for so many jobs brought.
    private func take(
        _ claim: Claim, for slots: [QueueName: Int], into jobs: inout TaskGroup<Void>
    ) async -> NextClaim {
        for job in claim.jobs { start(job, in: &jobs) }
        let full = QueueName.allCases.filter { queue in
            slots[queue, default: 0] == claim.jobs.count { $0.queue == queue }
        }
        let isOverdue = pace.withLock { $0.finish(isShort: !full.isEmpty) }
        if isOverdue || full.contains(where: { slots[$0, default: 0] > 0 }) { return .now }
        if !claim.jobs.isEmpty { await rest() }
        guard let due = claim.nextDue else { return .later(claim.timeout) }
        do {
            let pause = max(due - (try await store.now()), .milliseconds(1))
            return .later(min(pause, claim.timeout ?? pause))
        } catch {
            noteFailure(error)
            return .later(.seconds(1))
        }
    }

    private func noteFailure(_ error: StoreError) {
        logger.error("cannot claim; trying again", ["reason": .string(error.description)])
    }

    /// Lets others gather where many jobs run and more keep coming.
    private func rest() async {
        let pause = pace.withLock { $0.rest(afterClaimAt: .now, running: running.count) }
        if pause > .zero { try? await Task.sleep(for: pause) }
    }
}

/// When a worker claims again.
///
/// A worker that is idle, or whose jobs come one by one, claims at every signal. Where many jobs run and more keep coming,
/// each claim waits a little for others to come with it, since claims cost the database nearly as much for one job as for
/// ten. And the end of a job is a reason to claim only where the last claim had too little room.
struct ClaimThrottle {
    /// Claims with jobs that are this close make a stream.
    private static let stream: Duration = .milliseconds(100)
    /// The time between claims of a stream.
    static let rest: Duration = .milliseconds(50)
    /// Running jobs from which on one more may wait.
    private static let crowd = 16

    /// When a claim last brought jobs.
    private var last: ContinuousClock.Instant?
    private var isClaiming = false
    private var hadTooLittleRoom = false
    private var hasEndedMeanwhile = false

    /// A claim is about to count the free slots.
    mutating func begin() {
        isClaiming = true
        hasEndedMeanwhile = false
    }

    /// A claim was answered.
    ///
    /// - Parameter isShort: Whether a lane had no more room than was taken.
    /// - Returns: Whether a job ended meanwhile that would have made room.
    mutating func finish(isShort: Bool) -> Bool {
        isClaiming = false
        hadTooLittleRoom = isShort
        return isShort && hasEndedMeanwhile
    }

    /// A job ended; whether that is a reason to claim.
    mutating func jobEnded() -> Bool {
        hasEndedMeanwhile = true
        return !isClaiming && hadTooLittleRoom
    }

    /// How long to rest after a claim that brought jobs, so many of which now run.
    mutating func rest(afterClaimAt now: ContinuousClock.Instant, running: Int) -> Duration {
        defer { last = now }
        guard let last, now - last < Self.stream, running >= Self.crowd else { return .zero }
        return Self.rest
    }
}

/// A signal that many may raise and one waits for; raising it twice before it is seen counts once.
final class Wakeup: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let news = Mutex(false)

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that there may be something to claim.
    func raise() {
        news.withLock { $0 = true }
        continuation.yield()
    }

    /// Wakes who waits, without news.
    func nudge() { continuation.yield() }

    /// Whether the signal was raised since this was asked last.
    func takeNews() -> Bool {
        news.withLock { news in
            defer { news = false }
            return news
        }
    }

    /// Ends the waiting loop.
    func finish() { continuation.finish() }
}
