package import Basics
package import HTTP
internal import JSON
package import JobQueue

/// Where `BatchedCalls` keeps its batches: each change is stored before its consequence.
package protocol BatchFolder: Sendable {
    /// The stored texts.
    func texts() -> [String]
    func keep(_ text: String, of batch: String) throws(StoreError)
    func remove(_ batch: String) throws(StoreError)
}

/// Makes the calls of one command by batch, at half the price.
///
/// Calls that wait at the same time gather for some seconds and become a batch for each model. A command that was
/// interrupted and asks the same calls again goes on with the batches of its folder, so that no call is bought twice.
/// A call that no batch takes is made at the full price. For jobs there is `BatchDispatcher`.
package actor BatchedCalls {
    package typealias Ask =
        @Sendable (_ request: ModelRequest, _ tierOrModel: String) async throws(ModelError) -> ModelResponse

    private struct Line: Sendable {
        var customID: String
        var value: JSON
        var isAlone: Bool
    }

    /// A batch with the ids of its lines.
    struct Kept: Sendable {
        var batch: ModelBatch
        var customIDs: [String]
    }

    enum Outcome: Sendable {
        case answered(JSON)
        case again(isAlone: Bool)
        case failed
        /// The folder cannot be written, so that nothing is bought.
        case notKept(StoreError)
        case cancelled
    }

    private let catalogue: ModelCatalogue
    let models: [String: any BatchModel]
    let folder: any BatchFolder
    let clock: TimeSource
    private let direct: Ask
    let onEvent: @Sendable (BatchEvent) -> Void
    var bounds: BatchBounds { catalogue.batches }
    var now: Timestamp { Timestamp(milliseconds: clock.wallMilliseconds()) }

    /// By the id in the catalogue.
    private var gathering: [String: [Line]] = [:]
    var batches: [String: Kept] = [:]
    /// The lines of the batches that this command sealed, as they are sent.
    var values: [String: [JSON]] = [:]
    /// The batches whose results are all known, and those of batches that will have none.
    var done: Set<String> = []
    var outcomes: [String: Outcome] = [:]
    private var waiters: [String: [CheckedContinuation<Outcome, Never>]] = [:]
    private var tasks: [Task<Void, Never>] = []
    private var isClosed = false

    /// - Parameters:
    ///   - catalogue: The models and tiers.
    ///   - configuration: Keys and addresses.
    ///   - transport: Carries the requests.
    ///   - folder: The batches of the command.
    ///   - clock: Measures the pauses.
    ///   - onEvent: Is told of what happens to batches.
    ///   - direct: Asks at the full price.
    package init(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, transport: any HTTPTransport,
        folder: any BatchFolder, clock: TimeSource = .system, onEvent: @escaping @Sendable (BatchEvent) -> Void,
        direct: @escaping Ask
    ) {
        self.catalogue = catalogue
        models = catalogue.batchModels(configuration, transport: transport, clock: clock)
        self.folder = folder
        self.clock = clock
        self.onEvent = onEvent
        self.direct = direct
    }

    /// Goes on with the batches of the folder.
    package func resume() {
        for text in folder.texts() {
            guard let kept = Kept(text), models[kept.batch.model] != nil, batches[kept.batch.id] == nil else {
                continue
            }
            batches[kept.batch.id] = kept
            begin { await $0.work(on: kept.batch.id) }
        }
    }

    /// Ends all work; the batches stay in the folder unless the command is done with them.
    ///
    /// - Parameter isDone: Whether every answer is kept elsewhere: batches whose results were read are removed.
    package func close(isDone: Bool) async {
        isClosed = true
        let running = tasks
        for task in running { task.cancel() }
        for task in running { await task.value }
        for id in waiters.keys { settle(id, .cancelled) }
        guard isDone else { return }
        for id in done { try? folder.remove(id) }
    }

    /// The end of a call.
    package struct Answer: Sendable {
        /// A usable answer, or the error that a call at the full price would end with; `cancelled` after `close`.
        package var result: Result<ModelResponse, ModelError>
        package var isHalfPrice: Bool

        package init(result: Result<ModelResponse, ModelError>, isHalfPrice: Bool) {
            self.result = result
            self.isHalfPrice = isHalfPrice
        }
    }

    /// Asks by batch.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - tier: A tier, or the id of a model.
    ///   - key: Tells this call from others with the same request; a command that goes on asks with the same key.
    /// - Returns: The end of the call.
    package func respond(to request: ModelRequest, tier: String, key: String) async -> Answer {
        guard let model = model(for: request, tier) else { return await askDirectly(request, tier) }
        let id = model.description.id
        let input = SHA256.hex(request.encoded.canonical)
        var isAlone = false
        for number in 1...BatchLine.highestTries {
            let customID = "d-" + SHA256.hex("\(key)\n\(id)\n\(input)\n\(number)").prefix(40)
            guard let value = try? model.line(request, customID: customID) else { break }
            switch await outcome(of: Line(customID: customID, value: value, isAlone: isAlone), id) {
            case .answered(let answer):
                do throws(ModelError) {
                    return Answer(result: .success(try model.read(answer, to: request)), isHalfPrice: true)
                } catch {
                    return Answer(result: .failure(error), isHalfPrice: true)
                }
            case .again(let alone): isAlone = alone
            case .failed: return await askDirectly(request, id)
            case .notKept(let error):
                let reason = "a batch cannot be kept: \(error)"
                return Answer(result: .failure(ModelError(.notConfigured(reason))), isHalfPrice: false)
            case .cancelled: return Answer(result: .failure(ModelError(.cancelled)), isHalfPrice: false)
            }
        }
        return await askDirectly(request, id)
    }

    private func askDirectly(_ request: ModelRequest, _ tier: String) async -> Answer {
        do throws(ModelError) {
            return Answer(result: .success(try await direct(request, tier)), isHalfPrice: false)
        } catch {
            return Answer(result: .failure(error), isHalfPrice: false)
        }
    }

    private func model(for request: ModelRequest, _ tier: String) -> (any BatchModel)? {
        (catalogue.candidates(for: tier) ?? []).lazy.compactMap { self.models[$0.id] }
            .first { (try? $0.line(request, customID: "d-")) != nil }
    }

    // MARK: Lines

    private func outcome(of line: Line, _ model: String) async -> Outcome {
        if let known = outcomes[line.customID] { return known }
        guard !isClosed else { return .cancelled }
        return await withCheckedContinuation { continuation in
            waiters[line.customID, default: []].append(continuation)
            let isOnItsWay = batches.values.contains { $0.customIDs.contains(line.customID) }
            guard waiters[line.customID]?.count == 1, !isOnItsWay else { return }
            gathering[model, default: []].append(line)
            let count = gathering[model]?.count ?? 0
            begin { await $0.seal(model, after: count) }
        }
    }

    func settle(_ customID: String, _ outcome: Outcome) {
        outcomes[customID] = outcome
        for waiter in waiters.removeValue(forKey: customID) ?? [] { waiter.resume(returning: outcome) }
    }

    private func begin(_ work: @escaping @Sendable (isolated BatchedCalls) async -> Void) {
        tasks.append(Task { await work(self) })
    }

    /// Seals what has gathered for a model, unless a line came after the given number of them.
    private func seal(_ model: String, after count: Int) async {
        guard (try? await clock.sleep(bounds.gatherHurried)) != nil, gathering[model]?.count == count,
            let maker = models[model], let lines = gathering.removeValue(forKey: model)
        else { return }
        for part in parts(of: lines, maker) {
            let now = now
            let print = SHA256.hex(JSON.array(part.map(\.value)).utf8)
            let batch = ModelBatch(
                id: String(print.prefix(40)), provider: maker.description.provider.rawValue, model: model,
                lines: part.count, fingerprint: print, firstLineAt: now, sealedAt: now)
            values[batch.id] = part.map(\.value)
            batches[batch.id] = Kept(batch: batch, customIDs: part.map(\.customID))
            onEvent(.sealed(batch))
            begin { await $0.work(on: batch.id) }
        }
    }

    private func parts(of lines: [Line], _ model: any BatchModel) -> [[Line]] {
        let limit = min(model.largestBatch, bounds.bytes)
        var parts: [[Line]] = lines.filter(\.isAlone).map { [$0] }
        var (part, bytes) = ([Line](), 0)
        for line in lines.filter({ !$0.isAlone }).sorted(by: { $0.customID < $1.customID }) {
            let size = line.value.utf8.count
            if !part.isEmpty, part.count == bounds.lines || bytes + size > limit {
                parts.append(part)
                (part, bytes) = ([], 0)
            }
            part.append(line)
            bytes += size
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}
