internal import DossierAPI
import SQLSupport
internal import JSON
package import JobQueue

extension PostgresStore {
    package func fail(_ lease: Lease, with failure: JobFailure) async throws(StoreError) {
        try Texts.rejectNUL(in: failure.error)
        try Texts.rejectNUL(in: failure.effects)
        guard try await writers.perform(FailInput(lease: lease, failure: failure), in: writes.fail) else {
            throw .leaseLost
        }
    }

    package func snooze(
        _ leases: [Lease], after pause: Duration, waitingFor wait: WaitCause?
    ) async throws(StoreError) {
        guard !leases.isEmpty else { return }
        let input = SnoozeInput(leases: leases, pause: pause.wholeMilliseconds, wait: wait)
        try await writers.perform(input, in: writes.snooze)
    }

    package func wake(
        waitingFor wait: WaitCause, within time: Duration, limit: Int
    ) async throws(StoreError) -> Int {
        try await writers.perform(WakeInput(wait: wait, within: time, limit: limit), in: writes.wake)
    }

    package func cancel(
        _ id: JobID, of user: UserID?, by canceller: JobCanceller, audit: AuditEntry?
    ) async throws(StoreError) -> Job? {
        let input = CancelInput(job: OwnedJob(id: id, user: user), canceller: canceller, audit: try audit?.checked)
        guard try await writers.perform(input, in: writes.cancel) else { return nil }
        return try await job(id, of: user)
    }

    package func retry(_ id: JobID, of user: UserID?, audit: AuditEntry?) async throws(StoreError) -> Submission? {
        try monitor.checkForNewWork()
        let input = RetryInput(job: OwnedJob(id: id, user: user), audit: try audit?.checked)
        switch try await writers.perform(input, in: writes.retry) {
        case .nothing: return nil
        case .existing(let id): return .existing(try await stored(id))
        case .short(let balance, let required): return .insufficientCredits(balance, required: required)
        case .accepted: return .accepted(try await stored(id))
        }
    }
}

struct FailInput: Sendable {
    var lease: Lease
    var failure: JobFailure

    /// Milliseconds until the job is tried again; `nil` when it is not.
    var pause: Int64? {
        if case .retry(let pause) = failure.next { pause.wholeMilliseconds } else { nil }
    }
}

struct SnoozeInput: Sendable {
    var leases: [Lease]
    /// Milliseconds.
    var pause: Int64
    var wait: WaitCause?
}

struct WakeInput: Sendable {
    var wait: WaitCause
    var within: Duration
    var limit: Int
}

struct CancelInput: Sendable {
    var job: OwnedJob
    var canceller: JobCanceller
    /// The entry of the audit as a store takes it.
    var audit: String?
}

struct RetryInput: Sendable {
    var job: OwnedJob
    /// The entry of the audit as a store takes it.
    var audit: String?
}

enum RetryOutcome: Sendable {
    case nothing
    case existing(JobID)
    case short(CreditBalance, required: Int)
    case accepted
}

extension BatchOperation where Input == FailInput, Output == Bool {
    /// Repeatable: a second failure report of the same epoch succeeds.
    static let fail = BatchOperation(
        keys: { [.job($0.lease.job)] },
        lockOrder: { .job($0.lease.job) },
        statements: { inputs, context in
            [
                Statement(.failJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.lease.job))
                    parameters.add(integers: inputs.map(\.lease.epoch))
                    parameters.add(integers: inputs.map(\.pause))
                    parameters.add(integers: inputs.map(\.failure.dropStepsFrom))
                    parameters.add(texts: inputs.map(\.failure.error.code.rawValue))
                    parameters.add(texts: inputs.map(\.failure.error.message))
                    parameters.add(texts: inputs.map(\.failure.error.userMessage))
                }
            ] + Statement.effects(of: inputs.map { ($0.lease, $0.failure.effects) }, at: context.now)
        },
        read: { answer, inputs in
            let verdicts = answer.verdicts(inputs.count, missing: .done(false)) { .done($0.flag()) }
            answer.madeVisible = true
            answer.madeReady = true
            return verdicts
        })
}

