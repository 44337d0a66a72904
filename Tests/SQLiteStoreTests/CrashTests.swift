import SQLSupport
import Foundation
import JSON
import JobQueue
import StoreConformance
import Testing

@testable import SQLiteStore

@Suite struct CrashTests {
    /// Three processes on one file are killed again and again in the middle of their writes.
    @Test func nothingAcknowledgedIsLostHoweverOftenProcessesAreKilled() async throws {
        let fixture = SQLiteFixture(clock: ManualStoreClock())
        let path = fixture.path
        _ = try await fixture.openStore()
        var submitted: Set<String> = []
        var completed: [String] = []
        for round in 0..<4 {
            let lines = await withTaskGroup(of: [String].self) { group in
                for place in 0..<3 {
                    let limit = Int.random(in: 1...400)
                    group.addTask {
                        await HammerProcess.run(path, worker: "w\(round)-\(place)", killAfter: limit)
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                if words.first == "submitted" { submitted.insert(words[1]) }
                if words.first == "completed" { completed.append(words[1]) }
            }
        }
        #expect(!submitted.isEmpty && !completed.isEmpty)
        #expect(Set(completed).count == completed.count, "a job was completed twice")
        try await finish(fixture, submitted: submitted, completed: Set(completed))
        await fixture.remove()
    }

    /// What a new process finds: sound pages, balanced books, every acknowledged job; and it can finish the rest.
    private func finish(_ fixture: SQLiteFixture, submitted: Set<String>, completed: Set<String>) async throws {
        let database = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        #expect(try database.word("PRAGMA integrity_check") == "ok")
        #expect(try database.word("SELECT count(*) FROM pragma_foreign_key_check") == "0")
        let store = try await fixture.openStore()
        #expect(try await store.auditCredits() == [])
        for id in submitted.compactMap({ JobID($0) }) { #expect(try await store.job(id, of: nil) != nil) }
        for id in completed.compactMap({ JobID($0) }) {
            let job = try #require(try await store.jobWithResult(id, of: nil))
            #expect(job.job.status == .completed && job.result != nil)
        }
        for beat in try await store.heartbeats() { _ = try await store.rescue(beat) }
        let worker = WorkerID(rawValue: "last")
        try await store.register(WorkerRegistration(id: worker, host: "test", processID: 1, concurrency: 1))
        while case let jobs = try await store.claim(for: worker, upTo: [.background: 500]).jobs, !jobs.isEmpty {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { try await store.complete(job.lease, with: 1, effects: []) } }
                try await group.waitForAll()
            }
        }
        #expect(try database.word("SELECT count(*) FROM job WHERE completed_at IS NULL") == "0")
        for table in ["ready", "scheduled", "lease"] {
            #expect(try database.word("SELECT count(*) FROM \(table)") == "0")
        }
        #expect(try await store.auditCredits() == [])
    }
}
