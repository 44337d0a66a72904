import DossierAPI
import BrokerClient
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// A model gets one chance to repair a bad answer, and the user does not pay for an unusable one.
    @Suite(.serialized) struct FlawedAnswerTests {
        static let flaws: [FaultAction] = [.truncation, .brokenSchema, .invalidJSON, .inventedFigure]

        @Test(.timeLimit(.minutes(10)))
        func anAnswerThatStaysBadAfterOneRepairFailsAndCostsNothing() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (number, flaw) in Self.flaws.enumerated() {
                    let user = number + 1
                    fleet.fail(flaw, user: user)
                    let job = try await fleet.end(of: try await fleet.submit(user: user).id, user: user)
                    #expect(job.status == "failed" && job.attempt == 1, "\(flaw.name): \(job)")
                    #expect(job.error?.code == .generationFailed, "\(flaw.name): \(job)")
                    #expect(job.progress < 100)
                    #expect(fleet.calls(of: user).count == 2, "\(flaw.name): draft and one repair")
                    #expect(Set(fleet.calls(of: user).map(\.bodyHash)).count == 2, "the repair was a second draft")
                    try await fleet.expectBalance(user: user, used: 0)
                    let refused = try await fleet.send(.get, "/api/v1/jobs/\(job.id)/result", user: user)
                    #expect(refused.status == 409 && refused.code == "BIZ_2003")
                    #expect(refused.body["error"]?["details"]?["job_id"]?.string == job.id)
                }
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aRepairedAnswerIsAReportOfTwoCalls() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (number, flaw) in Self.flaws.enumerated() {
                    let user = number + 1
                    fleet.fail(flaw, user: user, times: 1)
                    let job = try await fleet.end(of: try await fleet.submit(user: user).id, user: user)
                    #expect(job.status == "completed", "\(flaw.name): \(job)")
                    let provenance = try await fleet.result(of: job.id, user: user)["provenance"]
                    #expect(provenance?["repaired"] == true, "\(flaw.name)")
                    #expect(provenance?["model_calls"]?.array?.map { $0["step"]?.string } == ["draft", "repair"])
                    #expect(fleet.calls(of: user).count == 2)
                    try await fleet.expectBalance(user: user, used: 1)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aBadClaimCostsOneRepairAndOneCredit() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (number, flaw) in [BadClaim.quote, .passage, .negation, .year].enumerated() {
                    let user = number + 1
                    fleet.fail(.badClaim(flaw), user: user)
                    let job = try await fleet.end(of: try await fleet.submit(user: user).id, user: user)
                    #expect(job.status == "completed", "\(flaw): \(job)")
                    let result = try await fleet.result(of: job.id, user: user)
                    #expect(fleet.calls(of: user).count == 2, "\(flaw)")
                    let claims = try #require(result["report"]?["claims"]?.array)
                    #expect(claims.allSatisfy { $0["status"] == "view" }, "\(flaw): \(claims)")
                    try await fleet.expectBalance(user: user, used: 1)
                }
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aRefusalIsFinalAfterOneCall() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (number, fault) in [FaultAction.refusal, .blockedPrompt].enumerated() {
                    let user = number + 1
                    fleet.fail(fault, user: user)
                    let job = try await fleet.end(of: try await fleet.submit(user: user).id, user: user)
                    #expect(job.status == "failed" && job.attempt == 1, "\(job)")
                    #expect(job.error?.code == .generationFailed, "\(job)")
                    #expect(fleet.calls(of: user).count == 1)
                    try await fleet.expectBalance(user: user, used: 0)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aPersonsRetryDraftsAnewAndHoldsACreditAgain() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                fleet.fail(.inventedFigure, user: 1, times: 2)
                let id = try await fleet.submit().id
                #expect(try await fleet.end(of: id).status == "failed")
                let filings = fleet.simulator.count(of: .sec)
                let retried = try await fleet.client().retry(id)
                #expect(retried.id == id && !retried.isFinished)
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1 && job.error == nil, "\(job)")
                #expect(fleet.calls().count == 3, "the failed draft was used again, or more was asked than needed")
                #expect(fleet.simulator.count(of: .sec) == filings, "the filings were journalled and read again")
                #expect(try await fleet.result(of: id)["provenance"]?["repaired"] == false)
                try await fleet.expectBalance(used: 1)
                try await fleet.expectCleanAudit()
                // A completed job cannot be repeated without a charge.
                let again = try await fleet.send(.post, "/api/v1/jobs/\(id)/retry")
                #expect(again.data["status"] != "pending")
                try await fleet.expectBalance(used: 1)
            }
        }
    }
}
