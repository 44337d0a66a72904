import DossierAPI
import BrokerClient
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Crashes {
    /// The lines of the log about jobs of killed workers.
    @Suite(.serialized) struct LogLineTests {
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func theLineOfARescueNamesAttemptStepAndRequest(_ engine: DatabaseEngine) async throws {
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80), database: { try await engine.open(in: $0) }
            ) { fleet in
                let broker = try await fleet.startBroker()
                let first = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let answer = try await fleet.send(
                    .post, "/api/v1/jobs", headers: ["X-Request-ID": "the-request"],
                    body: ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]])
                let id = try #require(answer.data["id"]?.string)
                try await fleet.state(of: id) { $0.progress > 31 }
                let step = try await fleet.client().job(id).currentStep
                try await first.crash()
                let line = try await broker.errors.record("requeued a rescued job")
                #expect(line["job"]?.string == id && line["attempt"]?.integer == 1, "\(line)")
                #expect(line["request_id"]?.string == "the-request" && line["kind"]?.string == "research", "\(line)")
                #expect(step != nil && line["step"]?.string != nil, "\(line)")
                fleet.tempo.release()
            }
        }
    }
}
