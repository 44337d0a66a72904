/// The span that a task works for, where its parts hang themselves below.
public struct TraceScope: Sendable {
    /// `nil` where nothing is traced. Child tasks have their parent's.
    @TaskLocal public static var current: TraceScope?

    public let tracer: Tracer
    public let trace: TraceID
    public let span: SpanID

    public init(tracer: Tracer, trace: TraceID, span: SpanID) {
        self.tracer = tracer
        self.trace = trace
        self.span = span
    }

    /// Records a part that has just ended.
    ///
    /// `name` says what it was: few different ones, without anybody's data. `problem` says why it failed, without
    /// secrets.
    public func record(
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
    public var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
