import JSON
import JobQueue
import TestSupport

/// One sequence of calls, on a store and on the model.
struct ModelRun {
    let store: any DossierStore
    let clock: ManualStoreClock
    let names: ModelNames
    private(set) var model: ReferenceStore
    private let start: Timestamp
    /// The last view of each job.
    private var seen: [JobID: (view: JobView, revision: Int64)] = [:]
    private var steps = 0

    init(store: any DossierStore, clock: ManualStoreClock, run: Int) {
        self.store = store
        self.clock = clock
        names = ModelNames(run: run)
        start = clock.now
        model = ReferenceStore(now: start)
    }

    /// Performs a call on both sides and compares the answers, then the visible state.
    mutating func perform(_ operation: Operation) async throws {
        switch operation {
        case .submit, .cancel, .retry, .enqueueScheduledRun, .list: try await askAsClient(operation)
        case .report, .append, .complete, .fail, .snooze, .claim, .begin, .settle, .closeCalls:
            try await work(operation)
        default: try await administer(operation)
        }
        try await lookAround()
    }

    // MARK: Clients

    private mutating func askAsClient(_ operation: Operation) async throws {
        switch operation {
        case .submit(let submit):
            let job = names.newJob(submit, at: clock.now)
            let answer = try await store.submit(job)
            let expected = model.submit(job)
            try compare(answer, with: expected)
        case .cancel(let job, let user):
            let owner = user.map(names.user)
            let answer = try await store.cancel(names.job(job), of: owner)
            try same("the answer", answer != nil, model.cancel(names.job(job), of: owner))
            if let answer { try compare(answer) }
        case .retry(let job, let user):
            let owner = user.map(names.user)
            let answer = try await store.retry(names.job(job), of: owner)
            let expected = model.retry(names.job(job), of: owner)
            try compare(answer, with: expected)
        case .enqueueScheduledRun(let schedule, let minute, let submit):
            let job = names.newJob(submit, at: clock.now)
            let run = ScheduledRun(schedule: names.schedule(schedule), timestamp: start + .seconds(60 * minute))
            let answer = try await store.enqueueScheduledRun(run, submitting: job)
            switch (answer, model.enqueueScheduledRun(run, submitting: job)) {
            case (.submitted(let answer), .submitted(let expected)): try compare(answer, with: expected)
            case (.alreadyEnqueued, .alreadyEnqueued), (.recorded, .recorded): break
            case (_, let expected): throw Mismatch("the run: \(answer), not \(expected)")
            }
        case .list(let user, let status, let kind, let page, let perPage):
            // A status alone, or two of them.
            let statuses = status.map { JobStatus.allCases[max($0 - 1, 0)...$0] } ?? []
            let query = JobListQuery(
                user: names.user(user), statuses: Set(statuses), kind: kind.map(names.kind), position: .page(page),
                perPage: perPage)
            let all = model.jobs.filter { job in
                job.user == query.user && (query.statuses.isEmpty || query.statuses.contains(model.shown(job).status))
                    && (query.kind.map { job.kind == $0 } ?? true)
            }.map(\.id).sorted(by: >)
            let answer = try await store.jobs(query)
            let rest = all.dropFirst((page - 1) * perPage)
            try same("the page", answer.jobs.map(\.id), Array(rest.prefix(perPage)))
            try same("the total", answer.total, all.count)
            try same("has more", answer.hasMore, rest.count > perPage)
        default: break
        }
    }

    private func compare(_ answer: Submission?, with expected: ReferenceStore.Submitted?) throws {
        switch (answer, expected) {
        case (.accepted(let job), .accepted(let id)), (.existing(let job), .existing(let id)):
            try same("the job", job.id, id)
            try compare(job)
        case (.conflict, .conflict), (nil, nil): break
        case (.insufficientCredits(let balance, let required), .insufficientCredits(let left, let needed)):
            try same("the balance", balance, left)
            try same("required", required, needed)
        default: throw Mismatch("the submission: \(shown(answer)), not \(shown(expected))")
        }
    }

    private func compare(_ job: Job) throws {
        guard let expected = model.job(job.id).map({ JobView($0, in: model) }) else {
            throw Mismatch("there should be no job \(job.id)")
        }
        let view = JobView(job)
        if view != expected { throw Mismatch("job \(label(job.id)): " + view.differences(from: expected)) }
    }

