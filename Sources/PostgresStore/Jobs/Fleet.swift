import SQLSupport
internal import JSON
package import JobQueue

extension PostgresStore: FleetStore {
    package func adopt(bundle hash: String, limits: [String: ConcurrencyLimits]) async throws(StoreError) {
        try Texts.rejectNUL([("bundle", hash)])
        for kind in limits.keys { try Texts.rejectNUL([("kind", kind)]) }
        try await writers.perform(Adoption(bundle: hash, limits: limits), in: writes.adopt)
    }

    package func currentBundle() async throws(StoreError) -> String? {
        try await readers.perform((), in: reads.currentBundle)
    }

    package func enqueueScheduledRun(
        _ run: ScheduledRun, submitting job: NewJob
    ) async throws(StoreError) -> ScheduledRunOutcome {
        try monitor.checkForNewWork()
        try Texts.rejectNUL([("schedule", run.schedule)])
        try Texts.rejectNUL(in: job)
        let input = SubmitInput(job: job, text: job.input.compact)
        switch try await writers.perform(ScheduledRunInput(run: run, submit: input), in: writes.scheduledRun) {
        case .recorded: return .recorded
        case .alreadyEnqueued: return .alreadyEnqueued
        case .submitted(let outcome): return .submitted(try await submission(outcome, of: job, input: input.text))
        }
    }
}

struct Adoption: Sendable {
    var bundle: String
    var limits: [String: ConcurrencyLimits]
}

struct ScheduledRunInput: Sendable {
    var run: ScheduledRun
    var submit: SubmitInput
}

enum ScheduledRunResult: Sendable {
    case recorded
    case alreadyEnqueued
    case submitted(SubmitOutcome)
}

extension BatchOperation where Input == Adoption, Output == Void {
    /// Repeatable: the same bundle and limits change nothing. When another bundle was adopted in between, the
    /// repetition counts as the later call.
    static let adopt = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { adoption in
                let limits = adoption.limits.sorted { $0.key < $1.key }
                return Statement(.adoptBundle) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(adoption.bundle)
                    parameters.add(texts: limits.map(\.key))
                    parameters.add(integers: limits.map { $0.value.fleet.map(Int64.init) })
                    parameters.add(integers: limits.map { $0.value.perUser.map(Int64.init) })
                }
            }
        },
        read: { answer, inputs in
            answer.madeReady = true
            answer.madeVisible = true
            return inputs.map { _ in .done(()) }
        })
}

extension BatchOperation where Input == ScheduledRunInput, Output == ScheduledRunResult {
    /// Repeatable: the run is stored with its job, which a repetition finds by its id.
    static let scheduledRun = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.flatMap { input in
                let run = Statement(.enqueueScheduledRun) { parameters in
                    parameters.add(input.run.schedule)
                    parameters.add(input.run.timestamp.milliseconds)
                    parameters.add(context.now?.milliseconds)
                    parameters.add(submits: [input.submit])
                    parameters.add(context.isRepetition ? 1 : 0)
                }
                return [run] + Statement.withins(of: [input.submit.job])
            }
        },
        read: { answer, inputs in
            var isAccepted = false
            let verdicts = try answer.verdicts(inputs.count, missing: .again) { row -> Verdict in
                switch row.text() {
                case "noted": return .done(.recorded)
                case "already_enqueued": return .done(.alreadyEnqueued)
                case let word:
                    var outcome = try SubmitOutcome(word, &row)
                    if case .existing(inputs[0].submit.job.id) = outcome, answer.isRepetition {
                        outcome = .accepted(Timestamp(milliseconds: 0), isToBeRead: true)
                    }
                    if case .accepted = outcome { isAccepted = true }
                    return .done(.submitted(outcome))
                }
            }
            answer.madeReady = isAccepted
            answer.madeVisible = isAccepted
            return verdicts
        })
}

extension BatchOperation where Input == Void, Output == String? {
    static let currentBundle = BatchOperation(
        statements: { _, _ in [Statement(.currentBundleGet)] },
        read: { answer, inputs in
            let hash = answer.rows.first?.first { $0.text() }
            return inputs.map { _ in .done(hash) }
        })
}
