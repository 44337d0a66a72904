import HTTP
import JobQueue
import Observability
import Worker

extension Command {
    static let worker = Command(
        path: ["worker"], summary: "Run a worker process beside a broker",
        options: [
            .database, .concurrency, .verbose,
            Option("--attached", nil, "End at once when standard input ends, as with the process that started it"),
        ],
        notes: "SIGTERM drains: nothing new is claimed, running jobs finish or are handed back."
    ) { invocation in
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let configuration = try invocation.workerConfiguration()
        let composition = Composition(settings: settings, logger: invocation.logger)
        let signals = ProcessSignals.stream()
        if invocation.has("--attached") { ParentWatch.endWithStandardInput() }
        let store = try await composition.openStore()
        let transport = HTTPClient()
        let tracer = composition.tracer(over: transport)
        let worker = try composition.worker(
            over: store, transport: transport, configuration: configuration, tracer: tracer)
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
