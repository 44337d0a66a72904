import Basics
import DossierAPI
import Foundation
import Glibc
import HTTP
import HTTPServer
import JSON
import Simulator
import Synchronization
import Testing

extension SystemTests.Timing {
    /// Traces, metrics and logs of real processes.
    @Suite(.serialized) struct TelemetryTests {
        /// A collector on loopback that keeps what it receives.
        private final class Collector: Sendable {
            private let state = Mutex<[(path: String, key: String?, body: JSON)]>([])
            private let server: Mutex<HTTPServer?> = Mutex(nil)

            var received: [(path: String, key: String?, body: JSON)] { state.withLock { $0 } }

            func start() throws -> String {
                let server = HTTPServer(configuration: HTTPServerConfiguration(address: "127.0.0.1:0")) { request in
                    let body = (try? JSON(parsing: request.body)) ?? .null
                    self.state.withLock { $0.append((request.path, request.headers["x-key"], body)) }
                    return ServerResponse(status: 200, headers: [:], bytes: Array("{}".utf8))
                }
                self.server.withLock { $0 = server }
                return try server.start().url
            }

            func stop() async { await server.withLock { $0 }?.shutdown(grace: .zero) }

            /// All items of a signal: `Spans`, `spans`.
            func items(_ signal: String, _ name: String) -> [JSON] {
                received.flatMap { $0.body["resource\(signal)"]?[0]?["scope\(signal)"]?[0]?[name]?.array ?? [] }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func theTraceOfAClientGoesOnInTheJobItsModelCallsAndItsLog() async throws {
            let collector = Collector()
            let variables: Fleet.Variables = [
                "OTEL_EXPORTER_OTLP_ENDPOINT": try collector.start(), "OTEL_EXPORTER_OTLP_HEADERS": "x-key=ge%20heim",
                "OTEL_SERVICE_NAME": "mine", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test,zone=b",
            ]
            let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
            try await Fleet.with(variables: variables) { fleet in
                let broker = try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                let answer = try await fleet.send(
                    .post, "/api/v1/jobs", headers: ["traceparent": "00-\(trace)-00f067aa0ba902b7-01"],
                    body: ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]])
                let id = try #require(answer.data["id"]?.string)
                #expect(try await fleet.end(of: id).status == "completed")
                // Another client's job has a trace of its own.
                let other = try await fleet.submit(user: 2).id
                _ = try await fleet.end(of: other, user: 2)
                for process in [worker, broker] {
                    process.signal(SIGTERM)
                    #expect(try await process.ended() == .code(0))
                }
                let spans = collector.items("Spans", "spans").filter { $0["traceId"]?.string == trace }
                let root = try #require(spans.first { $0["name"] == "job research" })
                #expect(root["parentSpanId"] == "00f067aa0ba902b7")
                let attempt = try #require(spans.first { $0["name"] == "attempt research" })
                #expect(attempt["parentSpanId"] == root["spanId"])
                let submit = try #require(spans.first { $0["name"] == "submit research" })
                #expect(submit["parentSpanId"] == root["spanId"])
                #expect(spans.contains { $0["name"]?.string?.hasPrefix("chat ") == true })
                let call = try #require(fleet.calls(of: 1).first)
                let header = call.headers.first { $0.name.lowercased() == "traceparent" }?.value
                #expect(header == "00-\(trace)-\(attempt["spanId"]?.string ?? "")-01")
                let own = other.filter { $0 != "-" }
                #expect(collector.items("Spans", "spans").contains { $0["traceId"]?.string == own })
                let shown = try await fleet.run("admin", "job", id, "--json")
                #expect(!shown.output.contains(trace), "the request's id is shown alone")
                let records = collector.items("Logs", "logRecords")
                let lines = records.filter { $0["traceId"]?.string == trace }
                #expect(lines.contains { $0["body"] == ["stringValue": "model call"] }, "\(lines)")
                let metrics = Set(collector.items("Metrics", "metrics").compactMap { $0["name"]?.string })
                #expect(
                    metrics.isSuperset(of: ["dossier_build_info", "dossier_store_up", "process_open_fds"]),
                    "\(metrics)")
                let signals = ["/v1/traces": "Spans", "/v1/metrics": "Metrics", "/v1/logs": "Logs"]
                for (path, key, body) in collector.received {
                    #expect(key == "ge heim")
                    let attributes = body["resource\(signals[path] ?? "")"]?[0]?["resource"]?["attributes"]
                    #expect(attributes?[0] == ["key": "service.name", "value": ["stringValue": "mine"]])
                    #expect(attributes?[2] == ["key": "zone", "value": ["stringValue": "b"]])
                }
            }
            await collector.stop()
        }

        /// It takes connections and says nothing.
        @Test(.timeLimit(.minutes(10)))
        func aCollectorThatHangsHoldsUpNothing() async throws {
            let silent = try TCPProxy(to: 1)
            silent.turn(.swallowing)
            try await Fleet.with(variables: ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(silent.port)"]) {
                fleet in
                let broker = try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                for user in 1...8 {
                    let id = try await fleet.submit(user: user).id
                    #expect(try await fleet.end(of: id, user: user).status == "completed")
                }
                let start = ContinuousClock.now
                for process in [worker, broker] {
                    process.signal(SIGTERM)
                    #expect(try await process.ended() == .code(0))
                }
                #expect(.now - start < .seconds(60), "each process tries once more for a second")
            }
            silent.close()
        }

        @Test(.timeLimit(.minutes(10)))
        func aSettingOfTelemetryThatIsWrongStopsTheStartAndShowsNoKey() async throws {
            try await Fleet.with { fleet in
                for (name, value) in [
                    ("OTEL_EXPORTER_OTLP_HEADERS", "geheim"), ("OTEL_EXPORTER_OTLP_HEADERS", "a key=geheim"),
                    ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"), ("OTEL_TRACES_EXPORTER", "zipkin"),
                    ("OTEL_METRIC_EXPORT_INTERVAL", "soon"),
                ] {
                    let result = try await fleet.run(
                        "serve", variables: ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", name: value])
                    #expect(result.exit == .code(2) && result.errors.contains(name), "\(result)")
                    #expect(!result.errors.contains("geheim"))
                }
            }
        }
    }
}
