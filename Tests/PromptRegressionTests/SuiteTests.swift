import JSON
import Testing

@testable import PromptRegression

/// What operators see of the cases of the prompts.
@Suite struct SuiteTests {
    @Test func aSuiteTellsCasesThatPassAndThoseWhoseRecordingIsStale() throws {
        let workspace = try Workspace(cases: ["research/apple", "research/snowflake"])
        let runner = try workspace.runner()
        let none = OfflineRunner(home: workspace.path("none"), bundle: try workspace.bundle())
        #expect(runner.hasCases && !none.hasCases)
        let cases = try #require(runner.overview(at: "now", runs: "none")["cases"]?.array)
        #expect(!cases.isEmpty && cases.allSatisfy { $0["outcome"] == "passed" && $0["failing"] == [] })
        let apple = try #require(cases.first { $0["prompt"] == "research" && $0["name"] == "apple" })
        #expect(apple["model"]?.string != nil && apple["recorded_at"]?.string != nil)
        // An edited prompt makes another request, which no recording answers.
        try workspace.edit("prompts/research.prompt", "maxOutputTokens: 8000", "maxOutputTokens: 7001")
        let edited = try #require(try workspace.runner().overview(at: "now", runs: "none")["cases"]?.array)
        let stale = try #require(edited.first { $0["prompt"] == "research" && $0["name"] == "apple" })
        #expect(stale["outcome"] == "stale" && stale["recorded_at"] == .null)
        let detail = try #require(try workspace.runner().detail(of: .init(prompt: "research", name: "apple")))
        #expect(
            detail["request"]?["diff"]?.string?.contains("7001") == true && detail["findings"]?.array?.isEmpty == false
        )
    }

    @Test func aCaseTellsItsChecksWithTheReasonsOfThoseThatFail() throws {
        let workspace = try Workspace()
        let runner = try workspace.runner()
        let found = runner.detail(of: .init(prompt: "research", name: "invented-figure"))
        let detail = try #require(found)
        let checks = try #require(detail["checks"]?.array)
        let failed = checks.filter { $0["passed"] == false }
        #expect(!failed.isEmpty && failed.allSatisfy { $0["reason"]?.string?.isEmpty == false })
        #expect(checks.contains { $0["passed"] == true && $0["reason"] == .null })
        #expect(detail["outcome"] == "passed", "the case expects these checks to fail")
        #expect(detail["request"]?["diff"] == .null && detail["output"]?["actual"]?.string?.isEmpty == false)
        let none = runner.detail(of: .init(prompt: "research", name: "none"))
        #expect(none == nil)
    }
}
