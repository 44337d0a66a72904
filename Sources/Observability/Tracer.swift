internal import JSON

/// Collects spans and sends them to a collector in batches. Recording one never waits.
package final class Tracer: Sendable {
    private let clock: @Sendable () -> Int64
    private let queue: ExportQueue<Span>

    /// Makes a tracer; nothing is sent before `run`.
    ///
    /// `milliseconds` gives the time since 1970.
    package init(to collector: OTLPCollector, milliseconds: @escaping @Sendable () -> Int64) {
        clock = milliseconds
        queue = ExportQueue { spans, limit in
            await collector.send(
                collector.body("Spans", "spans", spans.map(\.otlp)), to: "v1/traces", within: limit)
        }
    }

    /// Nanoseconds since 1970.
    package func now() -> Int64 { clock() * 1_000_000 }

    package func record(_ span: Span) { queue.add(span) }

    /// The number of spans that were dropped, because too many waited or the collector did not take them.
    package var dropped: Int { queue.dropped }

    /// Sends recorded spans until the task is cancelled, and then the rest once more.
    package func run() async { await queue.run() }

    /// Sends everything that waits.
    package func flush() async { await queue.flush() }
}

/// The span that a task works for, where its parts hang themselves below.
package struct TraceScope: Sendable {
    /// `nil` without tracing. Child tasks inherit their parent's.
    @TaskLocal package static var current: TraceScope?

    package let tracer: Tracer
    package let trace: TraceID
    package let span: SpanID
    /// Whether spans are recorded; a client may say of its trace that they are not.
    package let isSampled: Bool

    package init(tracer: Tracer, trace: TraceID, span: SpanID, isSampled: Bool = true) {
        self.tracer = tracer
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// The header by which a request to another service names this span as its cause.
    package var parent: TraceParent { TraceParent(trace: trace, span: span, isSampled: isSampled) }

    /// Records a part that has just ended.
    ///
    /// `name` has few values and contains no user data. `problem` says why it failed, without
    /// secrets.
    package func record(
        _ name: String, kind: Span.Kind = .internal, took duration: Duration,
        attributes: [(String, Span.Attribute)] = [], problem: String? = nil
    ) {
        guard isSampled else { return }
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
