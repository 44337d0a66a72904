internal import Agents
internal import Basics
package import HTTP
internal import JSON
package import JobQueue
package import LanguageModels
package import Simulator

/// Asks models for answers: one model, a tier, or a provider's model of a tier.
package struct ModelClient: Sendable {
    package typealias Ask =
        @Sendable (_ request: ModelRequest, _ tierOrModel: String) async throws(ModelError) -> ModelResponse

    private let catalogue: ModelCatalogue
    private let ask:
        @Sendable (_ request: ModelRequest, _ tierOrModel: String, _ key: String) async -> BatchedCalls.Answer

    package init(_ catalogue: ModelCatalogue, ask: @escaping Ask) {
        self.catalogue = catalogue
        self.ask = { request, tier, _ in
            do throws(ModelError) {
                return .init(result: .success(try await ask(request, tier)), isHalfPrice: false)
            } catch {
                return .init(result: .failure(error), isHalfPrice: false)
            }
        }
    }

    /// Asks by batch, at half the price.
    package init(_ catalogue: ModelCatalogue, batches: BatchedCalls) {
        self.catalogue = catalogue
        ask = { request, tier, key in await batches.respond(to: request, tier: tier, key: key) }
    }

    package init(_ catalogue: ModelCatalogue, router: ModelRouter) {
        self.init(catalogue) { request, tier async throws(ModelError) in
            try await router.respond(to: request, tier: tier)
        }
    }

    /// Asks once: a provider's model of the request's tier, or the first that can serve.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - provider: The provider; `nil` for the first that can serve.
    ///   - key: The file that will hold the answer: a command that goes on with its batches asks with the same one.
    ///   - time: The time for the recording.
    /// - Returns: The answer or the unusable answer that came, not redacted.
    /// - Throws: `ModelError` when no answer came.
    func record(
        _ request: CanonicalRequest, provider: ModelProvider?, key: String, at time: String
    ) async throws(ModelError) -> Recording {
        try await record(request, by: try model(of: request.tier, provider: provider), key: key, at: time)
    }

    /// Asks a side of a live run once.
    func record(
        _ request: CanonicalRequest, side: LiveSide, key: String, at time: String
    ) async throws(ModelError) -> Recording {
        switch side {
        case .provider(let provider): try await record(request, provider: provider, key: key, at: time)
        case .model(let model): try await record(request, by: model, key: key, at: time)
        }
    }

    private func record(
        _ request: CanonicalRequest, by model: String, key: String, at time: String
    ) async throws(ModelError) -> Recording {
        let answer = await ask(request.request, model, key)
        var recording: Recording
        do throws(ModelError) {
            let response = try answer.result.get()
            recording = Recording(
                requestHash: request.hash, outcome: .answered, isSimulated: response.isSimulated, recordedAt: time,
                response: response)
        } catch {
            guard let outcome = AnswerOutcome(error.kind), let answer = error.answer else { throw error }
            recording = Recording(
                requestHash: request.hash, outcome: outcome, detail: AnswerOutcome.detail(of: error.kind),
                problem: error.isWorthRepairing ? error.description : nil, isSimulated: answer.isSimulated,
                recordedAt: time, response: answer)
        }
        recording.isHalfPrice = answer.isHalfPrice
        return recording
    }

    private func model(of tier: String, provider: ModelProvider?) throws(ModelError) -> String {
        guard let provider else { return tier }
        guard let model = catalogue.candidates(for: tier)?.first(where: { $0.provider == provider }) else {
            throw ModelError(.notConfigured("the tier '\(tier)' has no model of '\(provider.rawValue)'"))
        }
        return model.id
    }
}

extension ModelResponse {
    /// The simulator marks the ids of its answers, so that it is recognised at any address.
    var isSimulated: Bool {
        ["msg_sim_", "sim-", "chatcmpl-sim-"].contains { self.id?.hasPrefix($0) == true }
    }
}

