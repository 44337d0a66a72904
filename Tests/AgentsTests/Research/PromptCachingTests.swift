import DataSources
import FoundationEssentials
import JobQueue
import JSON
import Prompts
import Testing

@testable import Agents
@testable import LanguageModels

/// What a provider reads again of the prompts of real reports.
@Suite struct PromptCachingTests {
    private static let draft = JSON.string(String(repeating: "The company earns well on what it keeps. ", count: 90))

    private static func sonnet() throws -> ModelDescription {
        let text = try String(contentsOfFile: ContentFiles.path + "/models.yaml", encoding: .utf8)
        return try #require(ModelCatalogue(parsing: text).models["claude-sonnet-5-5"])
    }

    private static func share(_ key: PrefixKey, of request: ModelRequest) -> Double {
        Double(key.tokens) / Double(TokenEstimate.prompt(of: request))
    }

    private static func request(
        _ name: String, _ facts: GatheredFacts, _ persona: String, repair: Bool = false
    ) throws -> ModelRequest {
        let bundle = try ContentFiles.bundle.get()
        var input = CompanyReview(of: facts, by: try #require(bundle.personas[persona])).promptInput
        if repair {
            input["draft"] = draft
            input["failures"] = ["summary: The figure 99% is not among the facts."]
        }
        return ModelRequest(try #require(bundle.prompts[name]).render(input: input), userLabel: nil)
    }

    @Test(arguments: ["AAPL", "SNOW"])
    func aRepairAndTheNextPersonaReadMostOfTheirPrompts(_ ticker: String) async throws {
        try await ResearchFixture.run { test in
            let company = try await test.filings(over: test.client).fundamentals(ticker)
            let facts = GatheredFacts(company: company, market: nil, marketProblem: "none", at: ResearchFixture.now)
            let sonnet = try Self.sonnet()
            let repair = try Self.request("research-repair", facts, "buffett", repair: true)
            let draft = PrefixKey.all(of: try Self.request("research", facts, "buffett"), for: sonnet)
            let again = PrefixKey.all(of: repair, for: sonnet)
            #expect(again.map(\.hash) == draft.map(\.hash) && draft.map(\.name) == ["company", "draft"])
            let ofRepair = Self.share(again[1], of: repair)
            #expect(ofRepair >= 0.85)
            var ofNext: [String: Double] = [:]
            for persona in try ContentFiles.bundle.get().personas.keys.sorted() where persona != "buffett" {
                let request = try Self.request("research", facts, persona)
                let keys = PrefixKey.all(of: request, for: sonnet)
                #expect(keys[0] == draft[0], "\(persona)")
                ofNext[persona] = Self.share(keys[0], of: request)
            }
            #expect(ofNext.values.allSatisfy { $0 >= 0.7 }, "\(ofNext)")
            print("\(ticker): repair \(ofRepair), next persona \(ofNext)")
        }
    }

    @Test func aLaterPriceLeavesThePrefixAsItIs() async throws {
        try await ResearchFixture.run { test in
            let company = try await test.filings(over: test.client).fundamentals("AAPL")
            func request(_ price: Decimal, hours: Int64) async throws -> ModelRequest {
                let market = try await FixedMarket(price: price).marketData("AAPL")
                let facts = GatheredFacts(
                    company: company, market: market, marketProblem: nil,
                    at: Timestamp(milliseconds: ResearchFixture.now.milliseconds + 3_600_000 * hours))
                return try Self.request("research", facts, "graham")
            }
            let sonnet = try Self.sonnet()
            let one = PrefixKey.all(of: try await request(200, hours: 0), for: sonnet)
            let two = PrefixKey.all(of: try await request(210, hours: 3), for: sonnet)
            #expect(one[0] == two[0] && one[1].hash != two[1].hash)
        }
    }
}
