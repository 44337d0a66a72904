import Broker
import HTTP
import HTTPServer
import JobQueue
import Observability
import Prompts
import Worker

extension Command {
    static let serve = Command(
        path: ["serve"], summary: "Run a broker and a worker in one process",
        options: [
            .listen, .database,
            Option("--workers", "N", "The workers in this process; 0 for only a broker (default 1)"), .concurrency,
            .verbose,
        ],
        notes: """
            SIGTERM drains: no further job is claimed, and running jobs finish or return to the queue. SIGHUP reloads
            prompts, personas and job kinds for future jobs.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        for listen in [settings.listen] + (settings.adminListen.map { [$0] } ?? []) {
            if case .development = settings.authentication, !ListenAddress.isLoopback(listen) {
                throw CommandFailure.usage(
                    "with DOSSIER_AUTH=development every client of \(listen) could act as any user; "
                        + "listen on 127.0.0.1 or use DOSSIER_AUTH=gateway")
            }
        }
        let workers = try invocation.integer("--workers", in: 0...16, default: 1)
        let composition = Composition(settings: settings, logger: invocation.logger)
        try await ServeCommand(
            composition: composition, workers: workers, configuration: try invocation.workerConfiguration(settings)
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
        let plans = CurrentPlans(try composition.loadPlans())
        let store = try await composition.openStore(migrations: .apply)
        let transport = HTTPClient()
        let tracer = composition.tracer(over: transport)
        let service = try await BrokerService.start(
            composition, bundle: bundle, plans: plans, store: store, transport: transport, hasWorker: workers > 0,
            tracer: tracer)
        var running: [Worker] = []
        for _ in 0..<workers {
            running.append(
                try composition.worker(
                    over: store, transport: transport, configuration: configuration, plans: plans, tracer: tracer))
        }
        composition.logger.info("listening", ["url": .string(service.url), "bundle": .string(bundle.hash)])
        if let url = service.adminURL { composition.logger.info("listening for operators", ["url": .string(url)]) }
        if case .development = composition.settings.authentication {
            composition.logger.warning(
                "nobody signs in: every client of this machine may act as any user", ["setting": "DOSSIER_AUTH"])
        }
        await withTaskGroup { group in
            group.addTask { await service.broker.run() }
            group.addTask { await tracer?.run() }
            if running.isEmpty {
                group.addTask { await FleetWatch(store: store, logger: composition.logger).run() }
            }
            await withTaskGroup { workers in
                for worker in running { workers.addTask { await worker.run() } }
                for await signal in signals {
                    if signal == .stop { break }
                    await reload(service.bundle, plans)
                }
                // The server runs until the last worker has drained, so that clients can follow their jobs.
                for worker in running { worker.drain() }
                await workers.waitForAll()
            }
            await service.shutdown(grace: .seconds(5))
            group.cancelAll()
        }
        await transport.shutdown()
        await store.close()
        composition.logger.info("stopped")
    }

    /// Reloads the content files and the plans. An invalid set changes nothing and is logged.
    private func reload(_ current: CurrentBundle, _ currentPlans: CurrentPlans) async {
        do {
            let plans = try composition.loadPlans()
            let bundle = try composition.loadBundle()
            try await current.replace(with: bundle)
            currentPlans.replace(with: plans)
            composition.logger.info("reloaded the content files", ["bundle": .string(bundle.hash)])
        } catch {
            composition.logger.error("cannot reload the content files; keeping the old ones", ["reason": "\(error)"])
        }
    }
}

extension Command {
    static let worker = Command(
        path: ["worker"], summary: "Run a worker process for a broker",
        options: [
            .database, .concurrency, .verbose,
            Option("--attached", nil, "End when standard input closes, which happens when the parent process ends"),
        ],
        notes: "SIGTERM drains: no further job is claimed, and running jobs finish or return to the queue."
    ) { invocation in
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let configuration = try invocation.workerConfiguration(settings)
        let composition = Composition(settings: settings, logger: invocation.logger)
        let signals = ProcessSignals.stream()
        if invocation.has("--attached") { ParentWatch.endWithStandardInput() }
        let store = try await composition.openStore(migrations: .apply)
        let transport = HTTPClient()
        let tracer = composition.tracer(over: transport)
        let worker = try composition.worker(
            over: store, transport: transport, configuration: configuration,
            plans: CurrentPlans(try composition.loadPlans()), tracer: tracer)
        await withTaskGroup { group in
            group.addTask {
                for await signal in signals where signal == .stop { break }
                worker.drain()
            }
            group.addTask { await tracer?.run() }
            await worker.run()
            group.cancelAll()
        }
        await transport.shutdown()
        await store.close()
    }
}