    // MARK: Workers

    private mutating func work(_ operation: Operation) async throws {
        switch operation {
        case .claim(let worker, let interactive, let background):
            try await claim(names.worker(worker), [.interactive: interactive, .background: background])
        case .report(let hold, let progress, let step):
            let report = ProgressReport(lease: names.lease(hold), progress: progress, currentStep: "step \(step)")
            try await store.report([report])
            model.report(report)
        case .append(let hold, let number, let hash, let replaced, let call):
            let lease = names.lease(hold)
            let dropped = sequence(replaced, of: lease.job)
            let step = Step(
                name: "step-\(number % 2)", occurrence: number / 2, inputHash: "h\(hash)", output: ["n": JSON(steps)])
            steps += 1
            let answer = try await refusal {
                try await store.append(step, replacingFrom: dropped, effects: names.call(call), under: lease)
            }
            let isRight = model.append(
                step, replacingFrom: dropped, effects: names.call(call), under: lease, at: answer.value ?? 0)
            try same("the refusal", answer.error, isRight == nil ? .leaseLost : nil)
            if isRight == false { throw Mismatch("the step's place \(answer.value ?? 0) is wrong") }
        case .complete(let hold, let call):
            let result: JSON = ["job": JSON(hold.job)]
            let answer = try await refusal {
                try await store.complete(names.lease(hold), with: result, effects: names.call(call))
            }
            let isDone = model.complete(names.lease(hold), with: result, effects: names.call(call))
            try same("the refusal", answer.error, isDone ? nil : .leaseLost)
        case .fail(let hold, let pause, let dropped, let call):
            let failure = JobFailure(
                error: StoreHarness.anError, next: pause.map { .retry(after: .seconds($0)) } ?? .giveUp,
                dropStepsFrom: sequence(dropped, of: names.job(hold.job)), effects: names.call(call))
            let answer = try await refusal { try await store.fail(names.lease(hold), with: failure) }
            let isDone = model.fail(names.lease(hold), with: failure)
            try same("the refusal", answer.error, isDone ? nil : .leaseLost)
        case .snooze(let holds, let pause):
            try await store.snooze(holds.map(names.lease), after: .seconds(pause))
            model.snooze(holds.map(names.lease), after: .seconds(pause))
        case .begin, .settle, .closeCalls: try await book(operation)
        default: break
        }
    }

    private mutating func book(_ operation: Operation) async throws {
        switch operation {
        case .begin(let hold, let number, let limit):
            let (lease, call) = (names.lease(hold), names.runningCall(number))
            let answer = try await refusal {
                try await store.begin(call, under: lease, limits: SpendLimits(user: limit))
            }
            let verdict: ReferenceStore.Booking? =
                switch answer.value {
                case .booked(let spend): .booked(spend.user)
                case .refused(let limit, let spend): limit == .user ? .refused(spend.user) : nil
                case .hedgeRefused, nil: nil
                }
            try same("the booking", verdict, model.begin(call, under: lease, limit: limit))
            try same("the refusal", answer.error, verdict == nil ? .leaseLost : nil)
        case .settle(let hold, let number, let certainty):
            let (lease, call) = (names.lease(hold), names.endedCall(number, certainty))
            try await store.settle([call], of: lease)
            model.settle(call, of: lease)
        default: try same("the closed calls", try await store.closeAbandonedCalls(limit: 1000), model.closeCalls())
        }
    }

    private mutating func claim(_ worker: WorkerID, _ capacity: [QueueName: Int]) async throws {
        let answer = try await refusal { try await store.claim(for: worker, upTo: capacity) }
        try same("the refusal", answer.error, model.isKnown(worker) ? nil : .workerUnknown)
        guard let claim = answer.value else { return }
        model.makeDue()
        for queue in QueueName.allCases {
            let taken = claim.jobs.filter { $0.queue == queue }.map(\.lease.job)
            let wrong = model.claim(taken, upTo: capacity[queue] ?? 0, in: queue, for: worker)
            if let wrong { throw Mismatch(wrong) }
        }
        try same("next due", claim.nextDue, model.nextDue)
        for job in claim.jobs {
            guard let expected = model.job(job.lease.job) else { continue }
            let what = "of claimed job \(label(job.lease.job))"
            try same("the epoch \(what)", job.lease.epoch, expected.epoch)
            try same("the attempt \(what)", job.attempt, expected.attempt)
            try same("the progress \(what)", job.progress, expected.progress)
            try same("the deadline \(what)", job.deadline, expected.deadline)
            try same("the rest \(what)", Self.rest(job), Self.rest(expected))
        }
    }

