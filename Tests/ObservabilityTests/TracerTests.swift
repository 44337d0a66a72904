import Basics
import HTTP
import HTTPServer
import JSON
import Synchronization
import Observability
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TracerTests {
    /// A collector on loopback that keeps the requests that it receives.
    private final class Collector: Sendable {
        private let state = Mutex<(bodies: [JSON], statuses: [Int])>(([], []))
        private let server: Mutex<HTTPServer?> = Mutex(nil)

        var bodies: [JSON] { state.withLock { $0.bodies } }
        /// Answers so first, then 200.
        func answer(_ statuses: [Int]) { state.withLock { $0.statuses = statuses } }

        func start() throws -> String {
            let server = HTTPServer(configuration: HTTPServerConfiguration(address: "127.0.0.1:0")) { request in
                let body = (try? JSON(parsing: request.body)) ?? .null
                let status = self.state.withLock { state in
                    state.bodies.append(body)
                    return state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
                }
                #expect(request.path == "/v1/traces" && request.headers["Content-Type"] == "application/json")
                #expect(request.headers["X-Key"] == "geheim")
                return ServerResponse(status: status, headers: ["Retry-After": "0"], bytes: Array("{}".utf8))
            }
            self.server.withLock { $0 = server }
            return try server.start().url
        }

        func stop() async { await server.withLock { $0 }?.shutdown(grace: .zero) }
    }

    private func with(_ body: (Collector, Tracer) async throws -> Void) async throws {
        let collector = Collector()
        let client = HTTPClient()
        let tracer = Tracer(
            to: OTLPCollector(
                endpoint: try collector.start() + "/", headers: [("X-Key", Secret("geheim"))],
                resource: [("service.name", .text("dossier"))], transport: client),
            milliseconds: { 1_763_700_001_000 })
        try await body(collector, tracer)
        await client.shutdown()
        await collector.stop()
    }

    private static let trace = TraceID(high: 0x4bf9_2f35_77b3_4da6, low: 0xa3ce_929d_0e0e_4736)

    @Test func spansReachTheCollectorAsOTLP() async throws {
        try await with { collector, tracer in
            let scope = TraceScope(tracer: tracer, trace: Self.trace, span: SpanID(0xf0_67aa_0ba9_02b7))
            TraceScope.$current.withValue(scope) {
                TraceScope.current?.record(
                    "chat claude-sonnet-5-5", kind: .client, took: .seconds(1),
                    attributes: [("gen_ai.usage.input_tokens", .integer(310)), ("retry", .flag(false))],
                    problem: "overloaded")
            }
            await tracer.flush()
            let resource = try #require(collector.bodies.first?["resourceSpans"]?[0])
            #expect(resource["resource"]?["attributes"]?[0]?["value"]?["stringValue"] == "dossier")
            let span = try #require(resource["scopeSpans"]?[0]?["spans"]?[0])
            #expect(span["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(span["parentSpanId"] == "00f067aa0ba902b7")
            #expect(span["spanId"]?.string?.utf8.count == 16)
            #expect(span["kind"] == 3 && span["name"] == "chat claude-sonnet-5-5")
            #expect(span["startTimeUnixNano"] == "1763700000000000000")
            #expect(span["endTimeUnixNano"] == "1763700001000000000")
            #expect(span["attributes"]?[0] == ["key": "gen_ai.usage.input_tokens", "value": ["intValue": "310"]])
            #expect(span["status"] == ["code": 2, "message": "overloaded"])
        }
    }

    @Test func aBusyCollectorIsRetriedOnceAndABrokenOneIsNot() async throws {
        try await with { collector, tracer in
            let scope = TraceScope(tracer: tracer, trace: Self.trace, span: SpanID(1))
            for (statuses, requests, dropped) in [([503], 2, 0), ([503, 503], 4, 1), ([400], 5, 2)] {
                collector.answer(statuses)
                scope.record("step", took: .zero)
                await tracer.flush()
                #expect(collector.bodies.count == requests && tracer.dropped == dropped, "\(statuses)")
            }
        }
    }

    @Test func withoutACollectorNothingWaitsAndTheMemoryIsBounded() async {
        let client = HTTPClient()
        let tracer = Tracer(
            to: OTLPCollector(endpoint: "http://127.0.0.1:1", resource: [], transport: client), milliseconds: { 0 })
        let scope = TraceScope(tracer: tracer, trace: Self.trace, span: SpanID(1))
        for _ in 0..<5000 { scope.record("step", took: .zero) }
        #expect(tracer.dropped == 5000 - 4096)
        await tracer.flush()
        #expect(tracer.dropped == 5000)
        await client.shutdown()
    }

    @Test func everyProcessDerivesTheSameSpanIDs() {
        let ids = (0..<100).map { Self.trace.child($0) }
        #expect(Set(ids).count == 100 && ids[0] == Self.trace.root)
        #expect(TraceID(high: 1, low: 2).root != TraceID(high: 2, low: 1).root)
    }
}