extension Recording {
    /// The recording without secrets and personal data.
    ///
    /// - Throws: When it cannot be read back; nothing not redacted must be kept then.
    func redacted(by redactor: Redactor) throws(Failure) -> Recording {
        var copy = self
        copy.detail = detail.map(redactor.redact)
        copy.problem = problem.map(redactor.redact)
        do {
            copy.response = try ModelResponse(decoding: JSONField(redactor.redact(response.encoded)))
        } catch {
            throw .unreadable("\(error)")
        }
        return copy
    }
}

/// The batches of one command, a file each in a folder.
package struct BatchFiles: BatchFolder {
    private let path: String

    package init(path: String) { self.path = path }

    private func file(_ batch: String) -> String { "\(path)/\(batch).json" }

    package func texts() -> [String] { Files.names(in: path).compactMap { Files.text(at: "\(path)/\($0)") } }

    package func keep(_ text: String, of batch: String) throws(StoreError) {
        do { try Files.write(text, to: file(batch)) } catch { throw .unexpected(reason: "\(error)") }
    }

    package func remove(_ batch: String) throws(StoreError) {
        do { try Files.remove(file(batch)) } catch { throw .unexpected(reason: "\(error)") }
    }
}

/// A simulator for cases whose answer no real service gives on demand, and for work without keys.
package actor SimulatedModelClient {
    private let catalogue: ModelCatalogue
    private let faults: [FaultRule]
    private var running: Running?

    private struct Running {
        var simulator: Simulator
        var transport: HTTPClient
        var configuration: ModelsConfiguration
        var models: ModelClient
    }

    /// - Parameters:
    ///   - catalogue: The models that it calls.
    ///   - faults: The faults that `client()` injects, to test the report of a live run.
    package init(_ catalogue: ModelCatalogue, faults: [FaultRule] = []) {
        self.catalogue = catalogue
        self.faults = faults
    }

    /// Calls the simulator, which makes the mistake that the case requires.
    ///
    /// - Throws: `ModelError`; `connection` when the simulator cannot listen.
    func record(
        _ request: CanonicalRequest, provider: ModelProvider?, simulation: PromptCase.Simulation?, at time: String
    ) async throws(ModelError) -> Recording {
        let running = try start()
        running.simulator.faults.clear()
        if let simulation { running.simulator.faults.add(FaultRule(simulation.fault)) }
        return try await running.models.record(request, provider: provider, key: "", at: time)
    }

    /// A client of the simulator, which makes no mistakes except the configured faults.
    ///
    /// - Throws: `ModelError` when the simulator cannot listen.
    package func client() throws(ModelError) -> ModelClient {
        let running = try start()
        running.simulator.faults.clear()
        for fault in faults { running.simulator.faults.add(fault) }
        return running.models
    }

    /// The configuration by which other clients reach the simulator, and their transport.
    ///
    /// - Throws: `ModelError` when the simulator cannot listen.
    package func endpoints() throws(ModelError) -> (configuration: ModelsConfiguration, transport: HTTPClient) {
        let running = try start()
        return (running.configuration, running.transport)
    }

    package func stop() async {
        guard let running else { return }
        self.running = nil
        await running.transport.shutdown()
        await running.simulator.stop()
    }

    private func start() throws(ModelError) -> Running {
        if let running { return running }
        let simulator = Simulator()
        let url: String
        do {
            url = try simulator.start()
        } catch {
            throw ModelError(.connection("the simulator cannot listen: \(error)"))
        }
        let key = Secret("simulated")
        let configuration = ModelsConfiguration(
            claude: .init(key: key, baseURL: url), gemini: .init(key: key, baseURL: url),
            openai: .init(key: key, baseURL: url + "/openai/v1"))
        let transport = HTTPClient()
        let models = ModelClient(
            catalogue, router: ModelRouter(catalogue, configuration: configuration, transport: transport))
        let running = Running(
            simulator: simulator, transport: transport, configuration: configuration, models: models)
        self.running = running
        return running
    }
}

extension PromptCase.Simulation {
    fileprivate var fault: FaultAction {
        switch self {
        case .refusal: .refusal
        case .truncation: .truncation
        case .brokenSchema: .brokenSchema
        case .invalidJSON: .invalidJSON
        case .emptyAnswer: .emptyContent
        case .inventedFigure: .inventedFigure
        }
    }
}
