package import JobQueue
package import JSON
import SQLSupport

extension PostgresStore {
    package func report(_ progress: [ProgressReport]) async throws(StoreError) {
        for report in progress { try Texts.rejectNUL([("current_step", report.currentStep)]) }
        guard !progress.isEmpty else { return }
        try await writers.perform(progress, in: writes.report)
    }

    package func append(
        _ step: Step, replacingFrom sequence: Int64?, effects: [Effect], under lease: Lease
    ) async throws(StoreError) -> Int64 {
        try Texts.rejectNUL([("step.name", step.name), ("step.input_hash", step.inputHash)])
        try Texts.rejectNUL(in: step.output, field: "step.output")
        try Texts.rejectNUL(in: effects)
        let input = AppendInput(
            lease: lease, step: step, output: step.output.compact, replacing: sequence, effects: effects)
        guard let place = try await writers.perform(input, in: writes.append) else { throw .leaseLost }
        return place
    }

    package func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError) {
        try Texts.rejectNUL(in: result, field: "result")
        try Texts.rejectNUL(in: effects)
        let input = CompleteInput(lease: lease, result: result.compact, effects: effects)
        guard try await writers.perform(input, in: writes.complete) else { throw .leaseLost }
    }
}

struct AppendInput: Sendable {
    var lease: Lease
    var step: Step
    /// The step's output as compact JSON.
    var output: String
    var replacing: Int64?
    var effects: [Effect]
}

struct CompleteInput: Sendable {
    var lease: Lease
    /// The result as compact JSON.
    var result: String
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
        weight: { $0.output.utf8.count },
        statements: { inputs, context in
            [
                Statement(.appendSteps) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.lease.job))
                    parameters.add(integers: inputs.map(\.lease.epoch))
                    parameters.add(texts: inputs.map(\.step.name))
                    parameters.add(integers: inputs.map { Int64($0.step.occurrence) })
                    parameters.add(texts: inputs.map(\.step.inputHash))
                    parameters.add(texts: inputs.map(\.output))
                    parameters.add(integers: inputs.map(\.replacing))
                    parameters.add(effects: inputs.map(\.effects))
                }
            ] + Statement.records(of: inputs.map { ($0.lease, $0.effects) }, at: context.now)
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
                    parameters.add(texts: inputs.map(\.result))
                    parameters.add(effects: inputs.map(\.effects))
                }
            ] + Statement.records(of: inputs.map { ($0.lease, $0.effects) }, at: context.now)
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

extension Parameters {
    /// Adds the model calls of all requests of a batch, each with the place of its request, from 1.
    mutating func add(effects: [[Effect]]) {
        var calls: [(place: Int64, call: ModelCall)] = []
        for (index, effects) in effects.enumerated() {
            for case .recordModelCall(let call) in effects { calls.append((Int64(index + 1), call)) }
        }
        add(integers: calls.map { $0.place })
        add(texts: calls.map { $0.call.id })
        add(texts: calls.map { $0.call.provider })
        add(texts: calls.map { $0.call.model })
        add(integers: calls.map { $0.call.inputTokens })
        add(integers: calls.map { $0.call.outputTokens })
        add(integers: calls.map { $0.call.cacheReadTokens })
        add(integers: calls.map { $0.call.cacheWriteTokens })
        add(integers: calls.map { $0.call.costMicroDollars })
    }
}
