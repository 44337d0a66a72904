import DossierAPI
import Foundation
import Glibc
import HTTP
import JSON
import PostgresTesting
import Simulator
import Testing

@testable import SQLiteStore

extension SystemTests.Timing {
    /// The users of one service in two databases, with a broker for each and one worker process.
    @Suite(.serialized) struct SeveralDatabasesTests {
        /// User 1 has slot 430 and user 2 slot 849.
        private static let slots = ["0-511", "512-1023"]
        private static let variable = "DOSSIER_WORKER_DATABASES"

        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func oneWorkerProcessServesTheUsersOfTwoDatabasesAndAnotherOneGoesOn(on engine: DatabaseEngine) async throws {
            let pacing = Pacing(tokensPerSecond: 1500, deltaLength: 80)
            try await Fleet.with(pacing: pacing, database: { try await Self.database(engine, in: $0) }) { fleet in
                let second = try await Self.database(engine, in: fleet.folder + "/second")
                let databases = [fleet.database, second]
                var brokers: [String] = []
                for (database, slots) in zip(databases, Self.slots) {
                    brokers.append(try await Self.broker(of: database, slots, in: fleet).url)
                }
                for (user, other) in [(1, 1), (2, 0)] {
                    let answer = try await fleet.send(.get, "/api/v1/users/me", user: user, at: brokers[other])
                    #expect(answer.status == 421 && answer.code == "SYS_5004")
                    let accounts = try await databases[other].query(
                        "SELECT count(*) FROM account WHERE subject = '\(user)'")
                    #expect(accounts == ["0"])
                }
                let variables = [Self.variable: databases.map(\.url).joined(separator: " ")]
                fleet.tempo.hold(after: 15)
                let worker = try await fleet.startWorker(variables: variables)
                var ids: [String] = []
                for (user, broker) in zip([1, 2], brokers) {
                    fleet.use(broker)
                    ids.append(try await fleet.submit(user: user).id)
                }
                for (user, broker) in zip([1, 2], brokers) {
                    fleet.use(broker)
                    try await fleet.state(of: ids[user - 1], user: user) { $0.status == "processing" }
                }
                // A worker of both dies, and another one goes on with the jobs of both.
                worker.signal(SIGKILL)
                fleet.tempo.release()
                let other = try await fleet.startWorker(variables: variables)
                for (user, broker) in zip([1, 2], brokers) {
                    fleet.use(broker)
                    #expect(try await fleet.end(of: ids[user - 1], user: user).status == "completed")
                    let jobs = try await databases[user - 1].query("SELECT count(*) FROM job")
                    #expect(jobs == ["1"])
                }
                let named = other.errors.records("worker started").compactMap { $0["database"]?.string }
                #expect(Set(named).count == 2)
                other.signal(SIGTERM)
                #expect(try await other.ended() == .code(0))
                await second.remove()
            }
        }

        /// The second server is away when the worker process starts, comes, and goes again.
        @Test(.timeLimit(.minutes(10))) func aServerThatIsAwayStopsOnlyItsOwnUsers() async throws {
            let cluster = try await PostgresCluster.start()
            try await Fleet.with(database: { _ in try await PostgresFleetDatabase() }) { fleet in
                let second = try await PostgresFleetDatabase(on: cluster)
                let first = try await Self.broker(of: fleet.database, Self.slots[0], in: fleet).url
                try await cluster.stop(.fast)
                let urls = [second.url, fleet.database.url].joined(separator: " ")
                let worker = try await fleet.startWorker(variables: [Self.variable: urls])
                fleet.use(first)
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")
                let waiting = try await worker.errors.record("waiting for the database")
                #expect(waiting["database"]?.string?.contains("password") == false)
                try await cluster.start()
                let broker = try await Self.broker(of: second, Self.slots[1], in: fleet)
                fleet.use(broker.url)
                let job = try await fleet.submit(user: 2).id
                #expect(try await fleet.end(of: job, user: 2).status == "completed")
                try await cluster.stop(.fast)
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(job)", user: 2).status == 503)
                fleet.use(first)
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")
                try await cluster.start()
                _ = try await broker.process.errors.record("the database is back")
                fleet.use(broker.url)
                // A connection that has not heard of the end yet is refused once.
                var last: String?
                while last == nil { last = try? await fleet.submit(user: 2, key: "again").id }
                #expect(try await fleet.end(of: try #require(last), user: 2).status == "completed")
            }
            await cluster.close()
        }

