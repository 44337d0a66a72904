internal import Basics
internal import DossierAPI
package import JSON
package import JobQueue
internal import Observability

/// The journal of one run: returns the outputs of steps that an earlier run of the job has done, and keeps those of
/// this run.
///
/// Steps run one after the other, in an order that depends only on the job's input and on earlier steps' outputs.
/// A step is identified by its name, the number of steps of that name before it in this run, and the hash of its input;
/// where the input differs from the journalled one, this step and all later ones run again.
package actor Journal {
    private typealias Write = @Sendable (Step, _ replacingFrom: Int64?, [Effect]) async throws(StoreError) -> Int64
    private typealias Read = @Sendable () async throws(StoreError) -> [Step]

    private let readAll: Read
    /// `nil` for a journal that is only replayed.
    private let write: Write?
    /// The steps of earlier runs and of this one. No step is done twice in a run, so an output is dropped after it has
    /// been returned: a filing's facts would otherwise stay in memory while a model writes. See `reread`.
    private var known: [Step]
    private var occurrences: [String: Int] = [:]
    /// The cost of the model calls of this run's steps.
    package private(set) var microDollars: Int64 = 0

    /// Reads the job's journal.
    package init(of lease: Lease, in store: any JobStore) async throws(AgentError) {
        write = { step, sequence, effects async throws(StoreError) in
            try await Self.write(step, replacing: sequence, effects, under: lease, in: store)
        }
        readAll = { () async throws(StoreError) in try await store.steps(of: lease) }
        do {
            known = try await readAll()
        } catch {
            throw AgentError(error)
        }
    }

    /// A journal to replay: a step that is not in it interrupts the run, and nothing is written.
    package init(replaying steps: [Step]) {
        write = nil
        readAll = { steps }
        known = steps
    }

    /// The output of a step with its place in the journal.
    package struct Entry: Sendable {
        fileprivate var content: Content
        package var output: JSON { content.json }
        package var sequence: Int64
        /// Whether an earlier run did the work.
        package var isReplayed: Bool

        /// The output as a value.
        ///
        /// - Parameters:
        ///   - name: The name of the value in errors.
        ///   - read: Makes the value.
        /// - Returns: The value.
        /// - Throws: `failed` when it cannot be read. The next attempt does the step again.
        func decoded<Value>(
            _ name: String, _ read: (JSONField) throws -> Value
        ) throws(AgentError) -> Value {
            do {
                return try read(JSONField(output))
            } catch {
                throw .internalFailure("the journalled \(name) cannot be read: \(error)", dropStepsFrom: sequence)
            }
        }
    }

    /// The output of a step.
    fileprivate enum Content: Sendable {
        case own(JSON)
        case shared(SharedOutput)

        var json: JSON {
            switch self {
            case .own(let json): json
            case .shared(let output): output.json
            }
        }
    }

    /// The place of a step in the journal.
    package struct Place: Sendable, Hashable {
        package var name: String
        package var occurrence: Int
        package var inputHash: String
    }

    /// Does a piece of work once in the life of the job, even when processes die in between.
    ///
    /// - Parameters:
    ///   - name: The step's name, the same in every run.
    ///   - input: Everything that the output depends on.
    ///   - work: Does it; returns the output and the effects to store with it.
    /// - Returns: The output of this or of the earlier run.
    /// - Throws: The error of `work` as `AgentError.init(causedBy:)` reads it, or `interrupted` and `snoozed` when
    ///   the step could not be stored.
    package func step(
        _ name: String, input: JSON,
        work: @Sendable () async throws -> (output: JSON, effects: [Effect])
    ) async throws(AgentError) -> Entry {
        try await placedStep(name, input: input) { _ in try await work() }
    }

    /// As `step`, for work that needs to know its place.
    func placedStep(
        _ name: String, input: JSON,
        work: @Sendable (Place) async throws -> (output: JSON, effects: [Effect])
    ) async throws(AgentError) -> Entry {
        try await perform(name, input: input) { place in
            let (output, effects) = try await work(place)
            return (.own(output), effects)
        }
    }

    /// As `step`, for an output whose first members the steps of other jobs have, too.
    func sharedStep(
        _ name: String, input: JSON, work: @Sendable () async throws -> SharedOutput
    ) async throws(AgentError) -> Entry {
        try await perform(name, input: input) { _ in (.shared(try await work()), []) }
    }

    private func perform(
        _ name: String, input: JSON, work: @Sendable (Place) async throws -> (output: Content, effects: [Effect])
    ) async throws(AgentError) -> Entry {
        let occurrence = occurrences[name, default: 0]
        occurrences[name] = occurrence + 1
        let hash = SHA256.hex(input.canonical)
        let place = known.firstIndex { $0.name == name && $0.occurrence == occurrence }
        let earlier = place.map { known[$0] }
        if let place, let earlier, earlier.inputHash == hash {
            known[place].output = .null
            return Entry(content: .own(earlier.output), sequence: earlier.sequence, isReplayed: true)
        }
        guard let write else { throw .interrupted }
        let start = ContinuousClock.now
        let output: Content
        let effects: [Effect]
        do {
            (output, effects) = try await work(Place(name: name, occurrence: occurrence, inputHash: hash))
        } catch {
            let error = AgentError(causedBy: error)
            TraceScope.current?.record("step \(name)", took: .now - start, problem: error.kindOfProblem)
            throw error
        }
        let took = ContinuousClock.now - start
        TraceScope.current?.record("step \(name)", took: took)
        var step =
            switch output {
            case .own(let json): Step(name: name, occurrence: occurrence, inputHash: hash, output: json)
            case .shared(let shared): Step(name: name, occurrence: occurrence, inputHash: hash, shared: shared)
            }
        step.took = took
        do {
            step.sequence = try await write(step, earlier?.sequence, effects)
        } catch {
            throw AgentError(error)
        }
        microDollars += effects.modelCalls.reduce(0) { $0 + $1.costMicroDollars }
        if let earlier { known.removeAll { $0.sequence >= earlier.sequence } }
        step.output = .null
        known.append(step)
        return Entry(content: output, sequence: step.sequence, isReplayed: false)
    }

    /// A step without effects.
    package func step(
        _ name: String, input: JSON, work: @Sendable () async throws -> JSON
    ) async throws(AgentError) -> Entry {
        try await step(name, input: input) { (try await work(), []) }
    }

    /// The last step of a name in this run, read from the store again.
    ///
    /// The store has no read of a single step, so it reads all of the job's.
    ///
    /// - Throws: `interrupted` when the job belongs to another worker by now, `snoozed` when the store is unavailable.
    package func reread(_ name: String) async throws(AgentError) -> Entry {
        let occurrence = occurrences[name, default: 0] - 1
        let steps: [Step]
        do {
            steps = try await readAll()
        } catch {
            throw AgentError(error)
        }
        guard let step = steps.first(where: { $0.name == name && $0.occurrence == occurrence }) else {
            throw .failed(AgentFailure(.internalFailure("a journalled step is gone"), isTransient: true))
        }
        return Entry(content: .own(step.output), sequence: step.sequence, isReplayed: true)
    }

    /// Writes until the store has taken the step or says that the job belongs to another worker: an answer that was
    /// paid for must not be lost, and bought again, because the database was briefly unavailable.
    private static func write(
        _ step: Step, replacing sequence: Int64?, _ effects: [Effect], under lease: Lease, in store: any JobStore
    ) async throws(StoreError) -> Int64 {
        var pause: Duration = .milliseconds(50)
        while true {
            do throws(StoreError) {
                return try await store.append(step, replacingFrom: sequence, effects: effects, under: lease)
            } catch {
                // A cancelled task has lost the job, or its worker drains.
                if error.isTransient, (try? await Task.sleep(for: pause)) != nil {
                    pause = min(pause * 2, .seconds(2))
                    continue
                }
                // The calls were made, with or without a step.
                await store.settleSurely(effects.modelCalls, of: lease)
                throw error.isTransient ? .leaseLost : error
            }
        }
    }
}

extension StoreError {
    /// Whether the same write may succeed after a short wait.
    fileprivate var isTransient: Bool {
        switch self {
        case .unavailable, .full, .damaged, .unexpected: true
        case .leaseLost, .workerUnknown, .invalidText, .overLimit, .invalidValue: false
        }
    }
}

extension AgentError {
    /// For a trace: an error code or a word, none of a user's or a model's text.
    fileprivate var kindOfProblem: String {
        switch self {
        case .failed(let failure): failure.error.code.rawValue
        case .snoozed, .waiting: "snoozed"
        case .interrupted: "interrupted"
        }
    }
}
