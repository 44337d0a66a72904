import Basics
import HTTP
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import Observability

/// Metrics and logs on their way to a collector, and traces that begin at a client.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TelemetryTests {
    /// A collector on loopback that keeps what it receives, by path.
    private final class Collector: Sendable {
        private let state = Mutex<[String: [JSON]]>([:])
        private let server: Mutex<HTTPServer?> = Mutex(nil)

        func bodies(at path: String) -> [JSON] { state.withLock { $0[path] ?? [] } }

        func start() throws -> String {
            let server = HTTPServer(configuration: HTTPServerConfiguration(address: "127.0.0.1:0")) { request in
                let body = (try? JSON(parsing: request.body)) ?? .null
                self.state.withLock { $0[request.path, default: []].append(body) }
                return ServerResponse(status: 200, headers: [:], bytes: Array("{}".utf8))
            }
            self.server.withLock { $0 = server }
            return try server.start().url
        }

        func stop() async { await server.withLock { $0 }?.shutdown(grace: .zero) }
    }

    private func with(_ body: (Collector, OTLPCollector) async throws -> Void) async throws {
        let (collector, client) = (Collector(), HTTPClient())
        let otlp = OTLPCollector(
            endpoint: try collector.start(), resource: [("service.name", .text("mine")), ("zone", .text("b"))],
            transport: client)
        try await body(collector, otlp)
        await client.shutdown()
        await collector.stop()
    }

    @Test func metricsReachTheCollectorAsTheyAreWrittenForPrometheus() async throws {
        try await with { collector, otlp in
            var text = PrometheusText()
            text.family("dossier_jobs", .gauge, "Jobs that are ready.")
            text.sample("dossier_jobs", 7, [("kind", #"a "b" \ c"#), ("state", "x,y=z")])
            text.family("dossier_calls_total", .counter, "Calls.")
            text.sample("dossier_calls_total", 3)
            text.family("dossier_seconds", .histogram, "Durations.")
            let histogram = Histogram(bounds: [.seconds(1), .seconds(2)])
            for seconds in [0.5, 1.5, 1.7, 9] { histogram.record(.seconds(seconds)) }
            text.sample("dossier_seconds", histogram, [("kind", "one")])
            text.sample("dossier_seconds", Histogram(bounds: [.seconds(1), .seconds(2)]), [("kind", "two")])
            let times = Mutex<[Int64]>([9_000, 1_000])
            let exporter = MetricExporter(to: otlp, every: .seconds(60)) { times.withLock { $0.popLast() ?? 0 } }
            await exporter.send(text.text)
            #expect(exporter.dropped == 0)
            let resource = try #require(collector.bodies(at: "/v1/metrics").first?["resourceMetrics"]?[0])
            #expect(resource["resource"]?["attributes"]?[1] == ["key": "zone", "value": ["stringValue": "b"]])
            let metrics = try #require(resource["scopeMetrics"]?[0]?["metrics"])
            let gauge = try #require(metrics[0]?["gauge"]?["dataPoints"]?[0])
            #expect(metrics[0]?["name"] == "dossier_jobs" && metrics[0]?["description"] == "Jobs that are ready.")
            #expect(gauge["asDouble"]?.double == 7 && gauge["timeUnixNano"] == "9000000000")
            #expect(
                gauge["attributes"] == [
                    ["key": "kind", "value": ["stringValue": #"a "b" \ c"#]],
                    ["key": "state", "value": ["stringValue": "x,y=z"]],
                ])
            let sum = try #require(metrics[1]?["sum"])
            #expect(sum["isMonotonic"] == true && sum["aggregationTemporality"] == 2)
            #expect(sum["dataPoints"]?[0]?["asDouble"]?.double == 3)
            #expect(sum["dataPoints"]?[0]?["startTimeUnixNano"] == "1000000000")
            let points = try #require(metrics[2]?["histogram"]?["dataPoints"])
            #expect(points[0]?["bucketCounts"] == ["1", "2", "1"] && points[0]?["count"] == "4")
            #expect(points[0]?["explicitBounds"]?[1]?.double == 2 && points[0]?["sum"]?.double == 12.7)
            #expect(points[1]?["bucketCounts"] == ["0", "0", "0"] && points[2] == nil)
        }
    }

    @Test func linesOfTheLogReachTheCollectorInTheTraceOfTheirJob() async throws {
        try await with { collector, otlp in
            let exporter = LogExporter(to: otlp) { 5_000 }
            let lines = Mutex<[String]>([])
            let logger = Logger(now: { 5_000 }) { line in lines.withLock { $0.append(line) } }.also { exporter.add($0) }
            let job = "0198c1a0-0000-7000-8000-00000000002a"
            logger.with(job: job, attempt: 2).warning("model call", ["cost": .double(0.5), "late": .bool(true)])
            logger.with(["trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"]).info("attempt", ["job": .string(job)])
            logger.error("stopped")
            await exporter.flush()
            #expect(lines.withLock { $0.count } == 3, "the log itself has them, too")
            let records = try #require(
                collector.bodies(at: "/v1/logs").first?["resourceLogs"]?[0]?["scopeLogs"]?[0]?["logRecords"])
            #expect(records[0]?["body"] == ["stringValue": "model call"] && records[0]?["severityNumber"] == 13)
            #expect(records[0]?["timeUnixNano"] == "5000000000" && records[0]?["severityText"] == "warning")
            #expect(records[0]?["traceId"] == "0198c1a000007000800000000000002a")
            #expect(
                records[0]?["attributes"] == [
                    ["key": "job", "value": ["stringValue": JSON(job)]],
                    ["key": "attempt", "value": ["intValue": "2"]],
                    ["key": "cost", "value": ["doubleValue": 0.5]], ["key": "late", "value": ["boolValue": true]],
                ])
            #expect(records[1]?["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(records[2]?["traceId"] == nil && records[2]?["severityNumber"] == 17)
        }
    }

    @Test func aThreadThatLogsNeverWaitsForACollectorAndTheMemoryIsBounded() async {
        let client = HTTPClient()
        let exporter = LogExporter(
            to: OTLPCollector(endpoint: "http://127.0.0.1:1", resource: [], transport: client)
        ) { 0 }
        for _ in 0..<5000 { exporter.add(#"{"message":"x"}"#) }
        #expect(exporter.dropped == 5000 - 4096)
        await exporter.flush()
        #expect(exporter.dropped == 5000)
        await client.shutdown()
    }

    @Test func aTraceParentIsReadAsW3CWritesIt() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let parent = try #require(TraceParent(text))
        #expect(parent.description == text && parent.isSampled)
        #expect(parent.trace == TraceID(high: 0x4bf9_2f35_77b3_4da6, low: 0xa3ce_929d_0e0e_4736))
        #expect(TraceParent(text.dropLast() + "0")?.isSampled == false)
        #expect(TraceParent("cc" + text.dropFirst(2) + "-what-the-future-brings")?.span == SpanID(0xf0_67aa_0ba9_02b7))
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-zz",
    ])
    func aMalformedTraceParentCountsAsNone(_ text: String) { #expect(TraceParent(text) == nil) }

    @Test func aTraceThatTheClientDoesNotRecordHasNoSpans() async throws {
        try await with { collector, otlp in
            let tracer = Tracer(to: otlp) { 0 }
            for isSampled in [false, true] {
                TraceScope(tracer: tracer, trace: TraceID(high: 1, low: 2), span: SpanID(3), isSampled: isSampled)
                    .record("step \(isSampled)", took: .zero)
            }
            await tracer.flush()
            let spans = collector.bodies(at: "/v1/traces").first?["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]
            #expect(spans?[0]?["name"] == "step true" && spans?[1] == nil)
        }
    }
}
