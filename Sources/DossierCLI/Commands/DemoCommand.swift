import Broker
import Foundation
import HTTP
import HTTPServer
import JobQueue
import JSON
import Observability
import Simulator

extension Command {
    static let demo = Command(
        path: ["demo"], summary: "Run one research job from request to report",
        options: [
            Option("--ticker", "TICKER", "The company (default AAPL)"),
            Option("--persona", "ID", "The persona of the report (default buffett)"),
            Option("--live", nil, "Use the real services; needs a provider's key and SEC_USER_AGENT"),
        ],
        notes: """
            Starts a simulator, a broker and a separate worker process with a temporary database, submits a job, prints
            its report, and stops everything.
            """
    ) { invocation in
        try await DemoCommand(
            ticker: invocation.options["--ticker"] ?? "AAPL", persona: invocation.options["--persona"] ?? "buffett",
            isLive: invocation.has("--live"), environment: invocation.environment
        ).run()
    }
}

/// `dossier demo`.
struct DemoCommand: Sendable {
    let ticker: String
    let persona: String
    let isLive: Bool
    let environment: [String: String]

    func run() async throws {
        // Handle signals from the start, so that Ctrl-C leaves no process or file.
        let signals = ProcessSignals.stream()
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let simulator = isLive ? nil : Simulator(SimulatorConfiguration(pacing: Pacing(tokensPerSecond: 600)))
        do {
            try await run(in: folder.path, simulator, signals)
        } catch {
            await simulator?.stop()
            let log = folder.appending(path: "worker.log").path
            if let text = try? String(contentsOfFile: log, encoding: .utf8), !text.isEmpty {
                Terminal.printError(
                    "The last lines of the worker's log:\n"
                        + text.split(separator: "\n").suffix(8).joined(separator: "\n"))
            }
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        await simulator?.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private func run(
        in folder: String, _ simulator: Simulator?, _ signals: AsyncStream<ProcessSignals.Signal>
    ) async throws {
        let settings = try await settings(folder, simulator)
        let composition = Composition(
            settings: try Settings(environment: settings), logger: .standardError(threshold: .error))
        let store = try await composition.openStore(migrations: .apply)
        let transport = HTTPClient()
        let service = try await BrokerService.start(
            composition, bundle: try composition.loadBundle(), plans: CurrentPlans(try composition.loadPlans()),
            store: store, transport: transport, hasWorker: false)
        Terminal.print("Broker       \(service.url)")
        let worker = try WorkerProcess(environment: settings, log: folder + "/worker.log")
        Terminal.print("Worker       process \(worker.processID)")
        let connection = try BrokerConnection(url: service.url, user: "1")
        let outcome: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await service.broker.run() }
                group.addTask { try await show(connection, unless: signals) }
                // The broker serves until it is cancelled, so the demo ends first.
                try await group.next()
                group.cancelAll()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await worker.stop()
        await connection.close()
        await service.shutdown(grace: .seconds(1))
        await transport.shutdown()
        await store.close()
        try outcome.get()
    }

    /// The environment of broker and worker. Prints which services they use.
    private func settings(_ folder: String, _ simulator: Simulator?) async throws -> [String: String] {
        var settings = environment
        settings["DOSSIER_DATABASE_URL"] = "sqlite:\(folder)/dossier.db"
        settings["DOSSIER_LISTEN"] = "127.0.0.1:0"
        // What an operator has exported for a service of their own.
        for name in ["DOSSIER_AUTH", "DOSSIER_ADMIN_LISTEN", "DOSSIER_WORKER_DATABASES", "DOSSIER_USER_SLOTS"] {
            settings[name] = nil
        }
        guard let simulator else {
            guard
                ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_BASE_URL"].contains(where: {
                    settings[$0]?.isEmpty == false
                })
            else {
                throw CommandFailure.usage("--live needs ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL")
            }
            if settings["SEC_USER_AGENT"]?.isEmpty != false {
                throw CommandFailure.usage("--live needs SEC_USER_AGENT: your name and an address, as the SEC requires")
            }
            Terminal.print("Services     real, including SEC EDGAR")
            return settings
        }
        let url = try simulator.start()
        settings.merge(Simulator.environment(at: url)) { $1 }
        Terminal.print("Simulator    \(url), for the model, SEC EDGAR and prices")
        return settings
    }

    /// Runs the demo until Ctrl-C, so that everything is stopped in order.
    private func show(_ connection: BrokerConnection, unless signals: AsyncStream<ProcessSignals.Signal>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in signals where signal == .stop { throw CommandFailure.failed("interrupted") }
            }
            group.addTask { try await show(connection) }
            // The first to end decides.
            try await group.next()
            group.cancelAll()
        }
    }
}
