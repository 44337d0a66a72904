package import JobQueue
package import JSON
import SQLSupport

extension PostgresStore {
    package func report(_ progress: [ProgressReport]) async throws(StoreError) {
        for report in progress { try Texts.rejectNUL([("current_step", report.currentStep)]) }
        guard !progress.isEmpty else { return }
        try await writers.perform(progress, in: writes.report)
    }

    /// The code with which `append_steps` refuses a step.
    private static let fullJournal = "22L01"

    package func append(
        _ step: Step, replacingFrom sequence: Int64?, effects: [Effect], under lease: Lease
    ) async throws(StoreError) -> Int64 {
        try Texts.rejectNUL([("step.name", step.name), ("step.input_hash", step.inputHash)])
        try Texts.rejectNUL(in: effects)
        try JobLimit.check(effects)
        let input = AppendInput(
            lease: lease, step: step, output: try StoredOutput(step), replacing: sequence, effects: effects)
        do throws(StoreError) {
            guard let place = try await writers.perform(input, in: writes.append) else { throw .leaseLost }
            return place
        } catch {
            if case .invalidValue(code: Self.fullJournal, _) = error { throw .overLimit(.steps) }
            throw error
        }
    }

    /// Results of up to this many bytes are compressed when their jobs are archived (`jobs_to_archive`).
    private static let longestResultAsText = 4096

    package func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError) {
        let text = try Texts.encoded(result, field: "result")
        try Texts.rejectNUL(in: effects)
        try JobLimit.check(effects)
        let packed = text.utf8.count > Self.longestResultAsText ? CompressedText.bytes(of: text) : nil
        let input = CompleteInput(lease: lease, result: text, packed: packed, effects: effects)
        try JobLimit.result.check(input.result.utf8.count)
        guard try await writers.perform(input, in: writes.complete) else { throw .leaseLost }
    }
}

struct AppendInput: Sendable {
    var lease: Lease
    var step: Step
    var output: StoredOutput
    var replacing: Int64?
    var effects: [Effect]
}

struct CompleteInput: Sendable {
    var lease: Lease
    /// The result as compact JSON.
    var result: String
    /// The result as it is stored, when it is long: PostgreSQL's own compression leaves half as much again.
    var packed: [UInt8]?
    var effects: [Effect]
}

extension BatchOperation where Input == [ProgressReport], Output == Void {
    /// Repeatable: a stored report changes nothing the second time.
    static let report = BatchOperation(
        batching: .running,
        statements: { inputs, _ in
            var latest: [Lease: ProgressReport] = [:]
            for report in inputs.joined() {
                var report = report
                report.progress = min(max(report.progress, latest[report.lease]?.progress ?? 0), 100)
                latest[report.lease] = report
            }
            let reports = latest.values.sorted { $0.lease.job < $1.lease.job }
            return [
                Statement(.reportProgress) { parameters in
                    parameters.add(ids: reports.map(\.lease.job))
                    parameters.add(integers: reports.map(\.lease.epoch))
                    parameters.add(integers: reports.map { Int64($0.progress) })
                    parameters.add(texts: reports.map(\.currentStep))
                }
            ]
        },
        read: { answer, inputs in
            answer.madeVisible = (answer.rows.first?.first { $0.integer() } ?? 0) > 0
            return inputs.map { _ in .done(()) }
        })
}

extension BatchOperation where Input == AppendInput, Output == Int64? {
    /// Repeatable: an identical step in the same place is returned as it is. A repeated replacement drops and stores
    /// the same steps again.
    static let append = BatchOperation(
        batching: .running,
        keys: { [.job($0.lease.job)] },
        lockOrder: { .job($0.lease.job) },
        weight: { $0.output.count },
        statements: { inputs, context in
            [
                Statement(.appendSteps) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.lease.job))
                    parameters.add(integers: inputs.map(\.lease.epoch))
                    parameters.add(texts: inputs.map(\.step.name))
                    parameters.add(integers: inputs.map { Int64($0.step.occurrence) })
                    parameters.add(texts: inputs.map(\.step.inputHash))
                    parameters.add(texts: inputs.map(\.output.text))
                    parameters.add(bytes: inputs.map(\.output.packed))
                    parameters.add(Int64(JobLimit.steps.maximum))
                    parameters.add(integers: inputs.map(\.replacing))
                    parameters.add(integers: inputs.map(\.step.took.wholeMilliseconds))
                }
            ] + Statement.effects(of: inputs.map { ($0.lease, $0.effects) }, at: context.now)
                + Statement.journalledBatchLines(of: inputs.map { ($0.lease, $0.effects) })
        },
        read: { answer, inputs in
            answer.verdicts(inputs.count, missing: .done(nil)) { .done($0.integerIfAny()) }
        })
}

extension BatchOperation where Input == CompleteInput, Output == Bool {
    /// Repeatable: a second completion by the same epoch succeeds.
    static let complete = BatchOperation(
        batching: .running,
        keys: { [.job($0.lease.job)] },
        lockOrder: { .job($0.lease.job) },
        weight: { $0.result.utf8.count },
        statements: { inputs, context in
            [
                Statement(.completeJobs) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.lease.job))
                    parameters.add(integers: inputs.map(\.lease.epoch))
                    parameters.add(texts: inputs.map { $0.packed == nil ? $0.result : nil })
                    parameters.add(bytes: inputs.map(\.packed))
                }
            ] + Statement.effects(of: inputs.map { ($0.lease, $0.effects) }, at: context.now)
        },
        read: { answer, inputs in
            var (isDone, madeReady) = (false, false)
            let verdicts = answer.verdicts(inputs.count, missing: .done(false)) { row -> Verdict in
                let done = row.flag()
                isDone = isDone || done
                madeReady = row.flag() || madeReady
                return .done(done)
            }
            answer.madeVisible = isDone
            answer.madeReady = madeReady
            return verdicts
        })
}
