import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// News from the simulator to the stories that clients read, with real processes.
    @Suite struct IngestTests {
        @Test(.timeLimit(.minutes(5)))
        func theSimulatedNewsDayBecomesStories() async throws {
            let simulator = Simulator()
            let url = try simulator.start()
            do {
                try await Fleet.with { fleet in try await ingest(url, in: fleet) }
            } catch {
                await simulator.stop()
                throw error
            }
            await simulator.stop()
        }

        private func ingest(_ url: String, in fleet: Fleet) async throws {
            let variables = Simulator.environment(at: url).mapValues { Optional($0) }
            try await fleet.startBroker(variables: variables)
            _ = try await fleet.startWorker(variables: variables)
            let input: JSON = [
                "feeds": [JSON(url + "/web/feeds/news.xml"), JSON(url + "/web/feeds/none.xml")],
                "categories": ["business", "technology"],
            ]
            let call = ["submit", "ingest", "--input", input.compact, "--server", fleet.url, "--json"]
            let first = try await fleet.run(call)
            #expect(first.exit == .code(0), "\(first)")
            let result = try JSON(parsing: first.output)
            #expect(result["sources"]?.array?.map { $0["status"]?.string } == ["read", "failed", "read", "read"])
            #expect(result["failed"] == 1 && (result["new"]?.integer ?? 0) > 5, "\(result)")
            #expect((result["known"]?.integer ?? 0) > 0, "what NewsAPI lists is in the feed already")
            #expect(result["day"]?["embedded"] == result["day"]?["articles"], "\(result)")
            let groups = try await fleet.send(.get, "/v1/feed/story-groups").body
            let global = try #require(groups["global"]?.array)
            #expect(!global.isEmpty && global.allSatisfy { $0["scope"] == "GLOBAL" })
            let second = try await fleet.run(call)
            let again = try JSON(parsing: second.output)
            #expect(
                again["sources"]?[0]?["status"] == "unchanged" && again["new"] == 0 && again["day"]?["touched"] == 0)
            let after = try await fleet.send(.get, "/v1/feed/story-groups").body
            #expect(after["global"]?.array?.map { $0["id"] } == global.map { $0["id"] })
            try await fleet.expectBalance(used: 0)
        }
    }
}

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
