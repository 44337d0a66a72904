import Broker
import HTTPServer
import Observability
import Worker

/// Serves the metrics of a worker process: `GET /metrics`, and `/health` for whoever watches the process.
struct MetricsListener: Sendable {
    private let server: HTTPServer
    let url: String

    /// Starts to listen.
    init(on address: String, _ metrics: WorkerMetrics, _ telemetry: Telemetry?) throws(CommandFailure) {
        var configuration = HTTPServerConfiguration(address: address)
        configuration.maximumConnections = 100
        let answers = BareAnswers.metrics { text in
            metrics.writeProcess(to: &text)
            telemetry?.write(to: &text)
        }
        server = HTTPServer(configuration: configuration, handler: answers.handler)
        do {
            url = try server.start().url
        } catch {
            throw .failed("--metrics: \(error)")
        }
    }

    func stop() async { await server.shutdown(grace: .zero) }
}

extension WorkerMetrics {
    /// What a process shows of itself and of its workers.
    func writeProcess(to text: inout PrometheusText) {
        text.family("dossier_build_info", .gauge, "The version and the commit of this process; always 1.")
        text.sample("dossier_build_info", 1, [("version", BuildInfo.version), ("commit", BuildInfo.commit)])
        ProcessFigures()?.write(to: &text)
        write(to: &text)
    }
}
