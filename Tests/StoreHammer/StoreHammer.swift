import Basics
import Glibc
import JSON
import JobQueue
import PostgresStore
import SQLiteStore

/// A process that tests kill: it submits and runs jobs as fast as it can, and prints one line for each acknowledged
/// write (`submitted ID`, `completed ID`). It ends by itself after a fixed number of rounds.
///
/// Usage: `StoreHammer DATABASE WORKER`; the database is a SQLite file or a `postgres://…` URL.
@main struct StoreHammer {
    private static let rounds = 20_000

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(2) }
        let store = try await open(arguments[1])
        let worker = WorkerID(rawValue: arguments[2])
        try await store.register(WorkerRegistration(id: worker, host: "test", processID: getpid(), concurrency: 8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in 1...4 { group.addTask { try await submit(for: UserID(rawValue: Int64(user)), to: store) } }
            for _ in 0..<2 { group.addTask { try await work(as: worker, on: store) } }
            try await group.waitForAll()
        }
    }

    private static func open(_ database: String) async throws -> any JobStore {
        if database.hasPrefix("postgres://") { return try await PostgresStore.open(try PostgresURL(database)) }
        return try await SQLiteStore.open(path: database)
    }

    private static func submit(for user: UserID, to store: any JobStore) async throws {
        for round in 0..<rounds {
            var generator = SystemRandomNumberGenerator()
            let now = Timestamp(milliseconds: WallClock.milliseconds())
            var job = NewJob(
                id: JobID(at: now, using: &generator), user: user, kind: "test",
                input: ["padding": JSON(String(repeating: "x", count: round % 5000))], bundle: "b", cost: 1,
                deadline: now + .seconds(3600), startingCredits: 1_000_000)
            if round.isMultiple(of: 3) {
                job.concurrencyKey = "line"
            } else if round.isMultiple(of: 4) {
                let sharedJob = JobID(at: now, using: &generator)
                job.source = .shared(
                    SharedWork(
                        id: sharedJob, key: "work-\(round % 5)", input: ["shared": true], deadline: now + .seconds(3600)
                    ))
            }
            if case .accepted = try await store.submit(job) { print(line: "submitted \(job.id)") }
            if round.isMultiple(of: 7) { _ = try await store.cancel(job.id, of: user) }
        }
    }

    private static func work(as worker: WorkerID, on store: any JobStore) async throws {
        for _ in 0..<rounds {
            for job in try await store.claim(for: worker, upTo: [.background: 4]).jobs {
                do {
                    try await run(job, on: store)
                } catch StoreError.leaseLost {
                    continue
                }
            }
        }
    }

    private static func run(_ job: ClaimedJob, on store: any JobStore) async throws {
        try await store.report([ProgressReport(lease: job.lease, progress: 50, currentStep: "half")])
        let step = Step(name: "think", occurrence: 0, inputHash: "h", output: ["attempt": JSON(job.attempt)])
        _ = try await store.append(step, replacingFrom: nil, effects: [], under: job.lease)
        try await store.complete(job.lease, with: ["by": JSON(job.lease.epoch)], effects: [])
        print(line: "completed \(job.lease.job)")
    }

    /// Prints in one system call, so that a killed process leaves no partial line.
    private static func print(line: String) {
        var line = line + "\n"
        line.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
