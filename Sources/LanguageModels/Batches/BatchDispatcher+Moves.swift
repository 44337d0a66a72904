internal import Basics
internal import JSON
internal import JobQueue

/// What a process does for a batch that it has taken: each change of its state is stored before its consequence.
extension BatchDispatcher {
    func move(_ leased: LeasedBatch) async {
        guard let model = models[leased.batch.model] else {
            // The catalogue of this process has no such model: another process may have it.
            return await release(leased)
        }
        do {
            switch leased.batch.state {
            case .sealed: try await send(leased, model)
            case .sending: try await change(leased, .leaseEnded)
            case .unclear: try await look(for: leased, model)
            case .out: try await poll(leased, model)
            case .ended: try await collect(leased, model)
            case .refused: try await returnLines(of: leased)
            case .collected: await release(leased)
            }
        } catch {
            onEvent(.failed(batch: leased.batch.id, reason: error.description))
        }
    }

    /// Gives a batch back that this process can do nothing for.
    private func release(_ leased: LeasedBatch) async {
        // The lease keeps others and itself from trying again at once.
        onEvent(.failed(batch: leased.batch.id, reason: "this process does not know the model \(leased.batch.model)"))
    }

    /// Stores the consequence of an event.
    ///
    /// - Returns: The batch under the lease, or `nil` when the lease is lost.
    @discardableResult
    private func change(
        _ leased: LeasedBatch, _ event: ModelBatch.Event, problem: ModelError? = nil, keepingFor time: Duration = .zero
    ) async throws(StoreError) -> LeasedBatch? {
        var next = leased
        guard next.batch.apply(event, at: try await now(), by: bounds) else {
            throw .unexpected(reason: "the event \(event) does not fit a batch that is \(leased.batch.state.rawValue)")
        }
        guard try await store.change(leased, to: next.batch, keepingFor: time) else { return nil }
        onEvent(.changed(from: leased.batch.state, next.batch, problem: problem?.description))
        return next
    }

    private func send(_ leased: LeasedBatch, _ model: any BatchModel) async throws(StoreError) {
        let lines = await self.lines(try await store.openLines(of: leased.batch.id), model)
        guard let sending = try await change(leased, .taken, keepingFor: bounds.lease) else { return }
        let step = await model.send(leased.batch, lines.map(\.1), by: bounds)
        try await change(sending, step.event, problem: step.problem)
    }

    /// Looks for a batch in the provider's list whose creation gave no answer.
    private func look(for leased: LeasedBatch, _ model: any BatchModel) async throws(StoreError) {
        guard let since = leased.batch.listedSince else { return }
        // A batch may be older than its last creation.
        let known = try await store.knownProviderIDs(of: leased.batch.provider, since: since - .seconds(7 * 86_400))
        let step = await model.look(for: leased.batch, known: known)
        try await change(leased, step.event, problem: step.problem)
    }

    private func poll(_ leased: LeasedBatch, _ model: any BatchModel) async throws(StoreError) {
        guard let id = leased.batch.providerID else { return }
        let step = await model.poll(id)
        var event = step.event
        if event == .pending, try await hasWaitedTooLong(leased.batch) { event = .gone }
        let isOver = event != .pending
        let next = try await change(leased, event, problem: step.problem, keepingFor: isOver ? bounds.lease : .zero)
        if isOver, let next { try await collect(next, model) }
    }

    /// Providers end batches after a day, or never: then the lines of their jobs were asked at the full price long ago.
    private func hasWaitedTooLong(_ batch: ModelBatch) async throws(StoreError) -> Bool {
        guard let out = batch.outAt else { return false }
        return try await now() - out > ModelBatch.abandonLimit
    }

    // MARK: Lines

    /// Reads the results of a batch that has ended, and stores the outcome of each of its lines.
    private func collect(_ leased: LeasedBatch, _ model: any BatchModel) async throws(StoreError) {
        guard let id = leased.batch.providerID else { return }
        let lines = try await store.openLines(of: leased.batch.id)
        let collection = BatchCollection(lines, of: leased, model, in: self)
        var problem: ModelError?
        do throws(ModelError) {
            try await model.results(of: id) { result throws(ModelError) in try await collection.take(result) }
        } catch {
            problem = error
        }
        guard await collection.flush() else { return }
        if let problem, problem.kind != .notFound {
            try await change(leased, .pending, problem: problem)
        } else if leased.batch.isAdopted, await collection.isForeign {
            try await change(leased, .foreign)
        } else {
            guard await collection.returnMissing() else { return }
            try await change(leased, .settled)
            await onEvent(collection.event)
        }
    }

    /// Returns the lines of a batch that the provider has refused: each is tried alone, and one that was alone is at
    /// fault.
    private func returnLines(of leased: LeasedBatch) async throws(StoreError) {
        let lines = try await store.openLines(of: leased.batch.id)
        let outcomes = lines.map { line in
            leased.batch.lines == 1 ? BatchLineOutcome(line.customID, .failed) : line.tryAgain(isAlone: true)
        }
        guard try await store.settle(outcomes, of: leased) else { return }
        try await change(leased, .settled)
    }
}

