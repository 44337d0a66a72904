import DossierAPI
import HTTP
import JSON
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct CreditRaceTests {
        @Test(.timeLimit(.minutes(10)))
        func aHundredParallelSubmitsWithOneCreditAcceptOne() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "1"]) { fleet in
                try await fleet.startBroker()
                // Two brokers on one database: no lock of a process decides this.
                let second = try fleet.start(["serve", "--workers", "0", "--listen", "127.0.0.1:0"])
                let urls = [fleet.url, try await second.errors.record("listening")["url"]?.string ?? ""]
                let order: JSON = ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]]
                let answers = try await submit(order, times: 100, to: urls, in: fleet)
                let refused = answers.filter { $0.status == 403 }
                #expect(answers.count { $0.status == 202 } == 1)
                #expect(refused.count == 99)
                for answer in refused {
                    #expect(answer.code == "BIZ_2001")
                    #expect(answer.body["error"]?["details"] == ["current_credits": 0, "required": 1])
                }
                try await fleet.expectBalance(used: 0, held: 1, granted: 1)
                let list = try await fleet.send(.get, "/api/v1/jobs")
                #expect(list.body["pagination"]?["total_items"]?.integer == 1)

                // The job completes, and the one credit is spent.
                _ = try await fleet.startWorker()
                let id = try #require(list.data[0]?["id"]?.string)
                #expect(try await fleet.end(of: id).status == "completed")
                try await fleet.expectBalance(used: 1, granted: 1)
                #expect(try await fleet.send(.post, "/api/v1/jobs", body: order).code == "BIZ_2001")
                try await fleet.expectCleanAudit()
            }
        }

        /// Sends the same request many times at once, to each broker in turn.
        private func submit(
            _ order: JSON, times: Int, headers: HTTPHeaders = [:], to urls: [String], in fleet: Fleet
        ) async throws -> [Fleet.Answer] {
            try await withThrowingTaskGroup(of: Fleet.Answer.self) { group in
                for number in 0..<times {
                    let url = urls[number % urls.count]
                    group.addTask {
                        try await fleet.send(.post, "/api/v1/jobs", headers: headers, body: order, at: url)
                    }
                }
                var answers: [Fleet.Answer] = []
                for try await answer in group { answers.append(answer) }
                return answers
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aHundredParallelSubmitsWithOneKeyAreOneJob() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let order: JSON = ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]]
                let answers = try await submit(
                    order, times: 100, headers: ["Idempotency-Key": "the-same"], to: [fleet.url], in: fleet)
                #expect(answers.allSatisfy { $0.status == 202 })
                let ids = Set(answers.map { $0.data["id"]?.string })
                #expect(ids.count == 1)
                try await fleet.expectBalance(used: 0, held: 1)
            }
        }
    }
}
