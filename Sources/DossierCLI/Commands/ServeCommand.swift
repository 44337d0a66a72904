import Basics
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
            .migrate, .verbose,
        ],
        notes: """
            A database without tables gets them; one of a version that this program cannot serve is refused. SIGTERM
            drains: no further job is claimed, and running jobs finish or return to the queue, within 20 seconds and 3
            more for what needs the database; so it does when its terminal is closed. SIGHUP reloads prompts, personas and
            job kinds for future jobs. The command waits for a database that is away; /health and /ready answer meanwhile.
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
        let telemetry = Telemetry(settings.telemetry)
        let composition = Composition(
            settings: settings, logger: telemetry?.logger(invocation.logger) ?? invocation.logger)
        let manager = ServiceManager(environment: invocation.environment)
        let serve = ServeCommand(
            composition: composition, telemetry: telemetry, workers: workers,
            configuration: try invocation.workerConfiguration(settings),
            manager: manager, migrations: invocation.migrations)
        try await manager.supervise { try await serve.run() }
    }
}

/// `dossier serve`.
struct ServeCommand: Sendable {
    let composition: Composition
    let telemetry: Telemetry?
    let workers: Int
    let configuration: WorkerConfiguration
    let manager: ServiceManager
    let migrations: MigrationPolicy

    func run() async throws {
        let starting = StartPhase()
        let signals = ProcessSignals.stream(from: starting)
        let bundle = try composition.loadBundle()
        let plans = CurrentPlans(try composition.loadPlans())
        let store = try await openStore()
        let transport = HTTPClient()
        let metrics = WorkerMetrics()
        let service = try await BrokerService.start(
            composition, bundle: bundle, plans: plans, store: store, transport: transport, hasWorker: workers > 0,
            telemetry: telemetry, metrics: metrics)
        var running: [Worker] = []
        for _ in 0..<workers {
            running.append(
                try composition.worker(
                    over: store, transport: transport, configuration: configuration, plans: plans,
                    tracer: telemetry?.tracer, metrics: metrics))
        }
        starting.end()
        composition.logger.info("listening", ["url": .string(service.url), "bundle": .string(bundle.hash)])
        if let url = service.adminURL { composition.logger.info("listening for operators", ["url": .string(url)]) }
        if case .development = composition.settings.authentication {
            composition.logger.warning(
                "nobody signs in: every client of this machine may act as any user", ["setting": "DOSSIER_AUTH"])
        }
        manager.send(.ready, .status("listening on \(service.url)"))
        if Terminal.isInteractive { Terminal.print(ServeHint(url: service.url, settings: composition.settings).text) }
        let limit = StopLimit(logger: composition.logger)
        await withTaskGroup { group in
            group.addTask { await service.broker.run() }
            group.addTask { await telemetry?.run(composition.logger) { await service.broker.metricsText() } }
            if running.isEmpty {
                group.addTask { await FleetWatch(store: store, logger: composition.logger, metrics: metrics).run() }
            }
            await withTaskGroup { workers in
                for worker in running { workers.addTask { await worker.run() } }
                for await signal in signals {
                    if signal == .stop { break }
                    await reload(service.bundle, plans)
                }
                manager.send(.stopping, .status("draining"))
                service.broker.announceStop()
                // The server runs until the last worker has drained, so that clients can follow their jobs.
                for worker in running { worker.drain() }
                limit.begin(running, drain: configuration.drainGrace)
                await workers.waitForAll()
            }
            limit.lift()
            await service.shutdown(grace: .seconds(5))
            limit.allow(StopLimit.grace)
            group.cancelAll()
        }
        await transport.shutdown()
        await store.close()
        limit.lift()
        composition.logger.info("stopped")
    }

    /// Opens the database. While it is away, a listener says so.
    private func openStore() async throws(CommandFailure) -> any Store {
        let listener = StartingListener(composition)
        let store: any Store
        do {
            store = try await composition.waitForStore(migrations) {
                listener.start()
                manager.send(.ready, .status("waiting for the database"))
            }
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
        return store
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
            var problems = "\(error)".split(separator: "\n").map(String.init)
            if case CommandFailure.failed(let text)? = error as? CommandFailure {
                problems = text.split(separator: "\n").map(String.init)
                // The first line is the head of a list.
                if problems.count > 1, problems[0].hasSuffix(":") { problems.removeFirst() }
            }
            let now = Timestamp(milliseconds: WallClock.milliseconds())
            current.refuse(RefusedReload(at: now, problems: problems))
            composition.logger.error("cannot reload the content files; keeping the old ones", ["reason": "\(error)"])
        }
    }
}

extension Command {
    static let worker = Command(
        path: ["worker"], summary: "Run a worker process for a broker",
        options: [
            .database, .concurrency, .migrate, .verbose,
            Option("--metrics", "HOST:PORT", "Serve this worker's metrics at /metrics there (default: nowhere)"),
            Option("--attached", nil, "End when standard input closes, which happens when the parent process ends"),
        ],
        notes: """
            A database without tables gets them; one of a version that this program cannot serve is refused. SIGTERM
            drains: no further job is claimed, and running jobs finish or return to the queue, within 20 seconds and 3
            more for what needs the database. The command waits for a database that is away. DOSSIER_WORKER_DATABASES
            names several databases, which get a worker each.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let configuration = try invocation.workerConfiguration(settings)
        let telemetry = Telemetry(settings.telemetry)
        let composition = Composition(
            settings: settings, logger: telemetry?.logger(invocation.logger) ?? invocation.logger)
        let starting = StartPhase()
        let signals = ProcessSignals.stream(from: starting)
        if invocation.has("--attached") { ParentWatch.endWithStandardInput() }
        let manager = ServiceManager(environment: invocation.environment)
        let metrics = WorkerMetrics()
        let listener = try invocation.options["--metrics"].map { address throws(CommandFailure) in
            let checked: String
            do throws(ConfigurationError) {
                checked = try ListenAddress.checked(address)
            } catch {
                throw .usage("--metrics \(error.message)")
            }
            return try MetricsListener(on: checked, metrics, telemetry)
        }
        if let listener { composition.logger.info("serving metrics", ["url": .string(listener.url + "/metrics")]) }
        let workers = DatabaseWorkers(
            composition, configuration: configuration, migrations: invocation.migrations, manager: manager)
        try await manager.supervise {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    await telemetry?.run(composition.logger) {
                        var text = PrometheusText()
                        metrics.writeProcess(to: &text)
                        telemetry?.write(to: &text)
                        return text.text
                    }
                }
                try await workers.run(signals, starting, tracer: telemetry?.tracer, metrics: metrics)
                group.cancelAll()
            }
        }
        await listener?.stop()
    }
}
