package import JobQueue
internal import JSON
import SQLSupport
internal import Synchronization

extension PostgresStore {
    package func claim(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) async throws(StoreError) -> Claim {
        try monitor.checkForNewWork()
        let input = try ClaimInput(worker, capacity, excluding)
        let outcome = try await writers.perform(input, in: writes.claim)
        return try outcome.claim()
    }
}

extension PostgresStore: PiggybackedClaims {
    package func claimWithNextSubmit(
        for worker: WorkerID, upTo capacity: [QueueName: Int], excluding: ClaimExclusions
    ) async throws(StoreError) -> Claim? {
        try monitor.checkForNewWork()
        while true {
            let input = try ClaimInput(worker, capacity, excluding)
            let outcome = try await writers.performPiggybacked(input, in: writes.claimWithSubmit) {
                $0.number == input.number
            }
            guard let outcome else { return nil }
            // Another claim of the worker was in progress.
            guard outcome.isDone else { continue }
            let claim = try outcome.claim()
            if !claim.jobs.isEmpty { return claim }
        }
    }
}

struct ClaimInput: Sendable {
    var worker: WorkerID
    /// Identifies this claim when its answer is lost.
    var number: Int64
    var interactive: Int
    var background: Int
    var excluded: ClaimExclusions

    init(
        _ worker: WorkerID, _ capacity: [QueueName: Int], _ excluded: ClaimExclusions = ClaimExclusions()
    ) throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        for text in excluded.kinds.union(excluded.bundles) { try Texts.rejectNUL([("excluded", text)]) }
        self.excluded = excluded
        self.worker = worker
        number = .random(in: 1...Int64.max)
        interactive = max(capacity[.interactive] ?? 0, 0)
        background = max(capacity[.background] ?? 0, 0)
    }
}

struct ClaimOutcome: Sendable {
    /// False for a piggybacked claim that met another claim of its worker.
    var isDone = false
    var isKnown = false
    var nextDue: Timestamp?
    var hadShortScan = false
    var rows: [StoredClaim] = []

    /// The claim for the caller, which parses the inputs of its jobs outside of the store's threads.
    func claim() throws(StoreError) -> Claim {
        guard isKnown else { throw .workerUnknown }
        return Claim(
            jobs: rows.map(\.job), nextDue: nextDue, timeout: hadShortScan ? ClaimMemory.timeout : nil)
    }
}

extension BatchOperation where Input == ClaimInput, Output == ClaimOutcome {
    /// Repeatable: each claim has a number, which its leases store, so a repetition returns the jobs of the first try.
    /// When the caller has given up, the worker's next claim returns them.
    ///
    /// - Parameters:
    ///   - memory: Remembers lost claims.
    ///   - mayWait: Whether a claim waits for an earlier one of its worker.
    /// - Returns: The operation.
    static func claim(_ memory: ClaimMemory, mayWait: Bool = true) -> BatchOperation {
        BatchOperation(
            limit: 16,
            keys: { [.text($0.worker.rawValue)] },
            lockOrder: { .text($0.worker.rawValue) },
            statements: { inputs, context in
                inputs.map { input in
                    Statement(.claimJobs) { parameters in
                        var lost = memory.lostClaims(of: input.worker, askedBy: input.number)
                        if context.isRepetition { lost.append(input.number) }
                        let from = memory.scanStart(of: input.number, at: .now)
                        parameters.add(context.now?.milliseconds)
                        parameters.add(input.worker.rawValue)
                        parameters.add(input.number)
                        parameters.add(integers: lost)
                        parameters.add(mayWait ? 1 : 0)
                        parameters.add(Int64(input.interactive))
                        parameters.add(Int64(input.background))
                        parameters.add(from.interactive)
                        parameters.add(from.background)
                        parameters.add(texts: input.excluded.kinds.sorted())
                        parameters.add(texts: input.excluded.bundles.sorted())
                    }
                }
            },
            read: { answer, inputs in
                zip(inputs, answer.rows).map { input, rows in
                    do {
                        return .done(try outcome(of: input, rows, in: &answer, memory))
                    } catch {
                        // The claim has taken jobs that cannot be read.
                        memory.lose(input.number, of: input.worker)
                        return .failed(error as? StoreError ?? .unexpected(reason: "the answer to a claim"))
                    }
                }
            },
            abandoned: { input in
                _ = memory.hadShortScan(input.number)
                memory.lose(input.number, of: input.worker)
            })
    }

    private static func outcome(
        of input: ClaimInput, _ rows: PostgresRows, in answer: inout Answer, _ memory: ClaimMemory
    ) throws -> ClaimOutcome {
        var outcome = ClaimOutcome()
        var madeReady = false
        var positions: ClaimMemory.Positions?
        try rows.each { row in
            if !row.isNull {
                outcome.isDone = row.flag()
                outcome.isKnown = row.flag()
                outcome.nextDue = row.timestampIfAny()
                positions = (row.integer(), row.integer())
                madeReady = row.flag()
            } else {
                for _ in 0..<6 { row.skip() }
                let claimed = try StoredClaim(&row)
                answer.taken.insert(claimed.id)
                outcome.rows.append(claimed)
            }
        }
        let hadShortScan = memory.hadShortScan(input.number)
        guard outcome.isDone else {
            memory.withdrawQuestion(of: input.number)
            return outcome
        }
        if outcome.isKnown, let positions {
            memory.note(interactive: positions.interactive, background: positions.background, at: .now)
        }
        memory.forgetLostClaims(askedBy: input.number, of: input.worker)
        outcome.hadShortScan = hadShortScan
        if !outcome.rows.isEmpty || madeReady { answer.madeVisible = true }
        if madeReady { answer.madeReady = true }
        return outcome
    }
}

