import Broker
import HTTP
import JobQueue
import Observability
import Synchronization
import Worker

/// The workers of a process, one for each of its databases.
///
/// Each has connections, heartbeats, claims, schedules and places of its own: with places in common, jobs that wait for a
/// slow database would take those of the others. A database that is away is joined when it answers, and nothing waits
/// for it, neither the others nor a stop.
final class DatabaseWorkers: Sendable {
    private struct State {
        var workers: [Worker] = []
        var isStopping = false
    }

    private typealias Opened = (composition: Composition, store: any Store)

    private let compositions: [Composition]
    private let configuration: WorkerConfiguration
    private let migrations: MigrationPolicy
    private let manager: ServiceManager
    private let logger: Logger
    private let state = Mutex(State())

    /// The pause before another try with a database that an operator has to mend, beside others that work.
    private static let mendingPause: Duration = .seconds(10)

    init(
        _ composition: Composition, configuration: WorkerConfiguration, migrations: MigrationPolicy,
        manager: ServiceManager
    ) {
        let databases = composition.settings.workerDatabases
        compositions = databases.map { database in
            var settings = composition.settings
            settings.database = database
            // A process with one database names it nowhere else.
            let logger =
                databases.count == 1
                ? composition.logger : composition.logger.with(["database": .string(database.shown)])
            return Composition(settings: settings, logger: logger)
        }
        (self.configuration, self.migrations, self.manager) = (configuration, migrations, manager)
        logger = composition.logger
    }

    /// Works until a signal stops it.
    ///
    /// - Parameters:
    ///   - signals: The signals of the process.
    ///   - starting: Ends with the first worker.
    ///   - tracer: Records traces of jobs.
    ///   - metrics: Counts what all workers do.
    /// - Throws: The failure that only an operator can mend, if it is of the only database or of the settings.
    func run(
        _ signals: AsyncStream<ProcessSignals.Signal>, _ starting: StartPhase, tracer: Tracer?, metrics: WorkerMetrics
    ) async throws {
        let plans = CurrentPlans(try compositions[0].loadPlans())
        let transport = HTTPClient()
        let limit = StopLimit(logger: logger)
        let (opened, continuation) = AsyncThrowingStream.makeStream(of: Opened.self)
        // Outside of the group, which would wait for tries to connect that nothing interrupts.
        let joins = compositions.map { composition in
            Task { await self.join(composition, continuation) }
        }
        let stop = Task { [self] in
            for await signal in signals where signal == .stop { break }
            manager.send(.stopping, .status("draining"))
            for join in joins { join.cancel() }
            continuation.finish()
            limit.begin(drain(), drain: configuration.drainGrace)
        }
        defer { stop.cancel() }
        let stores = try await withThrowingTaskGroup(of: Void.self) { group in
            var stores: [any Store] = []
            for try await (composition, store) in opened {
                stores.append(store)
                let worker = try composition.worker(
                    over: store, transport: transport, configuration: configuration, plans: plans, tracer: tracer,
                    metrics: metrics)
                guard add(worker) else { break }
                starting.end()
                manager.send(.ready, .status("running jobs"))
                group.addTask { await worker.run() }
            }
            try await group.waitForAll()
            return stores
        }
        limit.allow(StopLimit.grace)
        await transport.shutdown()
        for store in stores { await store.close() }
        limit.lift()
    }

    /// Opens a database, as soon as that can be done.
    private func join(
        _ composition: Composition, _ opened: AsyncThrowingStream<Opened, any Error>.Continuation
    ) async {
        while !Task.isCancelled {
            do throws(CommandFailure) {
                let store = try await composition.waitForStore(migrations) { [manager] in
                    manager.send(.ready, .status("waiting for the database"))
                }
                opened.yield((composition, store))
                return
            } catch {
                if Task.isCancelled { return }
                if compositions.count == 1 { return opened.finish(throwing: error) }
                composition.logger.error(
                    "this database cannot be served; trying again", ["reason": .string(error.text)])
            }
            try? await Task.sleep(for: Self.mendingPause)
        }
    }

    /// Adds a worker; false when the process stops.
    private func add(_ worker: Worker) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.workers.append(worker)
            return true
        }
    }

    /// Lets all workers drain and no other one begin.
    private func drain() -> [Worker] {
        let workers = state.withLock { state in
            state.isStopping = true
            return state.workers
        }
        for worker in workers { worker.drain() }
        return workers
    }
}
