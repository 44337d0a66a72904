internal import JobQueue
internal import Observability

/// The part of a job's trace that one attempt makes. The trace has the job's id; its first span is the job from submit to
/// end, below it stand the attempts, below them steps and model calls.
struct JobTrace: Sendable {
    let job: ClaimedJob
    let tracer: Tracer
    private let start: Int64
    private let trace: TraceID

    init(job: ClaimedJob, tracer: Tracer) {
        self.job = job
        self.tracer = tracer
        start = tracer.now()
        trace = TraceID(high: job.lease.job.high, low: job.lease.job.low)
    }

    /// What the attempt's parts hang below.
    var scope: TraceScope { TraceScope(tracer: tracer, trace: trace, span: attempt) }

    private var attempt: SpanID { trace.child(job.lease.epoch) }

    /// The attempt has ended; with the last one, the job.
    func end(_ result: String, isLast: Bool) {
        let now = tracer.now()
        let problem = ["completed", "postponed", "interrupted"].contains(result) ? nil : result
        tracer.record(
            Span(
                trace: trace, id: attempt, parent: trace.root, name: "attempt \(job.kind)", kind: .consumer,
                start: start,
                end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                    ("dossier.attempt", .integer(Int64(job.attempt))), ("dossier.outcome", .text(result)),
                ], problem: problem))
        guard isLast else { return }
        tracer.record(
            Span(
                trace: trace, id: trace.root, parent: nil, name: "job \(job.kind)",
                start: job.createdAt.milliseconds * 1_000_000, end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                ], problem: problem))
    }
}
