import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    /// A provider whose first byte is late, beside a healthy one, with real processes and real HTTP.
    @Suite(.serialized) struct HedgeTests {
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func aClientThatWaitsIsAnsweredByTheHedgeAndBothCallsAreBooked(_ engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { folder in
                switch engine {
                case .sqlite: SQLiteFleetDatabase(in: folder)
                case .postgres: try await PostgresFleetDatabase()
                }
            }) { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                try await fleet.startBroker()
                let url = fleet.environment["ANTHROPIC_BASE_URL"]
                let worker = try await fleet.startWorker(variables: [
                    "GEMINI_API_KEY": "simulated", "GEMINI_BASE_URL": url,
                ])
                let text = "The central bank raised its interest rate by a quarter of a point on Wednesday."
                let answer = try await fleet.send(.post, "/v1/interpret", body: ["textOrUrl": JSON(text)])
                #expect(answer.status == 200, "\(answer.body)")
                // The job has two questions. The first uses up the budget of hedges for an hour, so that the second waits
                // until the silence is too long.
                // The two calls of a pair write their lines in either order.
                try await eventually("the lines of the four calls") { worker.errors.records("model call").count == 4 }
                let lines = worker.errors.records("model call")
                let told = lines.map { "\($0["provider"]?.string ?? "") \($0["outcome"]?.string ?? "")" }
                #expect(
                    told.sorted() == ["claude hedge_lost", "claude stalled", "gemini answered", "gemini answered"],
                    "\(lines)")
                let rows = "SELECT state FROM model_call WHERE hedge_of IS"
                #expect(try await fleet.query(rows + " NULL ORDER BY created_at") == ["hedge_lost", "stalled", "ok"])
                #expect(try await fleet.query(rows + " NOT NULL") == ["ok"])
                let pair = """
                    SELECT count(*) FROM model_call AS h JOIN model_call AS f ON f.id = h.hedge_of AND f.job = h.job
                    WHERE h.cost_micro_dollars > 0 AND f.cost_micro_dollars > 0 AND f.output_tokens = 0
                    """
                #expect(try await fleet.query(pair) == ["1"])
                // Both are in the day of the user and of the service, and one answer is in the journal.
                let cost = try await fleet.query("SELECT sum(cost_micro_dollars) FROM model_call")
                #expect(try await fleet.query("SELECT sum(micro_dollars) FROM user_spend") == cost)
                #expect(try await fleet.query("SELECT sum(micro_dollars) FROM service_spend") == cost)
                #expect(try await fleet.query("SELECT name FROM step GROUP BY name HAVING count(*) > 1") == [])

                try await eventually("the figures") {
                    let metrics = try await fleet.text("/metrics")
                    return metrics.contains(#"dossier_hedges_total{won="true"} 1"#)
                        && metrics.contains(#"outcome="hedge_lost"} 1"#)
                        && metrics.contains("dossier_hedge_cost_dollars_total 0.0")
                }
            }
        }
    }
}
