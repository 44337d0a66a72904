import SQLSupport
internal import JSON
package import JobQueue
internal import Synchronization

extension PostgresStore {
    package func claim(for worker: WorkerID, upTo slots: [QueueName: Int]) async throws(StoreError) -> Claim {
        try await writers.perform(ClaimInput(worker, slots), in: writes.claim).claim()
    }

    package func claimWithNextSubmit(
        for worker: WorkerID, upTo slots: [QueueName: Int]
    ) async throws(StoreError) -> Claim? {
        while true {
            let input = try ClaimInput(worker, slots)
            let outcome = try await writers.ride(input, in: writes.claimWithSubmit) { $0.number == input.number }
            guard let claim = try outcome?.claim() else { return nil }
            if !claim.jobs.isEmpty { return claim }
        }
    }
}

struct ClaimInput: Sendable {
    var worker: WorkerID
    /// What this claim is known by, should its answer get lost.
    var number: Int64
    var interactive: Int
    var background: Int

    init(_ worker: WorkerID, _ slots: [QueueName: Int]) throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        self.worker = worker
        number = .random(in: 1...Int64.max)
        interactive = max(slots[.interactive] ?? 0, 0)
        background = max(slots[.background] ?? 0, 0)
    }
}

struct ClaimOutcome: Sendable {
    var isKnown = false
    var nextDue: Timestamp?
    var tookShortLook = false
    var rows: [StoredClaim] = []

    /// What the caller gets, who parses the inputs on its own time.
    func claim() throws(StoreError) -> Claim {
        guard isKnown else { throw .workerUnknown }
        return Claim(
            jobs: rows.map(\.job), nextDue: nextDue, timeout: tookShortLook ? ClaimMemory.timeout : nil)
    }
}

extension BatchOperation where Input == ClaimInput, Output == ClaimOutcome {
    /// Repeatable, since each claim has a number that its leases keep: asked again, it answers with what it took, and
    /// what it took before nobody waited any more comes with the worker's next claim.
    static func claim(_ memory: ClaimMemory) -> BatchOperation {
        BatchOperation(
            limit: 16,
            keys: { [.text($0.worker.rawValue)] },
            statements: { inputs, context in
                inputs.map { input in
                    Statement(.claimJobs) { parameters in
                        var lost = memory.lostClaims(of: input.worker)
                        if context.isRepetition { lost.append(input.number) }
                        let from = memory.scanStart(of: input.number, at: .now)
                        parameters.add(context.now?.milliseconds)
                        parameters.add(input.worker.rawValue)
                        parameters.add(input.number)
                        parameters.add(integers: lost)
                        parameters.add(Int64(input.interactive))
                        parameters.add(Int64(input.background))
                        parameters.add(from.interactive)
                        parameters.add(from.background)
                    }
                }
            },
            read: { answer, inputs in
                var verdicts: [Verdict] = []
                for (input, rows) in zip(inputs, answer.rows) {
                    var outcome = ClaimOutcome()
                    var madeReady = false
                    try rows.each { row in
                        if !row.isNull {
                            outcome.isKnown = row.flag()
                            outcome.nextDue = row.timestampIfAny()
                            memory.note(interactive: row.integer(), background: row.integer(), at: .now)
                            madeReady = row.flag()
                        } else {
                            for _ in 0..<5 { row.skip() }
                            let claimed = try StoredClaim(&row)
                            answer.taken.insert(claimed.id)
                            outcome.rows.append(claimed)
                        }
                    }
                    memory.forget(input.worker)
                    outcome.tookShortLook = memory.tookShortLook(input.number)
                    if !outcome.rows.isEmpty || madeReady { answer.madeVisible = true }
                    if madeReady { answer.madeReady = true }
                    verdicts.append(.done(outcome))
                }
                return verdicts
            },
            abandoned: { input in
                _ = memory.tookShortLook(input.number)
                memory.lose(input.number, of: input.worker)
            })
    }
}
