import Broker
import HTTP
import HTTPServer
import JobQueue
import Observability
import Prompts
import Worker

extension Command {
    static let serve = Command(
        path: ["serve"], summary: "Run a broker with a worker inside",
        options: [
            .listen, .database,
            Option("--workers", "N", "Workers inside this process; 0 for a broker alone (default 1)"), .concurrency,
            .verbose,
        ],
        notes: """
            SIGTERM drains: nothing new is claimed, running jobs finish or are handed back. SIGHUP takes up changed
            prompts, personas and job kinds for the jobs to come.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        if case .development = settings.authentication, !ListenAddress.isLoopback(settings.listen) {
            throw CommandFailure.usage(
                "with DOSSIER_AUTH=development anybody who reaches \(settings.listen) is any user; "
                    + "listen on 127.0.0.1 or use DOSSIER_AUTH=gateway")
        }
        let workers = try invocation.integer("--workers", in: 0...16, default: 1)
        let composition = Composition(settings: settings, logger: invocation.logger)
        try await ServeCommand(
            composition: composition, workers: workers, configuration: try invocation.workerConfiguration()
        ).run()
    }
}

/// `dossier serve`.
struct ServeCommand: Sendable {
    let composition: Composition
    let workers: Int
    let configuration: WorkerConfiguration

    func run() async throws {
        let signals = ProcessSignals.stream()
        let bundle = try composition.loadBundle()
        let store = try await composition.openStore()
        let transport = HTTPClient()
        let tracer = composition.tracer(over: transport)
        let service = try await BrokerService.start(
            composition, bundle: bundle, store: store, transport: transport, hasWorker: workers > 0, tracer: tracer)
        var running: [Worker] = []
        for _ in 0..<workers {
            running.append(
                try composition.worker(
                    over: store, transport: transport, configuration: configuration, tracer: tracer))
        }
        composition.logger.info("listening", ["url": .string(service.url), "bundle": .string(bundle.hash)])
        await withTaskGroup { group in
            group.addTask { await service.broker.run() }
            group.addTask { await tracer?.run() }
            await withTaskGroup { workers in
                for worker in running { workers.addTask { await worker.run() } }
                for await signal in signals {
                    if signal == .stop { break }
                    await reload(service.bundle)
                }
                // Clients may read and follow jobs until the last worker is done; nothing is cancelled before.
                for worker in running { worker.drain() }
                await workers.waitForAll()
            }
            await service.server.shutdown(grace: .seconds(5))
            group.cancelAll()
        }
        await transport.shutdown()
        await store.close()
        composition.logger.info("stopped")
    }

    /// Takes up changed content files; an invalid set changes nothing and is reported whole.
    private func reload(_ current: CurrentBundle) async {
        do {
            let bundle = try composition.loadBundle()
            try await current.replace(with: bundle)
            composition.logger.info("took up the content files", ["bundle": .string(bundle.hash)])
        } catch {
            composition.logger.error("kept the old content files", ["reason": "\(error)"])
        }
    }
}
