import SQLSupport
import StoreConformance
import Testing

/// The conformance suite on PostgreSQL.
@Suite struct PostgresConformanceTests {
    @Test(arguments: ConformanceSuite.lifeCycle)
    func livesThrough(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.submitting)
    func submits(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.claiming)
    func claims(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.running)
    func journals(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.ending)
    func ends(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.concurrencyKeys)
    func keepsInLine(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.liveness)
    func watchesOver(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.money)
    func keepsTheBooks(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.reading)
    func answers(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.concurrency)
    func standsCrowds(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.limits)
    func keepsToLimits(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.explanations)
    func keepsExplanations(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.sharing)
    func sharesWork(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.fleet)
    func agreesWithOthers(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.budgets)
    func sharesBudgets(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.records)
    func keepsRecords(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.documents)
    func keepsDocuments(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.searching)
    func searches(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.vectors)
    func findsByVectors(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.conversations)
    func keepsConversations(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.preferences)
    func keepsPreferences(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.feeds)
    func keepsWhatFeedsShow(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }
    @Test(arguments: ConformanceSuite.articles)
    func keepsArticles(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }
    @Test(arguments: ConformanceSuite.stories)
    func keepsStories(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }

    @Test(arguments: ConformanceSuite.stocks)
    func keepsWatchlists(_ one: ConformanceCase) async throws { try await one.run(on: PostgresFixture.self) }
}
