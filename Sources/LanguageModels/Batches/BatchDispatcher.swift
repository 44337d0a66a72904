package import Basics
package import HTTP
internal import JSON
package import JobQueue

/// Makes model calls by batch, at half the price.
///
/// Jobs ask by `question` and `BatchStore.ask`. Each process with a worker calls `work` every second or two: it seals
/// the lines that have gathered, and moves the batches that are due, under leases, so that any process goes on where
/// another one died.
package final class BatchDispatcher: Sendable {
    let store: any BatchStore
    /// The store's clock.
    let now: @Sendable () async throws(StoreError) -> Timestamp
    let catalogue: ModelCatalogue
    /// By the id in the catalogue.
    let models: [String: any BatchModel]
    let estimates = CallEstimates()
    var bounds: BatchBounds { catalogue.batches }
    let clock: TimeSource
    let makeID: @Sendable () -> String
    let onEvent: @Sendable (BatchEvent) -> Void

    /// The batches that one round moves at the same time, and in all.
    static let concurrentBatches = 4
    static let batchesOfARound = 64
    /// The results that are stored in one transaction.
    static let resultsAtOnce = 16

    /// - Parameters:
    ///   - catalogue: The models and tiers.
    ///   - configuration: Keys and addresses. A provider without either serves no batches here.
    ///   - transport: Carries the requests.
    ///   - store: The batches.
    ///   - now: The store's clock.
    ///   - clock: Gives the day, for prices.
    ///   - makeID: Makes ids of batches.
    ///   - onEvent: Is told of what happens to batches, for the log and for metrics.
    package convenience init(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, transport: any HTTPTransport,
        store: any BatchStore, now: @escaping @Sendable () async throws(StoreError) -> Timestamp,
        clock: TimeSource = .system, makeID: @escaping @Sendable () -> String,
        onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) {
        let models = catalogue.batchModels(configuration, transport: transport, clock: clock)
        self.init(
            catalogue, models: models, store: store, now: now, clock: clock, makeID: makeID, onEvent: onEvent)
    }

    init(
        _ catalogue: ModelCatalogue, models: [String: any BatchModel], store: any BatchStore,
        now: @escaping @Sendable () async throws(StoreError) -> Timestamp, clock: TimeSource = .system,
        makeID: @escaping @Sendable () -> String, onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) {
        self.catalogue = catalogue
        self.models = models
        self.store = store
        self.now = now
        self.clock = clock
        self.makeID = makeID
        self.onEvent = onEvent
    }

    // MARK: Asking

    /// A call as a line of a batch; `nil` when no model of the route or the tier takes it by batch.
    package func question(
        _ key: BatchLineKey, prompt: String? = nil, request: ModelRequest, tier: String, route: PromptRoute? = nil,
        within: Duration,
        deadline: Timestamp
    ) -> BatchQuestion? {
        let candidates = catalogue.candidates(for: tier, route: route) ?? []
        for case let model? in candidates.map({ models[$0.id] }) {
            guard (try? model.line(request, customID: key.customID(try: 1))) != nil else { continue }
            let description = model.description
            let usage = estimates.usage(of: request, by: description)
            let cost = description.prices?.cost(of: usage, on: clock.today) ?? .zero
            let call = PlannedCall(
                provider: description.provider, model: description.id, prompt: prompt, usage: usage, cost: cost,
                isSimulated: description.isSimulated)
            return BatchQuestion(
                key: key, provider: description.provider.rawValue, model: description.id,
                request: request.encoded.compact, estimate: ModelCall("", call), within: within,
                lastChance: BatchTimes.lastChance(deadline: deadline, within: within))
        }
        return nil
    }

    /// Asks, and so ends the run when the answer is not there yet.
    package func ask(
        _ question: BatchQuestion, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> BatchReply {
        try await store.ask(question, under: lease, limits: limits)
    }

    /// Reads an answer that a line got.
    ///
    /// - Returns: The answer; `nil` when this process cannot read it.
    /// - Throws: For refusals, truncations and answers that do not fit the request, with the answer.
    package func read(_ answer: String, to request: ModelRequest) throws(ModelError) -> ModelResponse? {
        guard let value = try? JSON(parsing: answer), let model = value["model"]?.string.flatMap({ models[$0] }),
            let answer = value["answer"]
        else { return nil }
        return try model.read(answer, to: request)
    }

    /// The expected time until the answer to a line that begins to wait now.
    package func estimate() async throws(StoreError) -> Duration {
        BatchTimes.estimate(recent: try await store.batchTimes(limit: 50))
    }

    // MARK: Working

    /// One round: seals and moves what is due.
    package func work() async {
        await sealDue()
        let providers = Set(models.values.map(\.description.provider.rawValue)).sorted()
        guard !providers.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for _ in 0..<Self.batchesOfARound {
                if running == Self.concurrentBatches {
                    await group.next()
                    running -= 1
                }
                guard !Task.isCancelled, let leased = await take(providers) else { break }
                running += 1
                group.addTask { await self.move(leased) }
            }
        }
    }

    private func take(_ providers: [String]) async -> LeasedBatch? {
        do {
            return try await store.takeBatch(of: providers, for: bounds.lease)
        } catch {
            onEvent(.failed(batch: nil, reason: error.description))
            return nil
        }
    }

    private func sealDue() async {
        do {
            let gatherings = try await store.gatherings()
            guard !gatherings.isEmpty else { return }
            let now = try await now()
            for gathering in gatherings where gathering.sealsAt(by: bounds) <= now {
                guard let model = models[gathering.model] else { continue }
                try await seal(gathering, model, at: now)
            }
        } catch {
            onEvent(.failed(batch: nil, reason: error.description))
        }
    }

    /// Seals one batch; what is left over is sealed in the next round.
    private func seal(_ gathering: Gathering, _ model: any BatchModel, at now: Timestamp) async throws(StoreError) {
        var lines = try await store.gatheredLines(
            for: gathering.model, of: gathering.provider, limit: bounds.lines)
        if let first = lines.first, first.isAlone {
            lines = [first]
        } else {
            let limit = min(model.largestBatch, bounds.bytes)
            var bytes = 0
            lines = Array(
                lines.enumerated().prefix { index, line in
                    bytes += line.request.utf8.count
                    return index == 0 || bytes <= limit
                }.map(\.element))
        }
        guard let first = lines.map(\.addedAt).min() else { return }
        let body = JSON.array(await self.lines(lines, model).map(\.1))
        let batch = ModelBatch(
            id: makeID(), provider: gathering.provider, model: gathering.model, lines: lines.count,
            fingerprint: SHA256.hex(body.utf8), firstLineAt: first, sealedAt: now)
        if try await store.seal(batch, of: lines.map(\.customID)) { onEvent(.sealed(batch)) }
    }

    /// The lines in the provider's format, in the order of their ids. A line that cannot be read is left out.
    func lines(_ lines: [BatchLine], _ model: any BatchModel) async -> [(BatchLine, JSON)] {
        var made: [(BatchLine, JSON)] = []
        for line in lines.sorted(by: { $0.customID < $1.customID }) {
            // Thousands of lines take a while, and other tasks have to go on.
            await Task.yield()
            guard let request = Self.request(line),
                let value = try? model.line(request, customID: line.customID)
            else { continue }
            made.append((line, value))
        }
        return made
    }

    static func request(_ line: BatchLine) -> ModelRequest? {
        guard let value = try? JSON(parsing: line.request) else { return nil }
        return try? ModelRequest(decoding: JSONField(value))
    }
}

/// An event of a batch, for the log and for metrics.
package enum BatchEvent: Sendable {
    case sealed(ModelBatch)
    /// The state before, and the batch after the change.
    case changed(from: ModelBatch.State, ModelBatch, problem: String?)
    /// The lines of a batch by their outcomes, and what they cost.
    case settled(ModelBatch, answered: Int, again: Int, failed: Int, cost: MicroDollars)
    /// The store could not be used.
    case failed(batch: String?, reason: String)
}