    private static func rest(_ job: ClaimedJob) -> [String] {
        [
            "\(job.user)", job.kind, job.input.compact, job.bundle, "\(job.maxAttempts)", "\(job.createdAt)",
            job.requestID ?? "",
        ]
    }

    private static func rest(_ job: ModelJob) -> [String] {
        [
            "\(job.user)", job.kind, job.asked.input.compact, job.asked.bundle, "\(job.asked.maxAttempts)",
            "\(job.createdAt)", job.asked.requestID ?? "",
        ]
    }

    private func sequence(_ place: Int?, of job: JobID) -> Int64? {
        guard let place, let steps = model.job(job)?.steps, place < steps.count else { return nil }
        return steps[place].sequence
    }

    // MARK: Maintenance and operators

    private mutating func administer(_ operation: Operation) async throws {
        switch operation {
        case .register(let worker):
            let id = names.worker(worker)
            try await store.register(WorkerRegistration(id: id, host: "h", processID: 1, concurrency: 4))
            model.register(id)
        case .heartbeat(let worker):
            let answer = try await refusal { try await store.heartbeat(names.worker(worker)) }
            try same("the refusal", answer.error, model.heartbeat(names.worker(worker)) ? nil : .workerUnknown)
        case .deregister(let worker):
            try await store.deregister(names.worker(worker))
            model.deregister(names.worker(worker))
        case .rescue(let worker, let age):
            let id = names.worker(worker)
            let count = model.heartbeats.first { $0.worker == id }?.count ?? 1
            let heartbeat = WorkerHeartbeat(worker: id, count: count - age)
            let answer = try await store.rescue(heartbeat)
            let expected = model.rescue(heartbeat)
            try same("requeued", Set(answer.requeued), Set(expected.requeued))
            try same("poisoned", Set(answer.poisoned), Set(expected.poisoned))
        case .expire(let limit):
            try same("expired", Set(try await store.expire(limit: limit)), Set(model.expire(limit: limit)))
        case .deleteFinished(let age, let limit):
            try await deleteFinished(before: clock.now - .seconds(age), limit: limit)
        case .grant(let user, let amount):
            let answer = try await store.grant(amount, to: names.user(user), note: "n", startingCredits: 5)
            try same("the balance", answer, model.grant(amount, to: names.user(user), startingCredits: 5))
        case .adopt(let kind, let fleet, let perUser):
            let limits = [names.kind(kind): ConcurrencyLimits(fleet: fleet, perUser: perUser)]
            try await store.adopt(bundle: "b\(kind)", limits: limits)
            model.adopt("b\(kind)", limits: limits)
            try same("the bundle", try await store.currentBundle(), model.bundle)
        case .borrow(let budget, let tokens, let isInteractive):
            let request = BudgetRequest(
                budget: names.budget(budget), limits: BudgetLimits(requestsPerMinute: 20, tokensPerMinute: 1000),
                holder: BudgetHolder(id: "a", calls: 1),
                calls: [CallNeed(input: tokens, output: 50, isInteractive: isInteractive)],
                usual: CallNeed(input: 500, output: 50))
            try same("the grant", try await store.exchange([request]), [model.exchange(request)])
        case .advance(let seconds):
            clock.advance(by: .seconds(seconds))
            model.now = clock.now
        default: break
        }
    }

    private mutating func deleteFinished(before timestamp: Timestamp, limit: Int) async throws {
        let count = try await store.deleteFinished(before: timestamp, limit: limit)
        let left = try await store.revisions(of: model.jobs.map(\.id))
        let gone = Set(model.jobs.map(\.id)).subtracting(left.keys)
        try same("the count of deleted jobs", count, gone.count)
        guard model.deleteFinished(before: timestamp, limit: limit, gone: gone) else {
            throw Mismatch("the wrong jobs were deleted: \(gone.map(label))")
        }
        // Their ids may be used again by new jobs.
        for id in gone { seen[id] = nil }
    }

