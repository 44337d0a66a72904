internal import Basics
package import JSON
package import JobQueue
internal import Observability

/// The journal of one run: gives back what an earlier run of the job has already done, and keeps what this one does.
///
/// Steps run one after the other, in an order that depends only on the job's input and on earlier steps' outputs.
/// A step is known by its name, how many steps of that name came before it in this run, and the hash of its input;
/// where the input differs from the journalled one, this step and all later ones are done anew.
package actor Journal {
    private typealias Keep = @Sendable (Step, _ replacingFrom: Int64?, [Effect]) async throws(StoreError) -> Int64
    private typealias Read = @Sendable () async throws(StoreError) -> [Step]

    private let read: Read
    /// `nil` for a journal that is only read again.
    private let keep: Keep?
    /// No step is done twice in a run, so an output goes when it has been given out: a filing's facts would otherwise
    /// stay in memory for as long as a model writes. Who wants one again has it read again.
    private var known: [Step]
    private var occurrences: [String: Int] = [:]

    /// Reads the job's journal.
    package init(of lease: Lease, in store: any JobStore) async throws(AgentError) {
        keep = { step, sequence, effects async throws(StoreError) in
            try await Self.keep(step, replacing: sequence, effects, under: lease, in: store)
        }
        read = { () async throws(StoreError) in try await store.steps(of: lease) }
        do {
            known = try await read()
        } catch {
            throw AgentError(error)
        }
    }

    /// A journal to go through again: a step that is not in it interrupts the run, and nothing is written.
    package init(replaying steps: [Step]) {
        keep = nil
        read = { steps }
        known = steps
    }

    /// The output of a step with its place in the journal.
    package struct Entry: Sendable {
        package var output: JSON
        package var sequence: Int64
        /// Whether an earlier run did the work.
        package var isReplayed: Bool
    }

    /// Does a piece of work once for the whole life of the job, whatever dies in between.
    ///
    /// - Parameters:
    ///   - name: What the step is, the same in every run.
    ///   - input: All that the output depends on.
    ///   - work: Does it; returns the output and the effects to store with it.
    /// - Returns: The output of this or of the earlier run.
    /// - Throws: What `work` throws, or `interrupted` and `postponed` when the step could not be kept.
    package func step(
        _ name: String, input: JSON,
        work: @Sendable () async throws(AgentError) -> (output: JSON, effects: [Effect])
    ) async throws(AgentError) -> Entry {
        let occurrence = occurrences[name, default: 0]
        occurrences[name] = occurrence + 1
        let hash = SHA256.hex(input.canonical)
        let place = known.firstIndex { $0.name == name && $0.occurrence == occurrence }
        let earlier = place.map { known[$0] }
        if let place, let earlier, earlier.inputHash == hash {
            known[place].output = .null
            return Entry(output: earlier.output, sequence: earlier.sequence, isReplayed: true)
        }
        guard let keep else { throw .interrupted }
        let start = ContinuousClock.now
        let output: JSON
        let effects: [Effect]
        do throws(AgentError) {
            (output, effects) = try await work()
        } catch {
            TraceScope.current?.record("step \(name)", took: .now - start, problem: error.kindOfProblem)
            throw error
        }
        TraceScope.current?.record("step \(name)", took: .now - start)
        var step = Step(name: name, occurrence: occurrence, inputHash: hash, output: output)
        do {
            step.sequence = try await keep(step, earlier?.sequence, effects)
        } catch {
            throw AgentError(error)
        }
        if let earlier { known.removeAll { $0.sequence >= earlier.sequence } }
        step.output = .null
        known.append(step)
        return Entry(output: output, sequence: step.sequence, isReplayed: false)
    }

    /// The output of a step that this run has done or found done, as the store has it.
    ///
    /// - Throws: `interrupted` when the job is no longer ours, `postponed` when the store cannot be asked.
    package func output(at sequence: Int64) async throws(AgentError) -> JSON {
        let steps: [Step]
        do {
            steps = try await read()
        } catch {
            throw AgentError(error)
        }
        guard let step = steps.first(where: { $0.sequence == sequence }) else {
            throw .failed(AgentFailure(.internalFailure("a journalled step is gone"), isTransient: true))
        }
        return step.output
    }

    /// Writes until the store has taken the step or says that the job is no longer ours: what a model was paid for
    /// must not be lost, and bought again, because the database was away for a moment.
    private static func keep(
        _ step: Step, replacing sequence: Int64?, _ effects: [Effect], under lease: Lease, in store: any JobStore
    ) async throws(StoreError) -> Int64 {
        var pause: Duration = .milliseconds(50)
        while true {
            do throws(StoreError) {
                return try await store.append(step, replacingFrom: sequence, effects: effects, under: lease)
            } catch {
                // A cancelled task has lost the job, or its worker drains.
                guard error.mayPass else { throw error }
                guard (try? await Task.sleep(for: pause)) != nil else { throw .leaseLost }
                pause = min(pause * 2, .seconds(2))
            }
        }
    }
}

extension StoreError {
    /// Whether the same write may succeed in a moment.
    fileprivate var mayPass: Bool {
        switch self {
        case .unavailable, .full: true
        default: false
        }
    }
}

extension AgentError {
    /// What a failed write to the store means for the run.
    init(_ error: StoreError) {
        switch error {
        case .leaseLost, .workerUnknown: self = .interrupted
        case .unavailable, .full: self = .postponed(after: .seconds(1), reason: error.description)
        case .invalidText, .unexpected:
            self = .failed(
                AgentFailure(.internalFailure(error.description), isTransient: false))
        }
    }
}

extension AgentError {
    /// Says in a trace what happened, without anybody's text.
    fileprivate var kindOfProblem: String {
        switch self {
        case .failed(let failure): failure.error.code
        case .postponed: "postponed"
        case .interrupted: "interrupted"
        }
    }
}
