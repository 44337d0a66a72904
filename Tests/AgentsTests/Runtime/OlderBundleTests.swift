import Basics
import DataSources
import JSON
import JobQueue
import Prompts
import Simulator
import TestSupport
import Testing

@testable import Agents

/// Jobs that were submitted to an older program, whose prompts do not know what the agents have since: a job runs with the
/// prompts of its submit.
@Suite struct OlderBundleTests {
    /// The present prompts without members that agents give now, and with members that agents gave before.
    private static func bundle() throws -> Prompts.Bundle {
        var files = try JSON(parsing: ContentFiles.bundle.get().archive)
        for (file, old, new) in [
            ("prompts/research.prompt", "      change?: string, how a risk changed\n", "      rumour?: string\n"),
            (
                "prompts/research-repair.prompt", "      change?: string, how a risk changed\n",
                "      rumour?: string\n"
            ),
            (
                "prompts/research.prompt", "    persona_facts?(array",
                "    mood?: string, of the market\n    persona_facts?(array"
            ),
            ("prompts/research.prompt", "      fiscal_year_end?: string\n", ""),
        ] {
            let text = try #require(files[file]?.string)
            try #require(text.contains(old), "\(file) has no '\(old)'")
            files[file] = JSON(text.replacing(old, with: new))
        }
        return try Prompts.Bundle(archive: files.compact, rules: ContentFiles.rules)
    }

    @Test func aReportRunsWithThePromptsOfItsSubmit() async throws {
        let older = try Self.bundle()
        let record = GivenMembers.Record()
        try await GivenMembers.$record.withValue(record) {
            try await ResearchFixture.run { fixture in
                // The first answer fails, so the prompt of the repair is filled in, too.
                fixture.simulator.faults.add(FaultRule(.badClaim(.quote), service: .claude, times: 1))
                let library = try fixture.library()
                let job = try await fixture.job()
                let result = try await fixture.attempt(job, fixture.agent(library: library), bundle: older)
                #expect(result["provenance"]?["bundle"] == JSON(older.hash))
                #expect(result["provenance"]?["repaired"] == true)
                #expect(result["report"]?["claims"]?.array?.isEmpty == false)
                for call in fixture.simulator.calls(to: .claude) {
                    let request = try #require(call.body).compact
                    #expect(!request.contains("since the annual report") && !request.contains("fiscal_year_end"))
                }
            }
        }
        #expect(record.given(to: "research").isSuperset(of: ["company_passages[].change", "company.fiscal_year_end"]))
        #expect(record.given(to: "research-repair").contains("company_passages[].id"))
    }

    @Test func promptsThatKnowOneListOfPassagesAreGivenAllInIt() async throws {
        var files = try JSON(parsing: ContentFiles.bundle.get().archive)
        for name in ["prompts/research.prompt", "prompts/research-repair.prompt"] {
            let text = try #require(files[name]?.string)
            let older = text.replacing("    company_passages?(", with: "    other_passages?(")
                .replacing("[company, facts, company_passages]", with: "[company, facts]")
            #expect(older.utf8.count < text.utf8.count)
            files[name] = JSON(older)
        }
        let partial = try #require(files["prompts/_company.prompt"]?.string)
        let place = try #require(partial.ranges(of: "{{#if company_passages}}").first).lowerBound
        files["prompts/_company.prompt"] = JSON(String(partial[..<place]))
        for name in ["prompts/_passages.prompt"] {
            files[name] = JSON(
                try #require(files[name]?.string).replacing("#if company_passages", with: "#if language"))
        }
        let older = try Prompts.Bundle(archive: files.compact, rules: ContentFiles.rules)
        try await ResearchFixture.run { fixture in
            let library = try fixture.library()
            let agent = try fixture.agent(library: library)
            _ = try await fixture.attempt(try await fixture.job(), agent)
            _ = try await fixture.attempt(try await fixture.job(worker: "w2"), agent, bundle: older)
            let texts = fixture.simulator.calls(to: .claude).map { $0.body?.compact ?? "" }
            let passages = texts.map { text in
                Set(text.matches(of: /\{\\"id\\":\\"(p[0-9]+)\\"/).map { String($0.output.1) })
            }
            #expect(passages.count == 2 && passages[0].count > 10 && passages[0] == passages[1])
        }
    }
}
