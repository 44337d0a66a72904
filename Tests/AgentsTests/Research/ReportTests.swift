import DataSources
import Foundation
import FoundationEssentials
import JobQueue
import JSON
import Prompts
import Simulator
import SQLiteStore
import Synchronization
import SQLSupport
import TestSupport
import Testing

@testable import Agents

/// The content of a report without failures.
@Suite struct ReportTests {
    @Test func reportOnAppleIsCompleteAndRestsOnItsFilings() async throws {
        try await ResearchFixture.run { fixture in
            let progress = Mutex<[Int]>([])
            let job = try await fixture.job()
            let result = try await fixture.attempt(
                job, fixture.agent(),
                report: { percent, _ in
                    progress.withLock { $0.append(percent) }
                })
            #expect(
                result.object?.keys == ["report", "facts", "computed", "mentions", "views", "scorecard", "provenance"])
            let mentions = try #require(result["mentions"]?.array)
            let ids = Set(((result["facts"]?.array ?? []) + (result["computed"]?.array ?? [])).map { $0["id"]?.string })
            #expect(mentions.count > 10 && mentions.allSatisfy { ids.contains($0["figure"]?.string) })
            let summary = try #require(result["report"]?["summary"]?.string)
            for mention in mentions where mention["path"] == "summary" {
                let (from, to) = (
                    Int(try #require(mention["from"]?.integer)), Int(try #require(mention["to"]?.integer))
                )
                let text = String(decoding: Array(summary.utf16)[from..<to], as: UTF16.self)
                let hasDigits = text.contains { $0.isNumber }
                #expect(hasDigits, "\(text)")
            }
            let report = try #require(result["report"])
            for part in ["summary", "thesis", "valuation"] {
                #expect(report[part]?.string?.isEmpty == false, "\(part)")
            }
            for part in ["risks", "what_would_change_the_view", "sources", "gaps"] {
                #expect(report[part]?.array?.isEmpty == false, "\(part)")
            }
            #expect(report["company"]?["name"]?.string == "Apple Inc." && report["company"]?["cik"]?.integer == 320_193)
            #expect(result["scorecard"]?["verdict"] == report["verdict"])
            #expect(result["scorecard"]?["score"] == report["score"])
            #expect(result["scorecard"]?["thresholds"] == ["fits": 70, "mixed": 45])
            let steps = progress.withLock { $0 }
            #expect(steps.first == 0 && steps.last == 90 && zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(steps.contains { 30 < $0 && $0 < 80 }, "the draft streams")
            #expect(fixture.modelCalls == 1 && fixture.simulator.count(of: .sec) == 3)
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather", "draft"])
            try await fixture.test.store.complete(job.lease, with: result, effects: [])
            let stored = try await fixture.test.store.jobWithResult(job.lease.job, of: nil)
            #expect(stored?.result == result)
        }
    }

    @Test func eachFactNamesItsFiling() async throws {
        try await ResearchFixture.run { fixture in
            let result = try await fixture.attempt(try await fixture.job(), fixture.agent())
            let facts = try #require(result["facts"]?.array)
            func fact(_ id: String) -> JSON? { facts.first { $0["id"]?.string == id } }
            for fact in facts {
                for field in [
                    "value", "reported", "unit", "tag", "form", "accession_number", "filing_date", "url", "label",
                ] {
                    #expect(fact[field].map { !$0.isNull } == true, "\(fact["id"]?.string ?? ""): \(field)")
                }
                #expect(fact["accession_number"]?.string?.wholeMatch(of: /\d{10}-\d{2}-\d{6}/) != nil)
            }
            let revenue = try #require(fact("revenue.FY2025"))
            #expect(revenue["value"]?.double == 416_161_000_000 && revenue["form"]?.string == "10-K")
            #expect(revenue["accession_number"]?.string == "0000320193-25-000079")
            #expect(revenue["filing_date"]?.string == "2025-10-31")
            // Before the split of four for one of August 2020.
            let earnings = try #require(fact("diluted_eps.FY2017"))
            #expect(earnings["reported"]?.double == 9.21 && earnings["value"]?.double == 2.3025)
            #expect(earnings["adjustment"]?["factor"]?.double == 4)
            let ids = Set(facts.compactMap { $0["id"]?.string })
            for item in result["scorecard"]?["items"]?.array ?? [] {
                let evidence = Set((item["evidence"]?["figures"]?.array ?? []).compactMap(\.string))
                #expect(evidence.isSubset(of: ids), "\(item["id"]?.string ?? ""): \(evidence.subtracting(ids))")
            }
        }
    }

