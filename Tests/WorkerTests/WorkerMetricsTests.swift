import Agents
import DossierAPI
import JSON
import JobQueue
import Observability
import Testing
import TestSupport
import Worker

@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerMetricsTests {
    private func lines(_ metrics: WorkerMetrics) -> Set<String> {
        var text = PrometheusText()
        metrics.write(to: &text)
        return Set(text.text.split(separator: "\n").map(String.init))
    }

    @Test func eachEndEachRetryAndEachPickupIsCounted() async throws {
        try await Fixture.with { fixture in
            let metrics = WorkerMetrics()
            let runs = TestSupport.Counter()
            let worker = fixture.worker(metrics: metrics) { context throws(AgentError) in
                if runs.increment() == 1 {
                    throw .snoozed(for: .milliseconds(5), reason: "busy", waitingFor: WaitCause(.providerBlocked))
                }
                guard context.job.attempt == 3 else { throw ScriptedAgent.failure(isTransient: true) }
                return [:]
            }
            let failing = fixture.worker(metrics: metrics) { _ throws(AgentError) in
                throw ScriptedAgent.failure(isTransient: false)
            }
            let first = try await fixture.submit()
            try await fixture.running(worker) { _ = try await fixture.end(of: first) }
            let second = try await fixture.submit()
            try await fixture.running(failing) { _ = try await fixture.end(of: second) }
            let code = ScriptedAgent.error.code.rawValue
            let queue = try await fixture.job(first).queue.rawValue
            let found = lines(metrics)
            for line in [
                #"dossier_jobs_ended_total{kind="work",status="completed",code=""} 1.0"#,
                #"dossier_jobs_ended_total{kind="work",status="failed",code="\#(code)"} 1.0"#,
                #"dossier_job_retries_total{kind="work",code="\#(code)"} 2.0"#,
                #"dossier_jobs_postponed_total{kind="work",reason="provider_blocked"} 1.0"#,
                #"dossier_job_duration_seconds_count{kind="work",outcome="completed"} 1"#,
                // Claims after a postponement or a failure are no pickups.
                #"dossier_job_pickup_seconds_count{kind="work",queue="\#(queue)"} 2"#,
            ] { #expect(found.contains(line), "\(line) in \(found.sorted())") }
        }
    }

    @Test func modelCallsHaveTheNamesOfOpenTelemetry() {
        let metrics = WorkerMetrics()
        metrics.called(
            WorkerMetrics.Call(
                provider: "claude", model: "m", error: nil, duration: .seconds(3), firstText: .milliseconds(400),
                inputTokens: 1000, outputTokens: 70))
        metrics.called(
            WorkerMetrics.Call(
                provider: "gemini", model: "n", error: "rate_limited", duration: .milliseconds(9), isFallback: true))
        let found = lines(metrics)
        let labels = #"gen_ai_operation_name="chat",gen_ai_provider_name="claude",gen_ai_request_model="m""#
        for line in [
            #"gen_ai_client_operation_duration_seconds_bucket{\#(labels),error_type="",le="5.12"} 1"#,
            #"gen_ai_client_operation_time_to_first_chunk_seconds_sum{\#(labels)} 0.4"#,
            #"gen_ai_client_token_usage_sum{\#(labels),gen_ai_token_type="input"} 1000.0"#,
            #"dossier_model_fallbacks_total{provider="gemini",model="n"} 1.0"#,
        ] { #expect(found.contains(line), "\(line) in \(found.sorted())") }
        #expect(found.contains { $0.contains(#"error_type="rate_limited",le="0.01"} 1"#) })
    }
}