/// A process's memory of its claims: lost claims, and the positions from which to scan `ready`.
///
/// A claim does not scan from the first position: until a vacuum removes them, index entries of claimed jobs remain
/// there, and an open transaction prevents the vacuum. A claim scans from the position that the queue had reached some
/// time ago, since a submit takes its position before other transactions see it.
///
/// 1. Most claims scan from the position of two seconds ago.
/// 2. One claim a second scans from the position of ten seconds ago: within that time a submit has committed, or the
///    server has ended it.
/// 3. One claim a minute scans from the beginning.
///
/// A new process has no positions yet, and scans from the beginning a few times a second until it has.
final class ClaimMemory: Sendable {
    typealias Positions = (interactive: Int64, background: Int64)

    private struct Mark {
        var positions: Positions
        var at: ContinuousClock.Instant
    }

    private struct State {
        var lost: [WorkerID: [Int64]] = [:]
        /// The lost claims that each claim in progress asks for.
        var asked: [Int64: [Int64]] = [:]
        /// Claims in progress whose scan may miss a job.
        var short: Set<Int64> = []
        /// Earlier positions of the queues, oldest first.
        var marks: [Mark] = []
        var lastLong: ContinuousClock.Instant?
        var lastFull: ContinuousClock.Instant?

        func latest(before time: ContinuousClock.Instant) -> Positions? { marks.last { $0.at <= time }?.positions }

        mutating func startFull(at now: ContinuousClock.Instant) -> Positions {
            lastFull = now
            lastLong = now
            return beginning
        }
    }

    private let state = Mutex(State())

    private static let beginning: Positions = (0, 0)
    private static let short: Duration = .seconds(2)
    /// Longer than the server lets a statement of this store run.
    private static let long: Duration = .seconds(10)
    private static let markPause: Duration = .milliseconds(500)
    private static let longPause: Duration = .seconds(1)
    private static let fullPause: Duration = .seconds(60)
    private static let earlyPause: Duration = .milliseconds(200)
    /// The time after which a claim whose scan was short should be repeated.
    static let timeout = longPause

    /// The lost claims of a worker, which a claim asks for.
    func lostClaims(of worker: WorkerID, askedBy claim: Int64) -> [Int64] {
        state.withLock { state in
            let lost = state.lost[worker] ?? []
            if !lost.isEmpty { state.asked[claim] = lost }
            return lost
        }
    }

    func lose(_ claim: Int64, of worker: WorkerID) {
        state.withLock { state in
            state.asked[claim] = nil
            state.lost[worker, default: []].append(claim)
        }
    }

    /// Notes that a claim was not carried out.
    func withdrawQuestion(of claim: Int64) { state.withLock { $0.asked[claim] = nil } }

    /// Forgets the lost claims that a claim asked for, after it was carried out: they have ended, since a worker's
    /// claims take place one after the other.
    func forgetLostClaims(askedBy claim: Int64, of worker: WorkerID) {
        state.withLock { state in
            guard let asked = state.asked.removeValue(forKey: claim) else { return }
            state.lost[worker]?.removeAll(where: asked.contains)
            if state.lost[worker]?.isEmpty == true { state.lost[worker] = nil }
        }
    }

    /// The positions from which a claim scans.
    func scanStart(of claim: Int64, at now: ContinuousClock.Instant) -> Positions {
        let start = scanStart(at: now)
        state.withLock { state in
            if start.isShort { state.short.insert(claim) } else { state.short.remove(claim) }
        }
        return start.positions
    }

    /// Whether the scan of an answered claim may have missed a job whose submit took long.
    func hadShortScan(_ claim: Int64) -> Bool { state.withLock { $0.short.remove(claim) != nil } }

    /// The positions from which the next claim scans, and whether a job may be before them.
    func scanStart(at now: ContinuousClock.Instant) -> (positions: Positions, isShort: Bool) {
        state.withLock { state in
            guard let full = state.lastFull, now - full < Self.fullPause else {
                return (state.startFull(at: now), false)
            }
            guard let short = state.latest(before: now - Self.short) else {
                if now - full >= Self.earlyPause { return (state.startFull(at: now), false) }
                return (state.marks.last?.positions ?? Self.beginning, true)
            }
            guard let long = state.lastLong, now - long < Self.longPause else {
                state.lastLong = now
                return (state.latest(before: now - Self.long) ?? Self.beginning, false)
            }
            return (short, true)
        }
    }

    /// Notes the positions that the queues have reached.
    func note(interactive: Int64, background: Int64, at now: ContinuousClock.Instant) {
        state.withLock { state in
            if let last = state.marks.last, now - last.at < Self.markPause { return }
            state.marks.append(Mark(positions: (interactive, background), at: now))
            // The newest mark that is old enough for the long scan stays.
            let old = state.marks.lastIndex { $0.at <= now - Self.long } ?? 0
            state.marks.removeFirst(old)
        }
    }
}
