import DossierAPI
import JSON
import JobQueue
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Agents

/// Archives over a real database.
@Suite struct ExportAgentTests {
    /// Writes lines of a fixed length; after some of them it does something else.
    private struct LongUser: UserArchiver {
        var lines: Int
        var after: @Sendable (Int) async throws -> Void = { _ in }

        func line(_ number: Int) -> String { "{\"n\":\(number),\"text\":\"\(String(repeating: "ö", count: 500))\"}" }

        func archive(_ user: UserID, to sink: any ArchiveSink) async throws -> (madeAt: Timestamp, lines: Int)? {
            for number in 0..<lines {
                try await sink.write(line(number))
                try await after(number)
            }
            return (Timestamp(milliseconds: 7000), lines)
        }
    }

    private struct NoUser: UserArchiver {
        func archive(_ user: UserID, to sink: any ArchiveSink) async throws -> (madeAt: Timestamp, lines: Int)? { nil }
    }

    private struct Dies: Error {}

    /// The text of an archive.
    private func text(_ export: UserExport, _ store: SQLiteStore) async throws -> String {
        var text = ""
        for number in 0..<export.parts { text += try #require(try await store.exportPart(number, of: export)) }
        return text
    }

    @Test func anArchiveIsStoredInPartsAndIsThereWithTheResult() async throws {
        try await AgentFixture.run { fixture in
            let store = fixture.test.store
            let user = LongUser(lines: 3000)
            let job = try await fixture.job("export", [:], cost: 0)
            let result = try await fixture.result(job, ExportAgent(archiver: user, exports: store))
            #expect(try await store.newestExport(of: 1) == nil)
            try await store.complete(
                job.lease, with: result.body, effects: result.records.map { .record($0) })
            let export = try #require(try await store.newestExport(of: 1))
            let expected = (0..<3000).map { user.line($0) + "\n" }.joined()
            #expect(export.parts == 3 && export.lines == 3000 && export.bytes == expected.utf8.count)
            #expect(export.madeAt == Timestamp(milliseconds: 7000))
            let isSame = try await text(export, store) == expected
            #expect(isSame)
            #expect(result.body["lines"] == 3000 && result.body["bytes"] == JSON(expected.utf8.count))
        }
    }

    @Test func aRunAfterOneThatDiedLeavesNothingOfIt() async throws {
        try await AgentFixture.run { fixture in
            let store = fixture.test.store
            let lost = try await fixture.job("export", [:], cost: 0)
            let dying = LongUser(lines: 5000) { if $0 == 4000 { throw Dies() } }
            _ = try await fixture.failure(lost, ExportAgent(archiver: dying, exports: store))
            try await store.snooze([lost.lease], after: .zero)
            let job = try await fixture.claim(by: "w1")
            #expect(job.lease.job == lost.lease.job)
            let user = LongUser(lines: 1200)
            let result = try await fixture.result(job, ExportAgent(archiver: user, exports: store))
            try await store.complete(job.lease, with: result.body, effects: result.records.map { .record($0) })
            var export = try #require(try await store.newestExport(of: 1))
            #expect(export.parts == 2)
            let isSame = try await text(export, store) == (0..<1200).map { user.line($0) + "\n" }.joined()
            #expect(isSame)
            export.epoch = lost.lease.epoch
            for number in 0..<5 { #expect(try await store.exportPart(number, of: export) == nil) }
        }
    }

    @Test func aWorkerThatLostTheJobStopsAtTheNextPart() async throws {
        try await AgentFixture.run { fixture in
            let store = fixture.test.store
            let job = try await fixture.job("export", [:], cost: 0)
            let written = Counter()
            let user = LongUser(lines: 100_000) { number in
                written.increment()
                if number == 10 { _ = try await store.cancel(job.lease.job, of: 1) }
            }
            await #expect {
                _ = try await fixture.attempt(job, ExportAgent(archiver: user, exports: store))
            } throws: { error in
                if case .interrupted? = error as? AgentError { true } else { false }
            }
            #expect(written.count < 2000)
            #expect(try await store.newestExport(of: 1) == nil)
        }
    }

    @Test func anArchiveThatIsTooLargeFailsAndLeavesNothing() async throws {
        try await AgentFixture.run { fixture in
            let store = fixture.test.store
            let job = try await fixture.job("export", [:], cost: 0)
            let agent = ExportAgent(archiver: LongUser(lines: 9000), exports: store, mostBytes: 3 << 20)
            let failure = try await fixture.failure(job, agent)
            #expect(failure.error.code == .tooLarge && !failure.isTransient)
            #expect(failure.error.message.contains("\(3 << 20) bytes"))
            let export = UserExport(
                job: job.lease.job.description, user: 1, epoch: job.lease.epoch, madeAt: 0, lines: 0, bytes: 0,
                parts: 3)
            #expect(try await store.exportPart(0, of: export) == nil)
        }
    }

    @Test func theArchiveOfAUserWhoIsGoneIsNotFound() async throws {
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("export", [:], cost: 0)
            let failure = try await fixture.failure(
                job, ExportAgent(archiver: NoUser(), exports: fixture.test.store))
            #expect(failure.error.code == .notFound && !failure.isTransient)
        }
    }
}
