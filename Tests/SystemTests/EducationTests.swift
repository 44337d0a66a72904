import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// Questions about investing, answered with real processes and the simulated models, vectors included.
    @Suite struct EducationTests {
        @Test(.timeLimit(.minutes(5)), arguments: DatabaseEngine.allCases)
        func whatIsKnownIsAnsweredWithItsSourceAndTheRestIsNot(on engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                let claude = fleet.environment["ANTHROPIC_BASE_URL"] ?? nil
                let variables: Fleet.Variables = ["GEMINI_API_KEY": "simulated", "GEMINI_BASE_URL": claude]
                try await fleet.startBroker(variables: variables)
                _ = try await fleet.startWorker(variables: variables)

                let known = try await ask("What is a margin of safety?", in: fleet)
                #expect(known["known"] == true && known["citations"]?[0]?["id"] == "margin-of-safety", "\(known)")
                let calls = fleet.simulator.count(of: .gemini)
                #expect(calls == 1)

                for question in ["What is the capital of France?", "Who won the cup last night?"] {
                    let unknown = try await ask(question, in: fleet)
                    #expect(unknown["known"] == false && unknown["citations"] == [], "\(unknown)")
                }
                #expect(fleet.simulator.count(of: .gemini) == calls + 2)
                try await fleet.expectBalance(used: 0)
            }
        }

        private func ask(_ question: String, in fleet: Fleet) async throws -> JSON {
            let answer = try await fleet.send(
                .post, "/api/v1/education/chat", body: ["question": JSON(question)])
            #expect(answer.status == 200, "\(answer.body)")
            return answer.body["data"] ?? .null
        }
    }
}