extension BatchOperation where Input == SnoozeInput, Output == Void {
    /// Repeatable: a released lease is void, and void leases are skipped.
    static let snooze = BatchOperation(
        statements: { inputs, context in
            let leases = inputs.flatMap { input in input.leases.map { (lease: $0, input: input) } }
            return [
                Statement(.snoozeJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: leases.map(\.lease.job))
                    parameters.add(integers: leases.map(\.lease.epoch))
                    parameters.add(integers: leases.map(\.input.pause))
                    parameters.add(texts: leases.map(\.input.wait?.stored))
                }
            ]
        },
        read: { answer, inputs in
            let isChanged = (answer.rows.first?.first { $0.integer() } ?? 0) > 0
            answer.madeReady = isChanged
            answer.madeVisible = isChanged
            return inputs.map { _ in .done(()) }
        })
}

extension BatchOperation where Input == WakeInput, Output == Int {
    /// Repeatable: a job that was woken waits for nothing any more.
    static let wake = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { input in
                Statement(.wakeJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(input.wait.stored)
                    parameters.add(input.within.wholeMilliseconds)
                    parameters.add(Int64(input.limit))
                }
            }
        },
        read: { answer, inputs in
            let woken = answer.rows.first?.first { $0.int() } ?? 0
            answer.madeReady = woken > 0
            answer.madeVisible = woken > 0
            return inputs.map { _ in .done(woken) }
        })
}

extension BatchOperation where Input == CancelInput, Output == Bool {
    /// Repeatable: a job that has ended stays as it is.
    static let cancel = BatchOperation(
        keys: { [.job($0.job.id)] },
        lockOrder: { .job($0.job.id) },
        statements: { inputs, context in
            [
                Statement(.cancelJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.job.id))
                    parameters.add(integers: inputs.map { $0.job.user?.rawValue })
                    parameters.add(Int64(Job.cancelledInputBytes))
                    parameters.add(texts: inputs.map(\.canceller.rawValue))
                    parameters.add(texts: inputs.map(\.audit))
                }
            ]
        },
        read: { answer, inputs in
            var hasEnded = false
            let verdicts = answer.verdicts(inputs.count, missing: .done(false)) { row -> Verdict in
                let isThere = row.flag()
                hasEnded = row.flag() || hasEnded
                return .done(isThere)
            }
            answer.madeVisible = hasEnded
            // The next job of its concurrency key may have become ready.
            answer.madeReady = hasEnded
            return verdicts
        })
}

extension BatchOperation where Input == RetryInput, Output == RetryOutcome {
    /// Repeatable: a repetition finds the job restarted, and answers that it was accepted.
    static let retry = BatchOperation(
        limit: 16,
        keys: { [.job($0.job.id)] },
        lockOrder: { .job($0.job.id) },
        statements: { inputs, context in
            inputs.map { input in
                Statement(.retryJob) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(input.job.id)
                    parameters.add(input.job.user?.rawValue)
                    parameters.add(input.audit)
                }
            }
        },
        read: { answer, inputs in
            answer.madeVisible = true
            answer.madeReady = true
            return try zip(inputs, answer.rows).map { input, rows in
                let outcome = try rows.first { row -> RetryOutcome in
                    let (word, earlier) = (row.text(), row.jobIDIfAny())
                    let balance = CreditBalance(&row)
                    switch word {
                    case "nothing": return .nothing
                    case "existing":
                        let id = input.job.id
                        return earlier == id && answer.isRepetition ? .accepted : .existing(earlier ?? id)
                    case "short": return .short(balance, required: row.int())
                    case "accepted": return .accepted
                    default: throw StoreError.unexpected(reason: "outcome '\(word)'")
                    }
                }
                return .done(outcome ?? .nothing)
            }
        })
}