    @Test(arguments: [
        ("AAPL", "buffett"), ("AAPL", "graham"), ("AAPL", "lynch"), ("SNOW", "munger"), ("SNOW", "fisher"),
        ("SNOW", "wood"),
    ])
    func noFigureOfAReportIsMissingFromItsFactsAndScores(ticker: String, persona: String) async throws {
        try await ResearchFixture.run { fixture in
            let agent = try fixture.agent(
                market: FixedMarket(price: 250, cap: ticker == "AAPL" ? 3_750_000_000_000 : nil))
            let result = try await fixture.attempt(try await fixture.job(ticker, persona), agent)
            #expect(try strayFigures(of: result, by: try #require(fixture.bundle.personas[persona])) == [])
            #expect(result["report"]?["company"]?["ticker"]?.string == ticker)
        }
    }

    /// Figures of the report's text that are neither in `facts` nor in `computed` nor in the scorecard's texts.
    private func strayFigures(of result: JSON, by persona: Persona) throws -> [String] {
        let facts = (result["facts"]?.array ?? []).compactMap { fact -> Fact? in
            guard let value = fact["value"]?.double, let unit = fact["unit"]?.string else { return nil }
            let code = unit.split(separator: "/").first.map(String.init) ?? unit
            return Fact(value, unit == "shares" ? .shares : .currency(code), label: "")
        }
        let computed = try #require(result["computed"]?.array).compactMap { line -> Fact? in
            guard let value = line["value"]?.double else { return nil }
            let units: [String: Fact.Unit] = ["ratio": .ratio, "times": .times, "years": .years, "number": .number]
            let unit = line["unit"]?.string ?? ""
            return Fact(value, units[unit] ?? .currency(unit), label: "")
        }
        #expect(facts.count > 100 && computed.count > 30)
        let report = try #require(result["report"])
        let quotable =
            persona.checklist.map(\.question) + (report["gaps"]?.array ?? []).compactMap(\.string)
            + (result["scorecard"]?["remarks"]?.array ?? []).compactMap(\.string)
        let check = FigureCheck(facts: facts + computed, quotable: quotable)
        var texts = ["summary", "thesis", "valuation", "sources_note"].compactMap { report[$0]?.string }
        for point in (report["strengths"]?.array ?? []) + (report["risks"]?.array ?? []) {
            texts += [point["title"], point["detail"]].compactMap { $0?.string }
        }
        texts += (report["what_would_change_the_view"]?.array ?? []).compactMap { $0["text"]?.string }
        return texts.flatMap { check.unsupported(in: $0) }.map(\.sentence)
    }

    @Test func twoRunsOnTheSameFactsAgree() async throws {
        try await ResearchFixture.run { fixture in
            var results: [JSON] = []
            for _ in 0..<2 {
                let job = try await fixture.job("AAPL", "graham")
                let result = try await fixture.attempt(job, fixture.agent())
                try await fixture.test.store.complete(job.lease, with: result, effects: [])
                results.append(result)
            }
            for part in ["report", "facts", "computed", "scorecard"] {
                #expect(results[0][part] == results[1][part], "\(part)")
            }
            #expect(results[0]["provenance"]?["job_id"] != results[1]["provenance"]?["job_id"])
        }
    }

    @Test func provenanceNamesTheSourcesOfTheReport() async throws {
        try await ResearchFixture.run { fixture in
            let result = try await fixture.attempt(try await fixture.job(), fixture.agent())
            let provenance = try #require(result["provenance"])
            #expect(provenance["bundle"]?.string == fixture.bundle.hash)
            #expect(
                provenance["persona"] == [
                    "id": "buffett", "version": JSON(fixture.bundle.personas["buffett"]?.version),
                ])
            #expect(provenance["gathered_at"]?.string?.hasPrefix("2025-11-15T00:00:00") == true)
            let calls = try #require(provenance["model_calls"]?.array)
            #expect(calls.count == 1 && calls[0]["response_id"]?.string?.hasPrefix("msg_sim_") == true)
            #expect(calls[0]["usage"]?.object?.isEmpty == false && calls[0]["cost_micro_dollars"]?.integer ?? 0 > 0)
            #expect(provenance["cost_micro_dollars"] == calls[0]["cost_micro_dollars"])
            #expect(try await fixture.test.spent() == provenance["cost_micro_dollars"]?.integer)
        }
    }

    @Test func valuationNeedsAPriceAndTheReportSaysWhenThereIsNone() async throws {
        try await ResearchFixture.run { fixture in
            let first = try await fixture.job("AAPL", "lynch")
            let without = try await fixture.attempt(first, fixture.agent())
            try await fixture.test.store.complete(first.lease, with: without, effects: [])
            #expect(without["report"]?["gaps"]?[0]?.string?.hasPrefix("There is no share price to rely on") == true)
            #expect(item("peg", of: without)?["score"]?.isNull == true)
            let market = FixedMarket(price: 250, cap: 3_750_000_000_000)
            let with = try await fixture.attempt(try await fixture.job("AAPL", "lynch"), fixture.agent(market: market))
            // 250 / 7.46 over 17.86 % a year: calculated in AppleMetricTests.
            #expect(isNear(item("peg", of: with)?["evidence"]?["value"]?.double, 1.876188))
            #expect(
                with["computed"]?.array?.contains { $0["id"]?.string == "price" && $0["value"]?.double == 250 } == true)
        }
    }

    private func item(_ id: String, of result: JSON) -> JSON? {
        result["scorecard"]?["items"]?.array?.first { $0["id"]?.string == id }
    }

    @Test func companyWithTooFewYearsGetsAReportThatAbstains() async throws {
        try await ResearchFixture.run { fixture in
            let filings = try fixture.filings(over: CuttingTransport(transport: fixture.client, after: "2022-12-31"))
            let result = try await fixture.attempt(try await fixture.job(), fixture.agent(filings: filings))
            #expect(result["report"]?["verdict"]?.string == "abstains" && result["report"]?["score"]?.isNull == true)
            #expect(result["scorecard"]?["remarks"]?[0]?.string?.hasPrefix("The filings give 3 fiscal years") == true)
            #expect(result["report"]?["summary"]?.string?.isEmpty == false)
        }
    }
}

