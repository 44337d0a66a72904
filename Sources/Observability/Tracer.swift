package import HTTP
internal import JSON
internal import Synchronization

/// Collects spans and sends them to a collector in batches (OTLP over HTTP, as JSON).
///
/// Recording a span never waits: over the limit of kept spans, new ones are dropped. A batch that the collector
/// does not take is dropped as well, after one more try where that may help. Work is never held up.
package final class Tracer: Sendable {
    private struct State {
        var spans: [Span] = []
        var dropped = 0
    }

    /// The largest number of waiting spans.
    private static let capacity = 4096
    private static let batch = 512
    private static let interval: Duration = .seconds(2)
    private static let longestPause: Duration = .seconds(5)

    private let endpoint: String
    private let service: String
    private let transport: any HTTPTransport
    private let clock: @Sendable () -> Int64
    private let state = Mutex(State())

    /// Makes a tracer; nothing is sent before `run`.
    ///
    /// `endpoint` is the collector's base URL, to which `/v1/traces` is added, `service` the `service.name` of the
    /// spans; `milliseconds` gives the time since 1970.
    package init(
        endpoint: String, service: String, transport: any HTTPTransport,
        milliseconds: @escaping @Sendable () -> Int64
    ) {
        self.endpoint = URLPath.join(endpoint, "v1/traces")
        self.service = service
        self.transport = transport
        clock = milliseconds
    }

    /// Nanoseconds since 1970.
    package func now() -> Int64 { clock() * 1_000_000 }

    package func record(_ span: Span) {
        state.withLock { state in
            if state.spans.count < Self.capacity { state.spans.append(span) } else { state.dropped += 1 }
        }
    }

    /// The number of spans that were dropped, because too many waited or the collector did not take them.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Sends recorded spans until the task is cancelled, and then the rest once more.
    package func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { await flush() }
        // Not in the cancelled task, in which every request would end at once.
        await Task { await self.flush() }.value
    }

    /// Sends everything that waits.
    package func flush() async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.spans.prefix(Self.batch))
                state.spans.removeFirst(batch.count)
                return batch
            }
            guard !batch.isEmpty else { return }
            if await !send(batch) {
                // Each further batch would take as long while the collector is unreachable.
                state.withLock { state in
                    state.dropped += batch.count + state.spans.count
                    state.spans = []
                }
                return
            }
        }
    }

    private func send(_ spans: [Span]) async -> Bool {
        var limits = HTTPLimits()
        limits.total = .seconds(10)
        limits.body = 64 << 10
        let request = HTTPRequest(
            .post, endpoint, headers: ["Content-Type": "application/json"],
            body: OTLPBody(service: service, spans: spans).json.utf8, limits: limits)
        for attempt in 1...2 {
            guard let response = try? await transport.send(request) else { return false }
            if response.isSuccess { return true }
            guard attempt == 1, [429, 502, 503, 504].contains(response.status) else { return false }
            let asked = response.headers["Retry-After"].flatMap { Double($0) }.map { Duration.seconds($0) }
            try? await Task.sleep(for: min(asked ?? .seconds(1), Self.longestPause))
        }
        return false
    }
}

/// The span that a task works for, where its parts hang themselves below.
package struct TraceScope: Sendable {
    /// `nil` without tracing. Child tasks inherit their parent's.
    @TaskLocal package static var current: TraceScope?

    package let tracer: Tracer
    package let trace: TraceID
    package let span: SpanID

    package init(tracer: Tracer, trace: TraceID, span: SpanID) {
        self.tracer = tracer
        self.trace = trace
        self.span = span
    }

    /// Records a part that has just ended.
    ///
    /// `name` has few values and contains no user data. `problem` says why it failed, without
    /// secrets.
    package func record(
        _ name: String, kind: Span.Kind = .internal, took duration: Duration,
        attributes: [(String, Span.Attribute)] = [], problem: String? = nil
    ) {
        let end = tracer.now()
        tracer.record(
            Span(
                trace: trace, parent: span, name: name, kind: kind, start: end - duration.nanoseconds, end: end,
                attributes: attributes, problem: problem))
    }
}

extension Duration {
    package var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
