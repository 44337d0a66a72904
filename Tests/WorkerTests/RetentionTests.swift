import Agents
import JobQueue
import JSON
import Testing
import TestSupport

@testable import SQLiteStore
@testable import Worker

/// A worker deletes what is older than its settings say.
@Suite struct RetentionTests {
    @Test func aWorkerDeletesOldJournalsAndJobsByItsSettings() async throws {
        try await Fixture.with { fixture in
            let ids = [try await fixture.submit(), try await fixture.submit()]
            let worker = fixture.worker { configuration in
                configuration.retentionInterval = .milliseconds(20)
                configuration.retention.journals = .zero
            } script: { context async throws(AgentError) in
                try await context.journal.step("a", input: 1) { 2 }.output
            }
            try await fixture.running(worker) {
                for id in ids { _ = try await fixture.end(of: id) }
                #expect(try await eventually { try await fixture.store.journal(of: ids[0]).isEmpty })
            }
            #expect(try await fixture.store.job(ids[0], of: nil)?.status == .completed)
            let next = fixture.worker { configuration in
                configuration.retentionInterval = .milliseconds(20)
                configuration.retention.jobs = .zero
            } script: { _ async throws(AgentError) in
                .null
            }
            try await fixture.running(next) {
                let isGone = try await eventually { try await fixture.store.job(ids[1], of: nil) == nil }
                #expect(isGone)
            }
        }
    }
}
