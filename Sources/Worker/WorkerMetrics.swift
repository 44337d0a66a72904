internal import Basics
internal import DossierAPI
internal import JobQueue
package import Observability

/// What the workers of one process have done since it started: jobs, model calls and webhooks. Several workers may share
/// one.
package final class WorkerMetrics: Sendable {
    private let pickups = HistogramFamily(
        "dossier_job_pickup_seconds", "Time from a job's submit to its first claim, of jobs that were ready at once.",
        bounds: HistogramFamily.waits, labels: ["kind", "queue"])
    private let durations = HistogramFamily(
        "dossier_job_duration_seconds", "Time from a job's submit to its end.", bounds: HistogramFamily.lives,
        labels: ["kind", "outcome"])
    private let ended = CounterFamily(
        "dossier_jobs_ended_total", "Jobs that ended in this process, by the code of their error.",
        labels: ["kind", "status", "code"])
    private let retries = CounterFamily(
        "dossier_job_retries_total", "Attempts that failed and are followed by another one.", labels: ["kind", "code"])
    private let postponed = CounterFamily(
        "dossier_jobs_postponed_total", "Jobs that were put off without losing an attempt.", labels: ["kind", "reason"])
    private let rescued = CounterFamily(
        "dossier_jobs_rescued_total", "Jobs of dead workers that this process returned to the queue or failed.",
        labels: ["outcome"], zeros: [["requeued"], ["failed"]])
    private let calls = HistogramFamily(
        "gen_ai_client_operation_duration_seconds", "Time of a model call.", bounds: HistogramFamily.calls,
        labels: ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "error_type"])
    private let firstTokens = HistogramFamily(
        "gen_ai_client_operation_time_to_first_chunk_seconds", "Time to the first text of a model's answer.",
        bounds: HistogramFamily.calls,
        labels: ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model"])
    private let tokens = HistogramFamily(
        "gen_ai_client_token_usage", "Tokens of a model call.", bounds: HistogramFamily.tokens,
        labels: ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_token_type"])
    private let fallbacks = CounterFamily(
        "dossier_model_fallbacks_total", "Model calls after another model had failed.", labels: ["provider", "model"])
    private let webhooks = CounterFamily(
        "dossier_webhook_tries_total", "Tries to deliver a webhook: delivered, or the reason of the failure.",
        labels: ["outcome"], zeros: [["delivered"]])

    private let sourceFailures = CounterFamily(
        "dossier_news_source_failures_total", "Sources of news that could not be read.", labels: [], zeros: [[]])

    package init() {}

    // MARK: Jobs

    func claimed(_ job: ClaimedJob, at now: Timestamp) {
        guard job.wasReady else { return }
        pickups.record(max(now - job.createdAt, .zero), job.kind, job.queue.rawValue)
    }

    /// A job has ended; `code` is that of its error.
    func ended(_ job: ClaimedJob, code: String?, at now: Timestamp) {
        let status = code == nil ? "completed" : "failed"
        durations.record(max(now - job.createdAt, .zero), job.kind, status)
        ended.add(1, job.kind, status, code ?? "")
    }

    func retried(_ job: ClaimedJob, code: String) { retries.add(1, job.kind, code) }

    func postponed(_ job: ClaimedJob, _ cause: WaitCause?) {
        postponed.add(1, job.kind, cause?.reason.rawValue ?? "other")
    }

    /// A job of a kind passed its deadline, whoever had it.
    func expired(_ kind: String) { ended.add(1, kind, "failed", ErrorCode.deadlinePassed.rawValue) }

    func rescued(_ rescue: Rescue) {
        if !rescue.requeued.isEmpty { rescued.add(Double(rescue.requeued.count), "requeued") }
        if !rescue.poisoned.isEmpty { rescued.add(Double(rescue.poisoned.count), "failed") }
    }

    // MARK: Model calls and webhooks

    /// A model call, as far as metrics tell of it.
    package struct Call: Sendable {
        package var provider: String
        package var model: String
        /// The kind of its error; `nil` for an answer.
        package var error: String?
        package var duration: Duration
        package var firstText: Duration?
        package var inputTokens: Int64?
        package var outputTokens: Int64?
        package var isFallback: Bool

        package init(
            provider: String, model: String, error: String?, duration: Duration, firstText: Duration? = nil,
            inputTokens: Int64? = nil, outputTokens: Int64? = nil, isFallback: Bool = false
        ) {
            (self.provider, self.model, self.error) = (provider, model, error)
            (self.duration, self.firstText, self.isFallback) = (duration, firstText, isFallback)
            (self.inputTokens, self.outputTokens) = (inputTokens, outputTokens)
        }
    }

    package func called(_ call: Call) {
        calls.record(call.duration, "chat", call.provider, call.model, call.error ?? "")
        if let first = call.firstText { firstTokens.record(first, "chat", call.provider, call.model) }
        if let count = call.inputTokens { tokens.record(Double(count), "chat", call.provider, call.model, "input") }
        if let count = call.outputTokens { tokens.record(Double(count), "chat", call.provider, call.model, "output") }
        if call.isFallback { fallbacks.add(1, call.provider, call.model) }
    }

    func tried(_ problem: String?) { webhooks.add(1, problem ?? "delivered") }

    /// A source of news could not be read.
    package func sourceFailed() { sourceFailures.add(1) }

    package func write(to text: inout PrometheusText) {
        pickups.write(to: &text)
        durations.write(to: &text)
        for family in [ended, retries, postponed, rescued] { family.write(to: &text) }
        for family in [calls, firstTokens, tokens] { family.write(to: &text) }
        for family in [fallbacks, webhooks, sourceFailures] { family.write(to: &text) }
    }
}

extension Timestamp {
    /// The time of this machine's clock: near enough for metrics.
    static var onThisMachine: Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}
