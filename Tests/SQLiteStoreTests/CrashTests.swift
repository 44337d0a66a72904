import Basics
import Foundation
import JobQueue
import JSON
import SQLSupport
import StoreConformance
import Testing

@testable import SQLiteStore

@Suite struct CrashTests {
    /// Three processes on one file are killed repeatedly during their writes.
    @Test func acknowledgedWritesSurviveKilledProcesses() async throws {
        let fixture = SQLiteFixture(clock: ManualStoreClock())
        let path = fixture.path
        _ = try await fixture.openStore()
        var submitted: Set<String> = []
        var completed: [String] = []
        for round in 0..<4 {
            let lines = await withTaskGroup(of: [String].self) { group in
                for index in 0..<3 {
                    let limit = Int.random(in: 1...400)
                    group.addTask {
                        await HammerProcess.run(path, worker: "w\(round)-\(index)", killAfter: limit)
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

    /// Checks that a new process finds a sound file, a balanced ledger and every acknowledged job, and can finish the
    /// rest.
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
        for heartbeat in try await store.heartbeats() { _ = try await store.rescue(heartbeat) }
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

/// A `StoreHammer` in a process of its own.
enum HammerProcess {
    /// Starts a process, kills it after a number of lines, and returns all of its output lines.
    static func run(_ path: String, worker: String, killAfter lines: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let started = Thread.start {
                continuation.resume(returning: output(of: path, worker: worker, killAfter: lines))
            }
            if !started { continuation.resume(returning: []) }
        }
    }

    private static func output(of path: String, worker: String, killAfter limit: Int) -> [String] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard let process = spawn([executable, path, worker], output: ends[1]) else { return [] }
        close(ends[1])
        var bytes: [UInt8] = []
        var lines = 0
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            if count <= 0 { break }
            bytes += chunk[..<count]
            lines += chunk[..<count].count { $0 == 0x0A }
            if lines >= limit { kill(process, SIGKILL) }
        }
        close(ends[0])
        waitpid(process, nil, 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func spawn(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        return posix_spawn(&process, arguments[0], &actions, nil, words, environ) == 0 ? process : nil
    }

    /// The executable beside the test bundle, where SwiftPM puts it.
    private static var executable: String {
        let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test ?? "").deletingLastPathComponent().appending(path: "StoreHammer").path
    }
}
