import Foundation
import DossierAPI
import Glibc
import HTTP
import JSON
import PostgresTesting
import Simulator
import Testing

@testable import SQLiteStore

extension SystemTests.Timing {
    /// Processes that start, or stop, while their database is away.
    @Suite(.serialized) struct DatabaseAbsenceTests {
        private static let waiting = "waiting for the database"

        @Test(.timeLimit(.minutes(10)), arguments: [true, false])
        func processesThatStartWithoutTheServerServeWhenItIsThere(_ isFrozen: Bool) async throws {
            let cluster = try await PostgresCluster.start()
            try await Fleet.with(database: { _ in try await PostgresFleetDatabase(on: cluster) }) { fleet in
                if isFrozen { try await cluster.freeze() } else { try await cluster.stop(.fast) }
                let broker = try fleet.start(["serve", "--workers", "0", "--listen", "127.0.0.1:0"])
                let worker = try fleet.start(["worker"])
                for process in [broker, worker] { _ = try await process.errors.record(Self.waiting) }
                let listening = try await broker.errors.record("listening while the database is away")
                let url = try #require(listening["url"]?.string)
                #expect(try await fleet.send(.get, "/health", at: url).status == 200)
                for path in ["/ready", "/api/v1/jobs/1"] {
                    let answer = try await fleet.send(.get, path, at: url)
                    #expect(answer.status == 503 && answer.headers["Retry-After"] != nil, "\(answer)")
                    #expect(answer.code == "EXT_4003")
                }
                if isFrozen { try await cluster.thaw() } else { try await cluster.start() }
                fleet.use(try #require(try await broker.errors.record("listening")["url"]?.string))
                _ = try await worker.errors.record("worker started")
                // A server that was frozen for less than the time of a try has opened the database at the first one.
                for process in [broker, worker] where !isFrozen {
                    let back = try await process.errors.record("the database is back")
                    #expect((back["outage_seconds"]?.double ?? 0) > 0)
                }
                #expect(try await fleet.send(.get, "/health").status == 200)
            }
            await cluster.close()
        }

        @Test(.timeLimit(.minutes(10)))
        func aProcessThatWaitsForALockedFileEndsWithATermSignal() async throws {
            try await Fleet.with { fleet in
                let path = fleet.folder + "/dossier.db"
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
                let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
                try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); BEGIN EXCLUSIVE")
                for words in [["worker"], ["serve", "--listen", "127.0.0.1:0"]] {
                    let process = try fleet.start(words)
                    _ = try await process.errors.record(Self.waiting)
                    process.signal(SIGTERM)
                    #expect(try await process.ended() == .code(0))
                }
                try database.execute("ROLLBACK")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anAddressThatNoServerAcceptsEndsTheStart() async throws {
            let cluster = try await PostgresCluster.start()
            try await Fleet.with(database: { _ in try await PostgresFleetDatabase(on: cluster) }) { fleet in
                let process = try fleet.start(
                    ["worker"], variables: ["DOSSIER_DATABASE_URL": cluster.url(of: "nowhere")])
                #expect(try await process.ended() == .code(1))
                #expect(process.errors.all.contains { $0.contains("has no such database or user") })
            }
            await cluster.close()
        }

        /// The time of the drain is 20 s and 3 more; a job that runs was given all of it.
        @Test(.timeLimit(.minutes(10)), arguments: [true, false])
        func aStopIsBoundedWhileTheDatabaseIsFrozen(_ hasJob: Bool) async throws {
            let cluster = try await PostgresCluster.start()
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80),
                database: { _ in try await PostgresFleetDatabase(on: cluster) }
            ) { fleet in
                let serve = try fleet.start(["serve", "--listen", "127.0.0.1:0"])
                let worker = try await fleet.startWorker()
                fleet.use(try #require(try await serve.errors.record("listening")["url"]?.string))
                _ = try await serve.errors.record("worker started")
                if hasJob {
                    fleet.tempo.hold(after: 15)
                    let id = try await fleet.submit().id
                    try await fleet.state(of: id) { $0.progress > 31 }
                }
                try await cluster.freeze()
                let start = ContinuousClock.now
                for process in [serve, worker] { process.signal(SIGTERM) }
                for process in [serve, worker] { #expect(try await process.ended() == .code(0)) }
                // As long again, on a busy machine: it was 36 s and 101 s.
                #expect(ContinuousClock.now - start < .seconds(hasJob ? 46 : 20))
                for process in [serve, worker] {
                    let line = "stopped before its jobs and writes had ended; other processes take the jobs"
                    #expect(process.errors.records(line).count == 1)
                }
                fleet.tempo.release()
                try await cluster.thaw()
            }
            await cluster.close()
        }
    }
}
