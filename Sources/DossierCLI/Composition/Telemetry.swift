import Basics
import Foundation
import Glibc
import HTTP
import Observability

/// What a process sends to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names: traces, metrics and logs.
struct Telemetry: Sendable {
    let tracer: Tracer?
    private let logs: LogExporter?
    private let metrics: MetricExporter?
    /// A transport of its own: a collector that hangs holds up no other request.
    private let transport: HTTPClient

    /// `nil` without a collector.
    init?(_ settings: TelemetrySettings) {
        guard let endpoint = settings.endpoint else { return nil }
        let transport = HTTPClient()
        let collector = OTLPCollector(
            endpoint: endpoint, headers: settings.headers, resource: settings.resource + Self.process,
            transport: transport)
        self.transport = transport
        let clock: @Sendable () -> Int64 = { WallClock.milliseconds() }
        tracer = settings.signals.contains(.traces) ? Tracer(to: collector, milliseconds: clock) : nil
        logs = settings.signals.contains(.logs) ? LogExporter(to: collector, milliseconds: clock) : nil
        metrics =
            settings.signals.contains(.metrics)
            ? MetricExporter(to: collector, every: settings.metricInterval, milliseconds: clock) : nil
    }

    /// The attributes of this process beside those that the settings name.
    private static var process: [(String, Span.Attribute)] {
        [
            ("service.version", .text(BuildInfo.version)),
            ("service.instance.id", .text(UUID().uuidString.lowercased())),
            ("host.name", .text(ProcessInfo.processInfo.hostName)), ("process.pid", .integer(Int64(getpid()))),
        ]
    }

    /// A logger whose lines go to the collector, too.
    func logger(_ logger: Logger) -> Logger { logs.map { logs in logger.also { logs.add($0) } } ?? logger }

    /// Sends until the task is cancelled, and then what is left, within two seconds.
    ///
    /// - Parameters:
    ///   - logger: Is told, at most once a minute, that the collector does not take what is sent.
    ///   - read: Returns the metrics of the process in Prometheus's text format.
    func run(_ logger: Logger, _ read: @escaping @Sendable () async -> String) async {
        await withTaskGroup { group in
            group.addTask { await tellOfLoss(logger) }
            group.addTask { await tracer?.run() }
            group.addTask { await logs?.run() }
            group.addTask { await metrics?.run(read) }
        }
        await transport.shutdown()
    }

    private static let lossInterval: Duration = .seconds(5)
    private static let lossPause: Duration = .seconds(60)

    /// What each signal lost.
    private var losses: [(signal: String, count: Int?)] {
        [("traces", tracer?.dropped), ("logs", logs?.dropped), ("metrics", metrics?.dropped)]
    }

    private func tellOfLoss(_ logger: Logger) async {
        var told = 0
        while (try? await Task.sleep(for: Self.lossInterval)) != nil {
            let dropped = losses.compactMap(\.count).reduce(0, +)
            guard dropped > told else { continue }
            told = dropped
            logger.warning(
                "the collector does not take what is sent",
                ["setting": "OTEL_EXPORTER_OTLP_ENDPOINT", "dropped": .integer(Int64(told))])
            guard (try? await Task.sleep(for: Self.lossPause)) != nil else { return }
        }
    }

    /// What was dropped, because the collector did not take it or too much waited.
    func write(to text: inout PrometheusText) {
        text.family(
            "dossier_telemetry_dropped_total", .counter, "What the collector did not take: spans, lines, readings.")
        for (signal, count) in losses {
            if let count { text.sample("dossier_telemetry_dropped_total", count, [("signal", signal)]) }
        }
    }
}
