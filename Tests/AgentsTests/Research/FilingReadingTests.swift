import Basics
import DataSources
import Filings
import JobQueue
import JSON
import Prompts
import Simulator
import TestSupport
import Testing

@testable import Agents

/// What a report shows of the company's filings.
@Suite struct FilingReadingTests {
    @Test func `a report shows what changed in the risks, word for word and with its place`() async throws {
        try await ResearchFixture.run { fixture in
            let documents = MemoryDocuments()
            let library = try fixture.library(documents)
            let job = try await fixture.job()
            let result = try await fixture.attempt(job, fixture.agent(library: library))
            let report = try #require(result["report"])
            let read = try #require(report["filings_read"]?.array)
            #expect(read.compactMap { $0["form"]?.string } == ["10-K", "10-K", "10-Q", "DEF 14A", "8-K"])
            #expect(read.allSatisfy { $0["problem"]?.isNull == true })
            let changes = try #require(report["risk_changes"])
            #expect(changes["new_count"]?.integer == 1 && changes["removed_count"]?.integer == 1)
            #expect(changes["new"]?[0]?["text"]?.string?.contains("Shortages of freight") == true)
            #expect(changes["removed"]?[0]?["text"]?.string?.contains("artificial intelligence") == true)
            let after = try #require(changes["after"]?.string)
            #expect(changes["new"]?[0]?["id"]?.string?.hasPrefix(after + "/1A/") == true)
            let updates = try #require(report["risk_updates"])
            #expect(updates["is_unchanged"] == false && updates["new"]?.array?.count == 1)
            #expect(updates["new"]?[0]?["text"]?.string?.contains("customs duty") == true)
            #expect(updates["new"]?[0]?["id"]?.string?.contains("/II-1A/") == true)
            #expect(updates["accession_number"] == read[2]["accession_number"])
            let business = try #require(report["business"]?.array?.first)
            let stored = try await library.text(after)
            let filed = try #require(stored)
            #expect(filed.filing["1"]?.paragraphs.contains { $0.text == business["text"]?.string } == true)
            #expect(business["url"]?.string?.contains("#:~:text=") == true)
            let year = try #require(report["segments"]?["years"]?[0])
            #expect(year["parts"]?.array?.compactMap { $0["name"]?.string } == ["Products", "Services"])
            let sum = (year["parts"]?.array ?? []).reduce(0) { $0 + ($1["revenue"]?.double ?? 0) }
            #expect(
                sum > 0 && sum == year["revenue"]?.double && report["segments"]?["accession_number"]?.string == after)
            let claims = try #require(report["claims"]?.array)
            #expect(!claims.isEmpty && claims.allSatisfy { $0["status"] == "verified" })
            for claim in claims {
                let id = try #require(claim["passages"]?[0]?.string)
                let item = try #require(claim["item"]?.string)
                let quote = try #require(claim["quote"]?.string)
                let section = try #require(filed.filing[item])
                let paragraph = try #require(section.paragraphs.first { $0.id == id })
                #expect(paragraph.text.contains(quote))
            }
            #expect(try await fixture.test.steps(of: job.lease.job) == ["filings", "gather", "draft"])
            let prompt = try #require(fixture.simulator.calls(to: .claude).last?.body).compact
            for change in ["since the annual report", "new in the annual report", "no more in the annual report"] {
                #expect(prompt.contains(change), "\(change)")
            }
            #expect(prompt.contains("customs duty") && prompt.contains("I-2"))
        }
    }

    /// A provider's cache keeps what stands before a mark, so what differs between personas has to come after the first.
    @Test func `reports by all personas begin with the same bytes, and these are most of each request`() async throws {
        try await ResearchFixture.run { fixture in
            let library = try fixture.library()
            let agent = try fixture.agent(library: library)
            let personas = try ContentFiles.bundle.get().personas.keys.sorted()
            for (place, persona) in personas.enumerated() {
                _ = try await fixture.attempt(try await fixture.job("AAPL", persona, worker: "w\(place)"), agent)
            }
            let calls = fixture.simulator.calls(to: .claude).compactMap(\.body)
            #expect(calls.count == personas.count)
            let starts = calls.map {
                "\($0["system"]?.compact ?? "")\($0["messages"]?[0]?["content"]?[0]?.compact ?? "")"
            }
            #expect(
                Set(starts).count == 1 && starts[0].contains("is data (passages)")
                    && starts[0].contains("cache_control"))
            for (call, start) in zip(calls, starts) {
                let whole = (call["system"]?.compact ?? "").utf8.count + (call["messages"]?.compact ?? "").utf8.count
                #expect(Double(start.utf8.count) / Double(whole) >= 0.7)
                let names = call.compact.matches(of: /\{\\"id\\":\\"(p[0-9]+)\\"/).map(\.output.1)
                #expect(names == (1...names.count).map { "p\($0)" }, "each passage has a name of its own")
            }
        }
    }

    @Test func `a second report on the company downloads nothing`() async throws {
        try await ResearchFixture.run { fixture in
            let documents = MemoryDocuments()
            _ = try await fixture.attempt(
                try await fixture.job(), fixture.agent(library: try fixture.library(documents)))
            let before = fixture.simulator.calls(to: .sec).count { $0.path.hasPrefix("/Archives/") }
            // Two annual reports, a quarterly one, a proxy statement, and a release with the page of its filing.
            #expect(before == 6)
            let other = try await fixture.job("AAPL", "graham", worker: "w2")
            let result = try await fixture.attempt(
                other, fixture.agent(library: try fixture.library(documents)))
            #expect(result["report"]?["risk_changes"]?.isNull == false)
            #expect(fixture.simulator.calls(to: .sec).count { $0.path.hasPrefix("/Archives/") } == before)
        }
    }
}
