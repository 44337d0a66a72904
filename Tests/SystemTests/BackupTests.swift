import DossierAPI
import Foundation
import JSON
import Simulator
import Synchronization
import Testing

extension SystemTests.Crashes {
    @Suite(.serialized) struct BackupTests {
        private static let users = 24

        /// Backups are taken while jobs are submitted, run and paid for. The last one becomes the database.
        @Test(.timeLimit(.minutes(10)))
        func aBackupTakenUnderLoadIsRestoredWithEveryJobWholeAndEveryCreditRight() async throws {
            let pacing = Pacing(firstByte: .milliseconds(100), tokensPerSecond: 900, deltaLength: 80)
            try await Fleet.with(pacing: pacing) { fleet in
                let backup = fleet.folder + "/backup.db"
                let broker = try await fleet.startBroker()
                let worker = try await fleet.startWorker(["--concurrency", "6"])
                let accepted = Accepted()
                let (before, taken) = try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for user in 1...Self.users {
                            for _ in 1...3 {
                                accepted.add(user, try await fleet.submit(user: user).id)
                            }
                            // The load lasts as long as the jobs do.
                            if let id = accepted.first(of: user - 6) { _ = try await fleet.end(of: id, user: user - 6) }
                        }
                    }
                    var before: [(user: Int, id: String)] = []
                    var taken: [JSON] = []
                    for number in 1...3 {
                        try await eventually("a third of the jobs is submitted") {
                            accepted.all.count >= number * Self.users * 3 / 4
                        }
                        before = accepted.all
                        let result = try await fleet.run("backup", backup, "--replace", "--json")
                        #expect(result.exit == .code(0), "\(result)")
                        taken += try result.records()
                    }
                    try await group.waitForAll()
                    return (before, taken)
                }
                #expect(taken.count == 3 && (taken.last?["jobs"]?.integer ?? 0) >= before.count)
                try await broker.crash()
                try await worker.crash()
                // Jobs ran at that moment: the copy is of a database under load.
                let restored: Fleet.Variables = ["DOSSIER_DATABASE_URL": "sqlite:" + backup]
                let audit = try await fleet.run("credits", "audit", variables: restored)
                #expect(audit.exit == .code(0), "\(audit)")
                let figures = try await fleet.run("doctor", "--json", variables: restored).records()
                let running = figures.first { $0["subject"] == "database leases" }?["value"]?.integer
                #expect((running ?? 0) > 0, "\(figures)")
                try await fleet.startBroker(variables: restored)
                _ = try await fleet.startWorker(variables: restored)
                for (user, id) in before {
                    let job = try await fleet.end(of: id, user: user)
                    #expect(job.status == "completed", "\(job)")
                    #expect(try await fleet.result(of: id, user: user)["report"] != nil)
                }
                for user in Set(before.map(\.user)) {
                    let ended = try await fleet.credits(user: user)
                    #expect(ended.held == 0 || user == before.last?.user, "user \(user)")
                }
                let after = try await fleet.run("credits", "audit", variables: restored)
                #expect(after.exit == .code(0), "\(after)")
                let doctor = try await fleet.run("doctor", "--json", variables: restored).records()
                #expect(doctor.allSatisfy { $0["ok"] == true }, "\(doctor.filter { $0["ok"] != true })")
            }
        }

        /// The jobs whose submit was acknowledged.
        private final class Accepted: Sendable {
            private let list = Mutex<[(user: Int, id: String)]>([])

            var all: [(user: Int, id: String)] { list.withLock { $0 } }

            func add(_ user: Int, _ id: String) { list.withLock { $0.append((user, id)) } }

            func first(of user: Int) -> String? { all.first { $0.user == user }?.id }
        }

        @Test(.timeLimit(.minutes(10)))
        func aBackupThatCannotBeTakenSaysWhy() async throws {
            try await Fleet.with { fleet in
                let file = fleet.folder + "/backup.db"
                let early = try await fleet.run("backup", file)
                #expect(early.exit == .code(1) && early.errors.hasSuffix("there is no such database"), "\(early)")
                _ = try await fleet.run("migrate")
                let first = try await fleet.run("backup", file)
                #expect(first.exit == .code(0) && first.output.contains("0 jobs, sound"), "\(first)")
                let second = try await fleet.run("backup", file)
                #expect(second.exit == .code(1) && second.errors.contains("--replace"), "\(second)")
                #expect(try await fleet.run("backup", file, "--replace").exit == .code(0))
                let other = try await fleet.run("backup", file, "--database", "postgres://u:geheim@127.0.0.1:1/x")
                #expect(other.exit == .code(1) && other.errors.contains("pg_dump --format=custom"), "\(other)")
                #expect(!other.errors.contains("geheim"))
            }
        }
    }
}
