import Prompts
import SQLiteStore
import JSON
import JobQueue
import Testing

@testable import Agents

@Suite struct ReportPassagesTests {
    @Test func aReportIsFoundByItsSectionsByItsOwnerAlone() async throws {
        try await World.run { world in
            let job = try await world.job()
            let agent = try world.agent()
            let journal = try await Journal(of: job.lease, in: world.test.store)
            let kind = try #require(world.bundle.kinds["research"])
            let result = try await agent.run(
                JobContext(job: job, kind: kind, bundle: world.bundle, journal: journal, isLive: { true }) { _, _ in })
            try await world.test.store.complete(
                job.lease, with: result.body, effects: result.records.map { .record($0) })
            let found = try await world.test.store.passages(holding: ["appl"], for: 1, limit: 20)
            #expect(found.count >= 5 && found.allSatisfy { $0.kind == .report && $0.owner == 1 })
            #expect(Set(found.map(\.source)) == [job.lease.job.description])
            let summary = try #require(found.first { $0.title.hasSuffix("Summary") })
            #expect(summary.title.hasPrefix("Report on Apple") && summary.title.contains("Warren Buffett"))
            #expect(JSON(summary.text) == result.body["report"]?["summary"])
            #expect(try await world.test.store.passages(holding: ["appl"], for: 2, limit: 20).isEmpty)
        }
    }
}
