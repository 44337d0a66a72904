import SQLSupport
import Foundation
import JSON
import JobQueue
import PostgresTesting
import StoreConformance
import Testing

@testable import PostgresStore

@Suite struct CrashTests {
    /// Three processes on one database are killed repeatedly during their writes.
    @Test func noAcknowledgedWriteIsLostWhenProcessesAreKilled() async throws {
        let fixture = try await PostgresFixture()
        var submitted: Set<String> = []
        var completed: [String] = []
        for round in 0..<3 {
            let lines = try await withThrowingTaskGroup(of: [String].self) { group in
                for place in 0..<3 {
                    let limit = Int.random(in: 1...300)
                    group.addTask {
                        try await ProgramToKill.lines(
                            of: [Self.hammer, fixture.database.url, "w\(round)-\(place)"], killAfter: limit)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                if words.first == "submitted" { submitted.insert(words[1]) }
                if words.first == "completed" { completed.append(words[1]) }
            }
        }
        #expect(!submitted.isEmpty && !completed.isEmpty)
        #expect(Set(completed).count == completed.count, "a job was completed twice")
        let store = try await fixture.openStore { $0.now = nil }
        for id in submitted.compactMap({ JobID($0) }) { #expect(try await store.job(id, of: nil) != nil) }
        for id in completed.compactMap({ JobID($0) }) {
            let job = try #require(try await store.jobWithResult(id, of: nil))
            #expect(job.job.status == .completed && job.result != nil)
        }
        try await finish(store, fixture)
        await fixture.remove()
    }

    /// Finishes the remaining jobs in a new process; credits balance before and after.
    private func finish(_ store: PostgresStore, _ fixture: PostgresFixture) async throws {
        #expect(try await store.auditCredits() == [])
        for beat in try await store.heartbeats() { _ = try await store.rescue(beat) }
        let worker = WorkerID(rawValue: "last")
        try await store.register(WorkerRegistration(id: worker, host: "test", processID: 1, concurrency: 1))
        while case let jobs = try await store.claim(for: worker, upTo: [.background: 500]).jobs, !jobs.isEmpty {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { try await store.complete(job.lease, with: 1, effects: []) } }
                try await group.waitForAll()
            }
        }
        let left = try await fixture.database.sql(
            """
            SELECT (SELECT count(*) FROM job WHERE completed_at IS NULL), (SELECT count(*) FROM ready),
                (SELECT count(*) FROM scheduled), (SELECT count(*) FROM lease), (SELECT count(*) FROM serialized_job)
            """)
        #expect(left == ["0|0|0|0|0"])
        #expect(try await store.auditCredits() == [])
    }

    /// SwiftPM puts executables beside the test bundle.
    private static var hammer: String {
        let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test ?? "").deletingLastPathComponent().appending(path: "StoreHammer").path
    }
}