    // MARK: Visible state

    /// Compares all jobs and balances. A changed job must have a higher revision than before.
    private mutating func lookAround() async throws {
        for user in names.users + [names.owner] {
            let list = try await store.jobs(JobListQuery(user: user, perPage: 1000))
            let expected = model.jobs.filter { $0.user == user }.map(\.id).sorted(by: >)
            try same("the jobs of user \(user.rawValue)", list.jobs.map(\.id), expected)
            for job in list.jobs {
                try compare(job)
                try checkRevision(of: job)
            }
            let balance = try await store.balance(of: user, startingCredits: 5)
            try same("the balance of \(user.rawValue)", balance, model.balance(of: user, startingCredits: 5))
        }
    }

    private mutating func checkRevision(of job: Job) throws {
        let view = JobView(job)
        defer { seen[job.id] = (view, job.revision) }
        guard var before = seen[job.id] else { return }
        // The passing of time changes no revision.
        if case .notBefore = before.view.blockedBy, view.blockedBy == nil { before.view.blockedBy = nil }
        let isRight = before.view == view ? job.revision >= before.revision : job.revision > before.revision
        guard isRight else {
            let changes = view.differences(from: before.view)
            throw Mismatch("job \(label(job.id)) went from revision \(before.revision) to \(job.revision): \(changes)")
        }
    }

    /// Compares the rest of the store's state at the end of a sequence.
    func checkAll() async throws {
        for job in model.jobs {
            let what = "of job \(label(job.id))"
            try same("the result \(what)", try await store.jobWithResult(job.id, of: job.user)?.result, job.result)
            try same("another user's view \(what)", try await store.job(job.id, of: .system) == nil, true)
            let journal = try await store.journal(of: job.id)
            try same("the journal \(what)", journal.map(Self.line), job.steps.map(Self.line))
        }
        for worker in names.workers {
            try same("the leases", try await store.leases(of: worker), model.leases(of: worker))
        }
        let heartbeats = try await store.heartbeats().filter { names.workers.contains($0.worker) }
        try same("the heartbeats", heartbeats, model.heartbeats)
        for grouping in CostGrouping.allCases {
            let lines = try await store.modelCosts(by: grouping, since: start)
            try same("the costs by \(grouping)", Set(lines), model.costs(by: grouping))
        }
        for user in names.users {
            try same("the spend of \(user.rawValue)", try await store.spend(of: user).user, model.spend(of: user))
        }
        try same("the audit", try await store.auditCredits(), [])
        let misplaced = try await store.health().filter { ConformanceCase.invariants.contains($0.name) && !$0.isGood }
        try same("what is out of place", misplaced, [])
    }

    private static func line(_ step: Step) -> [String] {
        [step.name, "\(step.occurrence)", step.inputHash, step.output.compact, "\(step.sequence)"]
    }

    /// Prepares the database for the next run: no job, worker or hold may remain.
    mutating func clearAway() async throws {
        for worker in 0..<OperationGenerator.workers { try await perform(.deregister(worker: worker)) }
        for job in model.jobs {
            if let label = names.label(of: job.id) { try await perform(.cancel(job: label)) }
        }
        try await perform(.closeCalls)
        try await perform(.advance(seconds: 200_000))
        try await perform(.deleteFinished(age: 1, limit: 1000))
        try same("what is left", model.jobs.count, 0)
    }

    // MARK: Comparing

    private func label(_ id: JobID) -> String { names.label(of: id).map { "\($0)" } ?? "\(id)" }

    private func shown<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nothing" }

    private func same<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) throws {
        if actual != expected { throw Mismatch("\(what): \(actual), not \(expected)") }
    }

    /// The answer of a call, or its refusal.
    private func refusal<Value>(
        _ body: () async throws -> Value
    ) async throws -> (value: Value?, error: StoreError?) {
        do {
            return (try await body(), nil)
        } catch let error as StoreError where error == .leaseLost || error == .workerUnknown {
            return (nil, error)
        }
    }
}

/// A difference between a store and the model.
struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