@Suite struct ReportPassagesTests {
    @Test func reportIsFoundByItsSectionsByItsOwnerAlone() async throws {
        try await ResearchFixture.run { fixture in
            let job = try await fixture.job()
            let agent = try fixture.agent()
            let journal = try await Journal(of: job.lease, in: fixture.test.store)
            let kind = try #require(fixture.bundle.kinds["research"])
            let result = try await agent.run(
                JobContext(job: job, kind: kind, bundle: fixture.bundle, journal: journal, isLive: { true }) { _, _ in }
            )
            try await fixture.test.store.complete(
                job.lease, with: result.body, effects: result.records.map { .record($0) })
            let found = try await fixture.test.store.passages(holding: ["appl"], for: 1, limit: 20)
            #expect(found.count >= 5 && found.allSatisfy { $0.kind == .report && $0.owner == 1 })
            #expect(Set(found.map(\.source)) == [job.lease.job.description])
            let summary = try #require(found.first { $0.title.hasSuffix("Summary") })
            #expect(summary.title.hasPrefix("Report on Apple") && summary.title.contains("Warren Buffett"))
            #expect(JSON(summary.text) == result.body["report"]?["summary"])
            #expect(try await fixture.test.store.passages(holding: ["appl"], for: 2, limit: 20).isEmpty)
        }
    }
}

/// The simulator has parts of real documents: they must give the same figures as the whole.
@Suite(.enabled(if: SharedFilings.areThere, SharedFilings.absence))
struct SimulatedCompanyTests {
    @Test(arguments: [
        ("AAPL", SharedFilings.apple), ("SNOW", SharedFilings.snowflake),
    ])
    func simulatedCompanyHasTheFiguresOfTheRealOne(ticker: String, document: String) async throws {
        let real = try SharedFilings.fundamentals(document)
        try await ResearchFixture.run { fixture in
            let simulated = try await fixture.filings(over: fixture.client).fundamentals(ticker).fundamentals
            #expect(
                simulated.fiscalYears == real.fiscalYears)
            for concept in Concept.allCases {
                let values = simulated.annual(concept).map { "\($0.id) \($0.value) \($0.filing.accession)" }
                #expect(values == real.annual(concept).map { "\($0.id) \($0.value) \($0.filing.accession)" })
            }
        }
    }
}
