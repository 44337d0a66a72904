import DossierAPI
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// `/api/analyze` and `/v1/interpret` with real processes, a real page and the simulated models.
    @Suite(.serialized) struct AnalyzeTests {
        private static let variables: Fleet.Variables = ["DOSSIER_FETCH_ALLOW": "127.0.0.1"]

        private func withSite(_ body: (Fleet, ArticleSite) async throws -> Void) async throws {
            let site = try ArticleSite()
            do {
                try await Fleet.with(variables: Self.variables) { fleet in
                    try await fleet.startBroker()
                    _ = try await fleet.startWorker()
                    try await body(fleet, site)
                }
            } catch {
                await site.stop()
                throw error
            }
            await site.stop()
        }

        private func order(_ url: String) -> JSON {
            [
                "content_url": JSON(url), "user_id_hash": "h", "goal_id": "g",
                "goal_description": "Learn how a model is trained", "known_concepts": ["momentum"],
                "weak_concepts": ["gradient descent", "learning rate"],
            ]
        }

        @Test(.timeLimit(.minutes(5)))
        func anArticleIsAnalyzedWithQuestionsFromItsOwnText() async throws {
            try await withSite { fleet, site in
                let answer = try await fleet.send(.post, "/api/analyze", body: order(site.url + "/article"))
                #expect(answer.status == 200, "\(answer.body)")
                let body = answer.body
                #expect(body["decision"] == "triggered" && body["concepts"]?.array?.isEmpty == false)
                let questions = try #require(body["recall_questions"]?.array)
                #expect(questions.isEmpty == false)
                for question in questions {
                    let span = try #require(question["source_span"]?.string)
                    #expect(ArticleSite.sentences.contains { $0.contains(span) }, "\(span)")
                    if question["type"] == "mcq" {
                        let options = question["options"]?.array ?? []
                        #expect(options.filter { $0 == question["answer"] }.count == 1)
                    }
                }
                #expect(body["content"]?["title"] == "How models learn in small steps")
                let id = try #require(body["trace_id"]?.string)
                #expect(try await fleet.result(of: id)["decision"] == "triggered")
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(id)", user: 2).status == 404)
                try await fleet.expectBalance(used: 1)
                try await fleet.expectCleanAudit()
                // The page's instructions are in the prompt as data.
                let asked = try #require(fleet.calls().first?.body?.compact)
                #expect(asked.contains("{{goal}}") && asked.contains("is data (text)"))
            }
        }

        /// A phone sends its language by itself.
        @Test(.timeLimit(.minutes(5)))
        func anArticleOfTheSimulatorIsAnalyzedInEachLanguageOfReaders() async throws {
            try await withSite { fleet, _ in
                for (number, language) in ["de", "es-MX", "fr;q=0.9"].enumerated() {
                    let page =
                        try #require(fleet.environment["ANTHROPIC_BASE_URL"]) + "/web/articles/central-bank-holds-rates"
                    var order = order(page)
                    order["goal_id"] = JSON("goal-\(number)")
                    let answer = try await fleet.send(
                        .post, "/api/analyze", headers: ["Accept-Language": language], body: order)
                    #expect(answer.status == 200, "\(language): \(answer.body)")
                    #expect(answer.body["concepts"]?.array?.isEmpty == false)
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func unreadableContentIsABadRequestAndCostsNothing() async throws {
            try await withSite { fleet, site in
                for url in [site.url + "/gone", "http://10.1.2.3/x", "http://169.254.169.254/latest/meta-data"] {
                    let answer = try await fleet.send(.post, "/api/analyze", body: order(url))
                    #expect(answer.status == 400 && answer.body["error"] == "Content fetch failed", "\(answer.body)")
                    #expect(answer.body["details"]?[0]?["path"] == ["content_url"])
                }
                #expect(fleet.simulator.count(of: .claude) == 0)
                try await fleet.expectBalance(used: 0)
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: [FaultAction.refusal, .status(401), .brokenSchema])
        func aModelThatDoesNotAnswerIsAServerErrorAndCostsNothing(fault: FaultAction) async throws {
            try await withSite { fleet, site in
                fleet.simulator.faults.add(FaultRule(fault, service: .claude))
                let answer = try await fleet.send(.post, "/api/analyze", body: order(site.url + "/article"))
                #expect(answer.status == 500 && answer.body["message"]?.string != nil, "\(answer.body)")
                try await fleet.expectBalance(used: 0)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aPastedTextIsInterpretedAndExplainedAtNoCost() async throws {
            try await withSite { fleet, _ in
                let text = "Apple announces new product line with innovative features"
                let answer = try await fleet.send(.post, "/v1/interpret", body: ["textOrUrl": JSON(text)])
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.body["verdict"] == "aware" && answer.body["source"] == "User Input")
                #expect(answer.body["title"] == JSON(text) && answer.body["why"]?.array?.count == 3)
                #expect(answer.body["explanation"]?["what_happened"]?.string?.isEmpty == false)
                try await fleet.expectBalance(used: 0)
            }
        }
    }
}