extension BatchLine {
    func tryAgain(isAlone: Bool) -> BatchLineOutcome {
        guard number < Self.highestTries else { return BatchLineOutcome(customID, .failed) }
        return BatchLineOutcome(customID, .again(customID: key.customID(try: number + 1), isAlone: isAlone))
    }
}

/// The results of one batch on their way into the store, some at a time.
actor BatchCollection {
    private let dispatcher: BatchDispatcher
    private let leased: LeasedBatch
    private let model: any BatchModel
    private let isWhole: Bool
    /// The lines without a result, by the id of their try.
    private var lines: [String: BatchLine]
    private var waiting: [BatchLineOutcome] = []
    private var counts = (answered: 0, again: 0, failed: 0)
    private var cost: Int64 = 0
    private var matches = 0
    private var hasLost = false
    private var renewedAt = ContinuousClock.now

    init(_ lines: [BatchLine], of leased: LeasedBatch, _ model: any BatchModel, in dispatcher: BatchDispatcher) {
        self.dispatcher = dispatcher
        self.leased = leased
        self.model = model
        self.lines = Dictionary(lines.map { ($0.customID, $0) }) { first, _ in first }
        isWhole = lines.count == leased.batch.lines
    }

    /// Whether no result was for a line of the batch.
    var isForeign: Bool { isWhole && matches == 0 && !lines.isEmpty }

    var event: BatchEvent {
        .settled(
            leased.batch, answered: counts.answered, again: counts.again, failed: counts.failed,
            cost: MicroDollars(rawValue: cost))
    }

    /// Takes a result. Results of unknown lines are passed over: they are stored already.
    func take(_ result: BatchResult) async throws(ModelError) {
        guard let line = lines.removeValue(forKey: result.customID) else { return }
        matches += 1
        note(outcome(of: result, line))
        if waiting.count >= BatchDispatcher.resultsAtOnce, await !flush() { throw ModelError(.cancelled) }
    }

    /// Returns the lines without a result.
    func returnMissing() async -> Bool {
        for line in lines.values { note(line.tryAgain(isAlone: false)) }
        lines = [:]
        return await flush()
    }

    /// Stores what waits; false when the lease is lost or the store fails.
    func flush() async -> Bool {
        guard !hasLost else { return false }
        guard !waiting.isEmpty else { return true }
        do throws(StoreError) {
            hasLost = try await !dispatcher.store.settle(waiting, of: leased)
            if !hasLost, ContinuousClock.now - renewedAt > dispatcher.bounds.lease / 4 {
                renewedAt = .now
                hasLost = try await !dispatcher.store.change(
                    leased, to: leased.batch, keepingFor: dispatcher.bounds.lease)
            }
        } catch {
            dispatcher.onEvent(.failed(batch: leased.batch.id, reason: error.description))
            hasLost = true
        }
        waiting = []
        return !hasLost
    }

    private func note(_ outcome: BatchLineOutcome) {
        switch outcome.kind {
        case .answered(_, let call):
            counts.answered += 1
            cost += call.costMicroDollars
        case .again: counts.again += 1
        case .failed: counts.failed += 1
        }
        waiting.append(outcome)
    }

    private func outcome(of result: BatchResult, _ line: BatchLine) -> BatchLineOutcome {
        switch result.outcome {
        case .again: return line.tryAgain(isAlone: false)
        case .failed: return BatchLineOutcome(line.customID, .failed)
        case .answered(let answer):
            guard let call = booking(of: answer, line) else { return line.tryAgain(isAlone: false) }
            let stored: JSON = ["model": JSON(model.description.id), "answer": answer]
            return BatchLineOutcome(line.customID, .answered(stored.compact, call))
        }
    }

    /// The use of an answer, as it is booked; `nil` for one that cannot be read.
    private func booking(of answer: JSON, _ line: BatchLine) -> ModelCall? {
        guard let request = BatchDispatcher.request(line) else { return nil }
        var record = CallRecord(
            provider: model.description.provider, model: model.description.id, tier: "batch", duration: .zero,
            outcome: "answered", isFallback: false)
        do throws(ModelError) {
            let response = try model.read(answer, to: request)
            dispatcher.estimates.learn(from: response, to: request, by: model.description)
            (record.usage, record.cost) = (response.usage, response.cost)
        } catch {
            guard let usage = error.usage else { return nil }
            (record.state, record.usage, record.cost) = (.failed, usage, error.cost)
        }
        record.details.isSimulated = model.description.isSimulated
        if record.usage?.isEstimated == true { record.certainty = .counted }
        if let usage = record.usage {
            // The prices of the batch's model are halved.
            let prices = dispatcher.catalogue.models[model.description.id]?.prices
            record.details.addPrices(of: usage, in: prices, on: dispatcher.clock.today)
        }
        return ModelCall(line.callID, record)
    }
}
