import Basics
import FoundationEssentials
import JobQueue
import JSON
import Testing

@testable import LanguageModels

@Suite struct ModelCatalogueTests {
    /// The `models.yaml` of the repository.
    static func shipped() throws -> ModelCatalogue {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent("models.yaml"))
        return try ModelCatalogue(parsing: String(decoding: data, as: UTF8.self))
    }

    @Test func theShippedTiersListTheirCandidatesInOrder() throws {
        let catalogue = try Self.shipped()
        #expect(
            catalogue.candidates(for: "deep")?.map(\.id) == ["claude-sonnet-5-5", "gemini-3.8-flash", "local"])
        #expect(
            catalogue.candidates(for: "fast")?.map(\.id) == ["claude-haiku-5-5", "gemini-3.5-flash-lite", "local"])
        #expect(catalogue.candidates(for: "gemini-3.8-flash")?.map(\.id) == ["gemini-3.8-flash"])
        #expect(catalogue.candidates(for: "gemini-3.1-flash-lite") == nil)
        #expect(catalogue.candidates(for: "nonsense") == nil)
    }

    /// The cost of a million tokens of each kind equals the price list.
    @Test(
        arguments: [
            ("claude-fable-5-1", "2026-11-21", 0, 10, 50, 0.25, 12.5, 20),
            ("claude-opus-5-5", "2026-11-21", 0, 4, 20, 0.2, 5, 8),
            ("claude-opus-5", "2026-11-21", 0, 5, 25, 0.5, 6.25, 10),
            ("claude-sonnet-5-5", "2026-11-21", 0, 2, 10, 0.1, 2.5, 4),
            ("claude-sonnet-4-6", "2026-11-21", 0, 3, 15, 0.3, 3.75, 6),
            ("claude-haiku-5-5", "2026-11-21", 100_000, 0.1, 0.5, 0.01, 0.125, 0.2),
            ("claude-haiku-5-5", "2026-11-21", 100_001, 0.5, 2.5, 0.05, 0.625, 1),
            ("claude-haiku-4-5", "2026-11-21", 0, 1, 5, 0.1, 1.25, 2),
            ("gemini-3.8-flash", "2026-12-31", 0, 0.75, 3.75, 0.075, 0.75, 0.75),
            ("gemini-3.8-flash", "2027-01-01", 0, 1.5, 7.5, 0.15, 1.5, 1.5),
            ("gemini-3.5-flash", "2026-11-21", 0, 1.5, 9, 0.15, 1.5, 1.5),
            ("gemini-3.5-flash-lite", "2026-11-21", 0, 0.3, 2.5, 0.03, 0.3, 0.3),
            ("gemini-3.1-pro-preview", "2026-11-21", 200_000, 2, 12, 2, 2, 2),
            ("gemini-3.1-pro-preview", "2026-11-21", 200_001, 4, 18, 4, 4, 4),
            ("local", "2026-11-21", 0, 0, 0, 0, 0, 0),
        ] as [(String, String, Int64, Double, Double, Double, Double, Double)])
    func theShippedPricesMatchThePriceLists(
        id: String, day: String, prompt: Int64, input: Double, output: Double, read: Double, write5m: Double,
        write1h: Double
    ) throws {
        let prices = try #require(try Self.shipped().models[id]?.prices)
        let day = try #require(CalendarDate(day))
        // Each kind alone fills the prompt, which selects the tier.
        let size = prompt == 0 ? 1_000_000 : prompt
        func cost(_ usage: TokenUsage) -> Double { Double(prices.cost(of: usage, on: day).rawValue) / Double(size) }
        func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) * Double(size) <= 0.5 }
        #expect(near(cost(TokenUsage(input: size)), input))
        #expect(near(cost(TokenUsage(cacheRead: size)), read))
        #expect(near(cost(TokenUsage(cacheWrite5m: size)), write5m))
        #expect(near(cost(TokenUsage(cacheWrite1h: size)), write1h))
        #expect(near(cost(TokenUsage(input: size, output: size)), input + output))
    }

    @Test func theShippedModelsFollowTheRulesOfTheirProviders() throws {
        let models = try Self.shipped().models
        for id in ["claude-fable-5-1", "claude-opus-5-5", "claude-sonnet-5-5"] {
            #expect(models[id]?.allowsForcedToolChoice == false)
        }
        #expect(models["claude-haiku-5-5"]?.allowsForcedToolChoice == true)
        #expect(models["claude-haiku-4-5"]?.efforts == [])
        #expect(models["claude-opus-5-5"]?.thinking == .unset)
        #expect(models["gemini-3.8-flash"]?.efforts == [.low, .medium, .high])
        #expect(models["gemini-3.6-flash"]?.efforts == [.minimal, .low, .medium, .high])
    }

    private static let model = """
        models:
          a:
            provider: claude
            context: 10
            max_output: 5
            prices:
              - { input: 1, output: 2 }
        """

    /// The file with one priced model, a part of its text replaced.
    private static func priced(tiers: String = "tiers: {}\n", _ part: String, with other: String) -> String {
        tiers + model.replacing(part, with: other)
    }

    private static let mistakes: [(text: String, message: String)] = [
        (
            "tiers:\n  deep: [a]\nmodels:\n  a:\n    provider: claud\n",
            "m.yaml:5: models.a.provider must be one of claude, gemini, openai"
        ),
        ("\(model)\ntiers:\n  deep: [b]\n", "m.yaml:9: tiers.deep names 'b', which is not among the models"),
        ("\(model)\ntiers:\n  deep: []\n", "m.yaml:9: tiers.deep needs at least one model"),
        ("\(model)\ntiers:\n  deep: [a, a]\n", "m.yaml:9: tiers.deep names a model twice"),
        ("\(model)\ntiers:\n  a: [a]\n", "m.yaml:9: tiers.a has the name of a model"),
        (
            "\(model)\ntier: {}\n",
            "m.yaml:8: tier is not known here; possible are batches, budgets, embedding, hedging, models, tiers"
        ),
        (
            "\(model)\ntiers: {}\nbatches:\n  gather: 0\n",
            "m.yaml:10: batches.gather must be a number of seconds from 0.1 to 3600"
        ),
        (
            "\(model)\ntiers: {}\nbatches: {lines: 50001}\n",
            "m.yaml:9: batches.lines must be a whole number from 1 to 50000"
        ),
        ("\(model)\ntiers: {}\nhedging: some\n", "m.yaml:9: hedging must be true or false"),
        ("\(model)\n", "m.yaml:1: needs 'tiers'"),
        (
            priced(tiers: "tiers:\n  deep: [a]\n", "    prices:\n      - { input: 1, output: 2 }", with: ""),
            "m.yaml:2: tiers.deep names 'a', whose price is unknown: spend could not be counted"
        ),
        (
            priced("input: 1", with: "inptu: 1"),
            "m.yaml:8: models.a.prices.0.inptu is not known here; possible are cache_read, cache_write_1h, cache_write_5m, input, longest_prompt, output, until"
        ),
        (
            priced("input: 1", with: "input: 0.0000001"),
            "m.yaml:8: models.a.prices.0.input must be a price in dollars per million tokens, with at most six decimals"
        ),
        (
            priced("input: 1", with: "until: 2026-12-31, input: 1"),
            "m.yaml:7: models.a.prices must end with a line that has neither until nor longest_prompt"
        ),
        (priced("context: 10", with: "context: ten"), "m.yaml:5: models.a.context must be a whole number above zero"),
        (
            priced("context: 10", with: "context: 10\n    efforts: [low, lots]"),
            "m.yaml:6: models.a.efforts knows no effort 'lots'"
        ),
        (
            priced("context: 10", with: "context: 10\n    budget: sonnet"),
            "m.yaml:6: models.a.budget is not among the budgets"
        ),
        (
            "budgets:\n  sonnet: { provider: claude, requests_per_minute: 5 }\n\(priced("x", with: "x"))",
            "m.yaml:2: budgets.sonnet is no model's budget"
        ),
        (
            "budgets:\n  sonnet: { provider: claude, share: 1.5 }\n\(priced("x", with: "x"))",
            "m.yaml:2: budgets.sonnet.share must be a number from 0.01 to 1"
        ),
        (
            "budgets:\n  flash: { provider: gemini, tokens_per_minute: 0 }\n\(priced("x", with: "x"))",
            "m.yaml:2: budgets.flash.tokens_per_minute must be a whole number above zero"
        ),
        (
            "budgets:\n  flash: { provider: gemini, tokens_per_minute: 9 }\n"
                + priced("context: 10", with: "budget: flash\n    context: 10"),
            "m.yaml:7: models.a.budget is the budget of another provider"
        ),
    ]

    @Test func modelsWithTheSameBudgetShareIt() throws {
        let text =
            Self.priced("context: 10", with: "budget: sonnet\n    context: 10")
            + "\n  b:\n    provider: claude\n    context: 10\n    max_output: 5\n    budget: sonnet\n"
            + "  c:\n    provider: claude\n    context: 10\n    max_output: 5\n"
        let budgets = "budgets:\n  sonnet: { provider: claude, requests_per_minute: 50, tokens_per_minute: 30000 }\n"
        let models = try ModelCatalogue(parsing: budgets + text).models
        let budget = ModelBudget(
            name: "claude/sonnet", limits: BudgetLimits(requestsPerMinute: 50, tokensPerMinute: 30_000))
        #expect(models["a"]?.budget == budget && models["b"]?.budget == budget)
        #expect(models["c"]?.budget == ModelBudget(name: "claude/c"))
    }

    @Test func boundsOfBatchesAndModelsWithBatchesAreRead() throws {
        let text = """
            tiers: {}
            batches: { gather: 60, gather_hurried: 2, lines: 7, bytes: 800, poll: 50, unclear: 90.5, lease: 30 }
            models:
              c: { provider: claude, context: 10, max_output: 5 }
              d: { provider: claude, context: 10, max_output: 5, batch: false }
              o: { provider: openai, context: 10, max_output: 5 }
              p: { provider: openai, context: 10, max_output: 5, batch: true }

            """
        let catalogue = try ModelCatalogue(parsing: text)
        var bounds = BatchBounds()
        (bounds.gather, bounds.gatherHurried, bounds.lines, bounds.bytes) = (.seconds(60), .seconds(2), 7, 800)
        (bounds.poll, bounds.unclear, bounds.lease) = (.seconds(50), .milliseconds(90_500), .seconds(30))
        #expect(catalogue.batches == bounds)
        #expect(catalogue.models.filter(\.value.hasBatches).keys.sorted() == ["c", "p"])
        #expect(try Self.shipped().batches == BatchBounds())
    }

    @Test(arguments: mistakes)
    func aMistakeIsReportedWithItsLine(text: String, message: String) {
        let error = #expect(throws: CatalogueError.self) { try ModelCatalogue(parsing: text, file: "m.yaml") }
        #expect(error?.description == message)
    }

    @Test func invalidYAMLIsRefusedWithItsLine() {
        let error = #expect(throws: CatalogueError.self) { try ModelCatalogue(parsing: "models:\n  a: [1\n") }
        #expect((error?.line ?? 0) >= 2)
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

@Suite struct PriceTests {
    @Test(arguments: [
        ("2", 2_000_000), ("0.10", 100_000), ("0.125", 125_000), ("0.000001", 1), ("12.50", 12_500_000), ("0", 0),
    ])
    func aPriceIsExact(literal: String, picodollars: Int64) {
        #expect(TokenPrice(dollarsPerMillion: literal)?.picodollars == picodollars)
    }

    @Test(arguments: ["", "-1", "1e3", "0.0000001", "1.", "abc", "1234567", ".5", "１"])
    func otherTextIsNotAPrice(literal: String) {
        // `1.` has no digits after the point and still means one dollar.
        #expect(TokenPrice(dollarsPerMillion: literal) == nil || literal == "1.")
    }

    @Test(arguments: [
        (5, "0.1", 1), (4, "0.1", 0), (15, "0.1", 2), (1, "0.499999", 0), (1, "0.5", 1),
    ])
    func theTotalIsRoundedHalfUpOnce(tokens: Int64, dollars: String, expected: Int64) throws {
        let prices = try price(dollars, "0")
        let day = try #require(CalendarDate("2026-11-21"))
        #expect(prices.cost(of: TokenUsage(input: tokens), on: day).rawValue == expected)
    }

    @Test func theSmallestPartsAddUpBeforeRounding() throws {
        let prices = try price("0.2", "0.2", read: "0.2", write5m: "0.2", write1h: "0.2")
        let day = try #require(CalendarDate("2026-11-21"))
        let usage = TokenUsage(input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1)
        #expect(prices.cost(of: usage, on: day).rawValue == 1)
    }

    @Test func withoutACachePriceTheInputPriceApplies() throws {
        let day = try #require(CalendarDate("2026-11-21"))
        #expect(try price("2", "0").cost(of: TokenUsage(cacheRead: 10, cacheWrite1h: 1), on: day).rawValue == 22)
    }

    @Test func absurdTokenCountsNeitherOverflowNorPay() throws {
        let huge = try json(#"{"a":9223372036854775807,"b":-5,"c":1.5,"d":null}"#)
        #expect(["a", "b", "c", "d", "e"].map { huge[$0]?.tokenCount ?? 0 } == [1_000_000_000, 0, 0, 0, 0])
        let day = try #require(CalendarDate("2026-11-21"))
        let most = TokenUsage(
            input: 1_000_000_000, output: 1_000_000_000, cacheRead: 1_000_000_000, cacheWrite5m: 1_000_000_000,
            cacheWrite1h: 1_000_000_000)
        #expect(try price("100000", "100000").cost(of: most, on: day).rawValue == 500_000_000_000_000)
        #expect(MicroDollars(rawValue: .max) + MicroDollars(rawValue: 1) == MicroDollars(rawValue: .max))
    }

    @Test func amountsArePrintedInDollars() {
        #expect(MicroDollars(rawValue: 3150).description == "$0.003150")
        #expect(MicroDollars(rawValue: -12_000_001).description == "-$12.000001")
    }
}
