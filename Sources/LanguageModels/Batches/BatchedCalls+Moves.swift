internal import Basics
internal import JSON
internal import JobQueue

/// What is done for each batch: each change of its state is stored before its consequence.
extension BatchedCalls {
    func work(on id: String) async {
        while let kept = batches[id], let model = models[kept.batch.model], !done.contains(id) {
            let now = now
            if let due = kept.batch.dueAt, due > now {
                guard (try? await clock.sleep(due - now)) != nil else { return }
            }
            guard !Task.isCancelled else { return }
            do throws(StoreError) {
                try await step(kept, model)
            } catch {
                return end(kept, .notKept(error))
            }
        }
    }

    private func step(_ kept: Kept, _ model: any BatchModel) async throws(StoreError) {
        switch kept.batch.state {
        case .sealed: try await send(kept, model)
        case .sending: try change(kept, .leaseEnded)
        case .unclear: try await look(for: kept, model)
        case .out: try await poll(kept, model)
        case .ended: try await collect(kept, model)
        case .refused: end(kept, kept.customIDs.count == 1 ? .failed : .again(isAlone: true))
        case .collected: end(kept, .again(isAlone: false))
        }
    }

    private func send(_ kept: Kept, _ model: any BatchModel) async throws(StoreError) {
        guard let lines = values[kept.batch.id] else {
            // An interrupted command sealed the batch: the lines that are asked gather anew.
            return end(kept, .again(isAlone: false))
        }
        let sending = try change(kept, .taken)
        let step = await model.send(kept.batch, lines, by: bounds)
        try change(sending, step.event, problem: step.problem)
    }

    private func look(for kept: Kept, _ model: any BatchModel) async throws(StoreError) {
        let step = await model.look(for: kept.batch, known: Set(batches.values.compactMap(\.batch.providerID)))
        try change(kept, step.event, problem: step.problem)
    }

    private func poll(_ kept: Kept, _ model: any BatchModel) async throws(StoreError) {
        guard let providerID = kept.batch.providerID, let out = kept.batch.outAt else { return }
        let step = await model.poll(providerID)
        let isAbandoned = step.event == .pending && now - out > ModelBatch.abandonLimit
        try change(kept, isAbandoned ? .gone : step.event, problem: step.problem)
    }

    private func collect(_ kept: Kept, _ model: any BatchModel) async throws(StoreError) {
        var results: [BatchResult] = []
        var problem: ModelError?
        do throws(ModelError) {
            try await model.results(of: kept.batch.providerID ?? "") { results.append($0) }
        } catch {
            problem = error
        }
        let lines = Set(kept.customIDs)
        results.removeAll { !lines.contains($0.customID) }
        for result in results {
            switch result.outcome {
            case .answered(let answer): settle(result.customID, .answered(answer))
            case .again: settle(result.customID, .again(isAlone: false))
            case .failed: settle(result.customID, .failed)
            }
        }
        if let problem, problem.kind != .notFound {
            try change(kept, .pending, problem: problem)
        } else if kept.batch.isAdopted, results.isEmpty {
            try change(kept, .foreign)
        } else {
            end(kept, .again(isAlone: false))
        }
    }

    /// Gives the lines that have no outcome yet this one; nothing more happens to the batch.
    private func end(_ kept: Kept, _ outcome: Outcome) {
        done.insert(kept.batch.id)
        for customID in kept.customIDs where outcomes[customID] == nil { settle(customID, outcome) }
    }

    /// Stores the consequence of an event.
    @discardableResult
    private func change(
        _ kept: Kept, _ event: ModelBatch.Event, problem: ModelError? = nil
    ) throws(StoreError) -> Kept {
        var next = kept
        guard next.batch.apply(event, at: now, by: bounds) else {
            throw .unexpected(
                reason: "the event \(event) does not fit a batch that is \(kept.batch.state.rawValue)")
        }
        try folder.keep(next.text, of: kept.batch.id)
        batches[kept.batch.id] = next
        onEvent(.changed(from: kept.batch.state, next.batch, problem: problem?.description))
        return next
    }
}

extension BatchedCalls.Kept {
    /// The form in which a folder keeps it.
    var text: String {
        let value: JSON = [
            "id": JSON(batch.id), "provider": JSON(batch.provider), "model": JSON(batch.model),
            "batch": JSON(batch.encoded), "lines": JSON(customIDs),
        ]
        return value.pretty + "\n"
    }

    init?(_ text: String) {
        guard let value = try? JSON(parsing: text), let id = value["id"]?.string,
            let provider = value["provider"]?.string,
            let model = value["model"]?.string, let encoded = value["batch"]?.string,
            let batch = ModelBatch(id: id, provider: provider, model: model, encoded: encoded),
            let lines = value["lines"]?.array
        else { return nil }
        self.init(batch: batch, customIDs: lines.compactMap(\.string))
    }
}
