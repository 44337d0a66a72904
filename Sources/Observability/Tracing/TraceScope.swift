/// The span that a task works for, where its parts hang themselves below.
package struct TraceScope: Sendable {
    /// `nil` where nothing is traced. Child tasks have their parent's.
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
    /// `name` says what it was: few different ones, without anybody's data. `problem` says why it failed, without
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
