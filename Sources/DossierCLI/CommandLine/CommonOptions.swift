import Observability
import Worker

extension Command.Option {
    static let database = Command.Option(
        "--database", "URL", "Where the database is (DOSSIER_DATABASE_URL; default sqlite:var/dossier.db)")
    static let listen = Command.Option(
        "--listen", "HOST:PORT", "Where to listen (DOSSIER_LISTEN; default 127.0.0.1:5001)")
    static let concurrency = Command.Option("--concurrency", "N", "Jobs that a worker runs at once (default 200)")
    static let verbose = Command.Option("--verbose", nil, "Log every request too")
    static let json = Command.Option("--json", nil, "Print JSON")
    static let server = Command.Option("--server", "URL", "The broker (default: where DOSSIER_LISTEN says)")
    static let user = Command.Option("--user", "ID", "Who asks (default 1)")
}

extension Invocation {
    /// The log of a long-running command: JSON lines to standard error.
    var logger: Logger { .standardError(threshold: has("--verbose") ? .debug : .info) }

    func workerConfiguration() throws(CommandFailure) -> WorkerConfiguration {
        var configuration = WorkerConfiguration()
        configuration.concurrency = try integer("--concurrency", in: 1...10_000, default: configuration.concurrency)
        configuration.interactiveReserve = min(configuration.interactiveReserve, configuration.concurrency / 4)
        return configuration
    }
}
