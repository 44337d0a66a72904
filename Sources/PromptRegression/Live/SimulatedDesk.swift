internal import HTTP
package import LanguageModels
internal import Basics
package import Simulator

/// A simulator of its own for cases whose answer cannot be ordered from a real service, and for whoever has no key.
package actor SimulatedModelClient {
    private let catalogue: ModelCatalogue
    private let faults: [FaultRule]
    private var running: (simulator: Simulator, client: HTTPClient, desk: ModelClient)?

    /// - Parameters:
    ///   - catalogue: The models that it speaks for.
    ///   - faults: What `desk()` does wrong now and then, to see what a live run makes of it.
    package init(_ catalogue: ModelCatalogue, faults: [FaultRule] = []) {
        self.catalogue = catalogue
        self.faults = faults
    }

    /// Asks the simulator, which does wrong what the case wants.
    ///
    /// - Throws: `ModelError`; `connection` when the simulator cannot listen.
    func record(
        _ request: CanonicalRequest, provider: ModelProvider?, simulation: PromptCase.Simulation?, at time: String
    ) async throws(ModelError) -> Recording {
        let (simulator, _, desk) = try start()
        simulator.faults.clear()
        if let simulation { simulator.faults.add(FaultRule(simulation.fault)) }
        return try await desk.record(request, provider: provider, at: time)
    }

    /// The simulator as a desk that answers everything as well as it can, but for the faults that were ordered.
    ///
    /// - Throws: `ModelError` when it cannot listen.
    package func desk() throws(ModelError) -> ModelClient {
        let running = try start()
        running.simulator.faults.clear()
        for fault in faults { running.simulator.faults.add(fault) }
        return running.desk
    }

    package func stop() async {
        guard let running else { return }
        self.running = nil
        await running.client.shutdown()
        await running.simulator.stop()
    }

    private func start() throws(ModelError) -> (simulator: Simulator, client: HTTPClient, desk: ModelClient) {
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
        let client = HTTPClient()
        let router = ModelRouter(catalogue, configuration: configuration, transport: client)
        let desk = ModelClient(catalogue, router: router)
        running = (simulator, client, desk)
        return (simulator, client, desk)
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
