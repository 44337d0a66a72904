internal import DossierAPI
package import JobQueue
internal import LanguageModels
internal import Synchronization

/// The books in which the jobs of a worker write their model calls.
package struct CallBooks: Sendable {
    /// `nil` where calls are counted by nobody: in replays and in tests of agents.
    fileprivate let store: (any ModelCallStore)?
    fileprivate let limits: @Sendable (UserID) async -> SpendLimits
    fileprivate let onBooking: @Sendable (SpendBooking) -> Void
    /// The calls that run now.
    package let running = RunningCalls()

    /// - Parameters:
    ///   - store: The database.
    ///   - limits: The limits of the day that hold for a user now.
    ///   - onBooking: Is told of each booking, refused ones included.
    package init(
        _ store: any ModelCallStore, limits: @escaping @Sendable (_ user: UserID) async -> SpendLimits,
        onBooking: @escaping @Sendable (SpendBooking) -> Void = { _ in }
    ) {
        (self.store, self.limits, self.onBooking) = (store, limits, onBooking)
    }

    private init() {
        (store, limits, onBooking) = (nil, { _ in SpendLimits() }, { _ in })
    }

    package static let none = CallBooks()

    /// The limits of the day that hold for a user now.
    func spendLimits(of user: UserID) async -> SpendLimits { await limits(user) }

    /// Tells of a line of a batch whose estimate a limit refuses.
    func noteRefusal(
        of question: BatchQuestion, by limit: SpendLimit, _ spend: Spend, _ limits: SpendLimits, of user: UserID
    ) {
        let cost = question.estimate.costMicroDollars
        onBooking(SpendBooking(user: user, cost: cost, refusal: limit, spend: spend, limits: limits))
    }

    /// The books of one step's calls.
    func book(for step: String, of context: JobContext) -> StepBook { StepBook(self, step, context) }
}

/// The calls of one step of a job. Each is booked before its request leaves; the ends are written with the step, or with
/// the failure of the attempt, or by `settle`.
final class StepBook: CallBook {
    private struct State {
        /// The ends that are not written yet.
        var ends: [ModelCall] = []
        var wereMade = false
        /// Whether the ends were handed over to be written.
        var isClosed = false
    }

    private let books: CallBooks
    private let lease: Lease
    private let user: UserID
    private let step: String
    private let count: CallCount
    private let state = Mutex(State())

    fileprivate init(_ books: CallBooks, _ step: String, _ context: JobContext) {
        self.books = books
        self.step = step
        lease = context.job.lease
        user = context.job.user
        count = context.callCount
    }

    /// Whether a request of the step went to any provider, billed or not.
    var wereMade: Bool { state.withLock(\.wereMade) }

    /// The ends of calls, to be written with the step. A call that ends later is written at once.
    func takeEffects() -> [Effect] {
        state.withLock { state in
            state.isClosed = true
            defer { state.ends = [] }
            return state.ends.map(Effect.recordModelCall)
        }
    }

    func begin(_ call: PlannedCall) async throws(ModelError) -> String {
        let id = "\(lease.job)/\(lease.epoch)/\(step)/\(count.next())"
        guard let store = books.store else {
            // Nobody counts the hedges.
            if call.hedgeOf != nil { throw ModelError(.hedgeRefused) }
            if !call.isProbe { state.withLock { $0.wereMade = true } }
            return id
        }
        await settle()
        var limits = await books.limits(user)
        let verdict: SpendVerdict
        do throws(StoreError) {
            if call.hedgeOf != nil { limits.hedges = HedgeBudget(try await store.callsOfLastHour()) }
            verdict = try await store.begin(ModelCall(id, call), under: lease, limits: limits)
        } catch {
            switch error {
            case .leaseLost, .workerUnknown: throw ModelError(.cancelled)
            default: throw ModelError(Task.isCancelled ? .cancelled : .notBooked)
            }
        }
        let cost = call.cost.rawValue
        switch verdict {
        case .booked(let spend):
            books.onBooking(SpendBooking(user: user, cost: cost, refusal: nil, spend: spend, limits: limits))
        case .refused(let limit, let spend):
            books.onBooking(SpendBooking(user: user, cost: cost, refusal: limit, spend: spend, limits: limits))
            throw ModelError(.spendCapReached(limit))
        case .hedgeRefused: throw ModelError(.hedgeRefused)
        }
        if !call.isProbe { state.withLock { $0.wereMade = true } }
        books.running.add(id, call)
        return id
    }

    func follow(_ id: String, _ use: @escaping @Sendable () -> (usage: TokenUsage, cost: MicroDollars)?) {
        books.running.follow(id, use)
    }

    func end(_ id: String, _ call: CallRecord) async {
        books.running.remove(id)
        let isLate = state.withLock { state in
            state.ends.append(ModelCall(id, call))
            return state.isClosed
        }
        if isLate { await settle() }
    }

    /// Writes the ends of calls that no step will carry: the run was interrupted, or goes on with another call.
    func settle() async {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            return state.ends
        }
        await books.store?.settleSurely(ends, of: lease)
    }
}

extension ModelCallStore {
    /// Books the ends of calls, for a short while also against an unavailable store, and in a cancelled task.
    ///
    /// Ends that cannot be written count at their estimates, which the rows have already.
    func settleSurely(_ calls: [ModelCall], of lease: Lease) async {
        guard !calls.isEmpty else { return }
        // A task of its own is not cancelled together with the run.
        await Task {
            for pause in [50, 200, 500, 1000, 0] {
                if (try? await settle(calls, of: lease)) != nil { return }
                try? await Task.sleep(for: .milliseconds(pause))
            }
        }.value
    }
}

/// The model calls of a process that run now, and what is known of their use.
package final class RunningCalls: Sendable {
    private struct Call {
        var planned: PlannedCall
        var use: (@Sendable () -> (usage: TokenUsage, cost: MicroDollars)?)?
        /// The use that was handed over last.
        var last: TokenUsage?
    }

    private let calls = Mutex<[String: Call]>([:])

    package init() {}

    fileprivate func add(_ id: String, _ call: PlannedCall) { calls.withLock { $0[id] = Call(planned: call) } }

    fileprivate func follow(
        _ id: String, _ use: @escaping @Sendable () -> (usage: TokenUsage, cost: MicroDollars)?
    ) {
        calls.withLock { $0[id]?.use = use }
    }

    fileprivate func remove(_ id: String) { calls.withLock { $0[id] = nil } }

    /// The calls of which more is known than when they were last taken, for the books.
    package func takeChanges() -> [ModelCall] {
        calls.withLock { calls in
            var changes: [ModelCall] = []
            for (id, call) in calls {
                guard let (usage, cost) = call.use?(), usage != call.last else { continue }
                calls[id]?.last = usage
                changes.append(ModelCall(id, call.planned, usage: usage, cost: cost))
            }
            return changes
        }
    }
}

/// Numbers the model calls of one run, so that each has an id of its own.
final class CallCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