        /// A stop does not wait for the file that another program has locked.
        @Test(.timeLimit(.minutes(10))) func aLockedFileStopsOnlyItsOwnUsers() async throws {
            try await Fleet.with { fleet in
                let second = SQLiteFleetDatabase(in: fleet.folder + "/second")
                try FileManager.default.createDirectory(
                    atPath: fleet.folder + "/second", withIntermediateDirectories: true)
                #expect(FileManager.default.createFile(atPath: second.path, contents: nil))
                let lock = try SQLiteConnection(path: second.path, readOnly: false, busyTimeout: 60_000)
                try lock.execute("PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE; CREATE TABLE t (x)")
                let first = try await Self.broker(of: fleet.database, Self.slots[0], in: fleet).url
                let urls = [second.url, fleet.database.url].joined(separator: " ")
                let worker = try await fleet.startWorker(variables: [Self.variable: urls])
                fleet.use(first)
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")
                let waiting = try await worker.errors.record("waiting for the database")
                #expect(waiting["database"]?.string == second.url)
                let start = ContinuousClock.now
                worker.signal(SIGTERM)
                #expect(try await worker.ended() == .code(0))
                // It has no job; the time is that of a busy machine.
                #expect(ContinuousClock.now - start < .seconds(20))
                let next = try await fleet.startWorker(variables: [Self.variable: urls])
                try lock.execute("ROLLBACK")
                fleet.use(try await Self.broker(of: second, Self.slots[1], in: fleet).url)
                #expect(try await fleet.end(of: try await fleet.submit(user: 2).id, user: 2).status == "completed")
                next.signal(SIGTERM)
                #expect(try await next.ended() == .code(0))
            }
        }

        /// A file that is no database, which an operator removes; and the doctor, who tells of both.
        @Test(.timeLimit(.minutes(10))) func aDatabaseThatAnOperatorMendsIsJoined() async throws {
            try await Fleet.with { fleet in
                let second = SQLiteFleetDatabase(in: fleet.folder + "/second")
                try FileManager.default.createDirectory(
                    atPath: fleet.folder + "/second", withIntermediateDirectories: true)
                let text = Data(String(repeating: "no database ", count: 1000).utf8)
                #expect(FileManager.default.createFile(atPath: second.path, contents: text))
                let first = try await Self.broker(of: fleet.database, Self.slots[0], in: fleet).url
                let variables = [Self.variable: [second.url, fleet.database.url].joined(separator: " ")]
                let worker = try await fleet.startWorker(variables: variables)
                fleet.use(first)
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")
                let refused = try await worker.errors.record("this database cannot be served; trying again")
                #expect(refused["database"]?.string == second.url)
                let doctor = try await fleet.run("doctor", "--json", variables: variables)
                let findings = try doctor.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
                for (database, isGood) in [(fleet.database.url, true), (second.url, false)] {
                    let found = findings.filter { $0["subject"]?.string == "database of \(database)" }
                    #expect(found.map { $0["ok"]?.bool } == [isGood])
                }
                // A machine of workers alone has no database of its own.
                let alone = try await fleet.run(
                    "doctor", "--json", variables: variables.merging(["DOSSIER_DATABASE_URL": ""]) { $1 })
                let named = try alone.output.split(separator: "\n").compactMap {
                    try JSON(parsing: String($0))["subject"]?.string
                }
                #expect(
                    named.filter { $0.hasPrefix("database of ") }
                        == [second.url, fleet.database.url].map { "database of \($0)" })
                try FileManager.default.removeItem(atPath: second.path)
                fleet.use(try await Self.broker(of: second, Self.slots[1], in: fleet).url)
                #expect(try await fleet.end(of: try await fleet.submit(user: 2).id, user: 2).status == "completed")
            }
        }

        private static func database(_ engine: DatabaseEngine, in folder: String) async throws -> any FleetDatabase {
            switch engine {
            case .sqlite: SQLiteFleetDatabase(in: folder)
            case .postgres: try await PostgresFleetDatabase()
            }
        }

        /// A new broker for the users of some slots.
        private static func broker(
            of database: any FleetDatabase, _ slots: String, in fleet: Fleet
        ) async throws -> (process: ChildProcess, url: String) {
            let broker = try fleet.start(
                ["serve", "--workers", "0", "--listen", "127.0.0.1:0"],
                variables: ["DOSSIER_DATABASE_URL": database.url, "DOSSIER_USER_SLOTS": slots])
            return (broker, try #require(try await broker.errors.record("listening")["url"]?.string))
        }
    }
}
