import Basics
import DataSources
import JobQueue
import JSON
import Simulator
import TestSupport
import Testing

@testable import Agents

/// Reports whose model makes claims that the filing does not bear out.
@Suite struct BadClaimTests {
    /// A report whose model makes such claims in its first answers.
    private static func report(
        _ fixture: ResearchFixture, _ claim: BadClaim? = nil, answers: Int? = nil, worker: String = "w1"
    ) async throws -> JSON {
        if let claim { fixture.simulator.faults.add(FaultRule(.badClaim(claim), service: .claude, times: answers)) }
        let library = try fixture.library()
        let result = try await fixture.attempt(
            try await fixture.job("AAPL", "graham", worker: worker), fixture.agent(library: library))
        fixture.simulator.faults.clear()
        return result
    }

    private static func steps(_ result: JSON) -> [String?]? {
        result["provenance"]?["model_calls"]?.array?.map { $0["step"]?.string }
    }

    @Test(arguments: BadClaim.allCases)
    func `a bad claim is put right by one more answer`(claim: BadClaim) async throws {
        try await ResearchFixture.run { fixture in
            let result = try await Self.report(fixture, claim, answers: 1)
            #expect(Self.steps(result) == ["draft", "repair"] && fixture.modelCalls == 2)
            let claims = try #require(result["report"]?["claims"]?.array)
            #expect(!claims.isEmpty && claims.allSatisfy { $0["status"] == "repaired" })
            #expect(claims.allSatisfy { $0["quote"]?.string?.isEmpty == false })
        }
    }

    @Test(arguments: BadClaim.allCases)
    func `a claim that stays bad is the persona's view or left out, and the score stays`(
        claim: BadClaim
    ) async throws {
        try await ResearchFixture.run { fixture in
            let right = try await Self.report(fixture)
            let before = fixture.modelCalls
            let result = try await Self.report(fixture, claim, worker: "w2")
            #expect(Self.steps(result) == ["draft", "repair"] && fixture.modelCalls == before + 2)
            let claims = try #require(result["report"]?["claims"]?.array)
            switch claim {
            case .quote, .passage, .uncited:
                #expect(!claims.isEmpty && claims.allSatisfy { $0["status"] == "view" })
                #expect(claims.allSatisfy { $0["quote"]?.isNull == true && $0["passages"] == [] })
            case .negation, .year, .advice, .link: #expect(claims.isEmpty)
            }
            #expect(
                result["scorecard"] == right["scorecard"] && result["report"]?["score"] == right["report"]?["score"])
        }
    }
}
