import DossierAPI
import BrokerClient
import Foundation
import Glibc
import HTTP
import JSON
import PostgresTesting
import Simulator
import Synchronization
import Testing

@testable import SQLiteStore

extension SystemTests.Timing {
    /// A database that stops, freezes, or vanishes from the network under load, while the instruments are asked ten
    /// times a second.
    ///
    /// The promised times hold for the median. The slowest answer may take longer, since these tests share two busy
    /// cores with others, and a process that waits for a processor answers nothing.
    @Suite(.serialized) struct DatabaseOutageTests {
        enum Outage: String, CaseIterable, Sendable { case stopped, frozen, swallowed }

        @Test(.timeLimit(.minutes(10)), arguments: Outage.allCases)
        func theInstrumentsAnswerWhateverTheDatabaseDoes(_ outage: Outage) async throws {
            let cluster = try await PostgresCluster.start()
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80),
                database: { _ in try await PostgresFleetDatabase(on: cluster) }
            ) { fleet in
                let proxy = try TCPProxy(to: cluster.port)
                let url = fleet.database.url.replacing(":\(cluster.port)/", with: ":\(proxy.port)/")
                let broker = try await fleet.startBroker(variables: ["DOSSIER_DATABASE_URL": url])
                let worker = try await fleet.startWorker(variables: ["DOSSIER_DATABASE_URL": url])
                // A job that is in the middle of its model call during the outage.
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }

                let load = Load(fleet)
                try await load.run {
                    try await eventually("some answers") { load.count("/ready", status: 200) > 3 }
                    switch outage {
                    case .stopped: try await cluster.stop(.fast)
                    case .frozen: try await cluster.freeze()
                    case .swallowed: proxy.turn(.swallowing)
                    }
                    for process in [broker, worker] { _ = try await process.errors.record("the database is away") }
                    let before = load.count("/health")
                    try await eventually("answers during the outage") {
                        load.count("/health") > before + 30 && load.count("submit", status: 503) > 3
                            && load.count("read", status: 503) > 3 && load.count("/ready", status: 503) > 3
                            && load.metrics.contains("\ndossier_store_up 0\n")
                    }
                    #expect(load.metrics.contains("dossier_store_reading_age_seconds"))
                    #expect(load.metrics.contains("dossier_http_requests_total"))
                    switch outage {
                    case .stopped: try await cluster.start()
                    case .frozen: try await cluster.thaw()
                    case .swallowed: proxy.turn(.open)
                    }
                    let start = ContinuousClock.now
                    for process in [broker, worker] { _ = try await process.errors.record("the database is back") }
                    #expect(.now - start < .seconds(6), "one second, and room for a busy machine")
                    let accepted = load.count("submit", status: 202)
                    try await eventually("accepted jobs") { load.count("submit", status: 202) > accepted + 2 }
                }
                fleet.tempo.release()
                load.expectPromptAnswers(while: outage.rawValue)
                try await load.expectEveryAcceptedJobOnce()

                for process in [broker, worker] {
                    #expect(process.errors.records("the database is away").count == 1)
                    let back = process.errors.records("the database is back")
                    #expect(back.count == 1 && (back.first?["outage_seconds"]?.double ?? 0) > 1, "\(back)")
                    #expect(process.errors.records("cannot write the heartbeat").isEmpty)
                }
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(fleet.calls().count == 1, "a paid answer was lost with the database")
                try await fleet.expectCleanAudit()
                proxy.close()
            }
            await cluster.close()
        }

        /// As when a newer version has changed a function under running processes.
        @Test(.timeLimit(.minutes(10)))
        func aJobWaitsWhileTheDatabaseRefusesItsCompletion() async throws {
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80),
                database: { _ in try await PostgresFleetDatabase() }
            ) { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                try await fleet.change("ALTER FUNCTION complete_jobs RENAME TO complete_jobs_later")
                fleet.tempo.release()
                _ = try await worker.errors.record("a state write failed; trying again")
                _ = try await worker.errors.record("the database refuses an operation; it is tried again")
                #expect(try await fleet.client().job(id).status == "processing")
                try await fleet.change("ALTER FUNCTION complete_jobs_later RENAME TO complete_jobs")
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(fleet.calls().count == 1)
                try await fleet.expectBalance(used: 1)
                try await fleet.expectCleanAudit()
            }
        }

        /// Random bytes in a page of the file that every job reads.
        @Test(.timeLimit(.minutes(10)))
        func aDamagedFileClosesTheShopAndFailsNoJob() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                let broker = try await fleet.startBroker()
                var ids: [String] = []
                for user in 1...3 { ids.append(try await fleet.submit(user: user).id) }
                broker.signal(SIGTERM)
                _ = try await broker.ended()
                try Self.damage("step", in: fleet.folder + "/dossier.db")

                let service = try fleet.start(["serve", "--listen", "127.0.0.1:0"])
                fleet.use(try #require(try await service.errors.record("listening")["url"]?.string))
                _ = try await service.errors.record(
                    "the database is damaged: no job is taken or started until it is restored")
                #expect(try await fleet.send(.get, "/ready").status == 503)
                #expect(try await fleet.send(.get, "/health").status == 200)
                let refused = try await fleet.send(
                    .post, "/api/v1/jobs", user: 9,
                    body: ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]])
                #expect(refused.status == 503 && refused.headers["Retry-After"] != nil, "\(refused)")
                for (place, id) in ids.enumerated() {
                    let job = try await fleet.client(place + 1).job(id)
                    #expect(job.status == "pending" || job.status == "processing", "\(job)")
                }
                #expect(
                    service.errors.records(
                        "the database is damaged: no job is taken or started until it is restored"
                    ).count == 1)
            }
        }

        private static func damage(_ table: String, in path: String) throws {
            let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            var numbers: [Int] = []
            // The table and its index: an empty journal is read by the index alone.
            for query in ["PRAGMA page_size", "SELECT rootpage FROM sqlite_schema WHERE tbl_name = '\(table)'"] {
                try database.oneOff(query) { row in numbers.append(Int(row.integer())) }
            }
            let size = try #require(numbers.first)
            let file = try FileHandle(forUpdating: URL(filePath: path))
            for page in numbers.dropFirst() {
                try file.seek(toOffset: UInt64((page - 1) * size))
                try file.write(contentsOf: Data((0..<size).map { _ in UInt8.random(in: .min ... .max) }))
            }
            try file.close()
        }
    }
}

/// Requests of several kinds at once, several times a second, with what became of them.
private final class Load: Sendable {
    private struct Record {
        var kind: String
        var status: Int
        var took: Duration
        var hasRetryAfter: Bool
    }

    private struct State {
        var records: [Record] = []
        var metrics = ""
        /// The idempotency keys of all submits, with the job of those that were accepted.
        var submits: [String: String?] = [:]
        /// The users of the submits, in turn, so that nobody runs out of credits.
        var users: [String: Int] = [:]
        var isOver = false
    }

    private let fleet: Fleet
    private let state = Mutex(State())
    private static let users = 20..<32

    init(_ fleet: Fleet) { self.fleet = fleet }

    var metrics: String { state.withLock { $0.metrics } }

    func count(_ kind: String, status: Int? = nil) -> Int {
        state.withLock { state in
            state.records.count { $0.kind == kind && (status == nil || $0.status == status) }
        }
    }

    /// Sends requests until the body returns.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in ["/health", "/ready", "/metrics"] {
                group.addTask { try await self.repeatedly(every: .milliseconds(100)) { try await self.ask(path) } }
            }
            group.addTask { try await self.repeatedly(every: .milliseconds(200)) { try await self.read() } }
            group.addTask { try await self.repeatedly(every: .milliseconds(300)) { try await self.submit() } }
            defer { state.withLock { $0.isOver = true } }
            try await body()
            state.withLock { $0.isOver = true }
            try await group.waitForAll()
        }
    }

    /// Does not wait for an answer before the next request is due, as monitors do not.
    private func repeatedly(
        every interval: Duration, _ request: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            while !state.withLock({ $0.isOver }) {
                group.addTask { try await request() }
                try await Task.sleep(for: interval)
            }
            try await group.waitForAll()
        }
    }

    private func ask(_ path: String) async throws {
        let start = ContinuousClock.now
        let response = try await fleet.transport.send(HTTPRequest(.get, fleet.url + path))
        add(path, response.status, start, response.headers)
        if path == "/metrics" { state.withLock { $0.metrics = response.text } }
    }

    private func read() async throws {
        let start = ContinuousClock.now
        let answer = try await fleet.send(.get, "/api/v1/credits", user: Self.users.lowerBound)
        add("read", answer.status, start, answer.headers)
    }

    private func submit() async throws {
        let key = UUID().uuidString
        state.withLock { state in
            state.users[key] = Self.users.lowerBound + state.submits.count % Self.users.count
            state.submits[key] = .some(nil)
        }
        let start = ContinuousClock.now
        let answer = try await submit(key)
        add("submit", answer.status, start, answer.headers)
    }

    private func submit(_ key: String) async throws -> Fleet.Answer {
        let user = state.withLock { $0.users[key] } ?? 0
        let answer = try await fleet.send(
            .post, "/api/v1/jobs", user: user, headers: ["Idempotency-Key": key],
            body: ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]])
        if let id = answer.data["id"]?.string {
            state.withLock { $0.submits[key] = id }
        }
        return answer
    }

    private func add(_ kind: String, _ status: Int, _ start: ContinuousClock.Instant, _ headers: HTTPHeaders) {
        let record = Record(
            kind: kind, status: status, took: .now - start, hasRetryAfter: headers["Retry-After"] != nil)
        state.withLock { $0.records.append(record) }
    }

    // MARK: Expectations

    func expectPromptAnswers(while outage: String) {
        let records = state.withLock { $0.records }
        let limits: [(kind: String, median: Duration, slowest: Duration)] = [
            ("/health", .seconds(1), .seconds(2)), ("/ready", .seconds(1), .seconds(3)),
            ("/metrics", .seconds(1), .seconds(3)), ("read", .seconds(2), .seconds(4)),
            ("submit", .seconds(2), .seconds(4)),
        ]
        for limit in limits {
            let times = records.filter { $0.kind == limit.kind }.map(\.took).sorted()
            #expect(!times.isEmpty)
            print(
                "database \(outage): \(times.count) answers to \(limit.kind), "
                    + "median \(times[times.count / 2]), slowest \(times.last ?? .zero)")
            #expect(times[times.count / 2] <= limit.median, "\(limit.kind): \(times.suffix(5))")
            #expect((times.last ?? .zero) <= limit.slowest, "\(limit.kind): \(times.suffix(5))")
        }
        #expect(records.allSatisfy { $0.kind != "/health" || $0.status == 200 })
        #expect(records.allSatisfy { $0.kind != "/metrics" || $0.status == 200 })
        #expect(records.allSatisfy { $0.status != 503 || $0.hasRetryAfter || $0.kind == "/metrics" })
        #expect(Set(records.map(\.status)).isSubset(of: [200, 202, 503]), "\(Set(records.map(\.status)))")
    }

    /// Repeats the submits that were not accepted: each key has one job in the end, and an accepted one is there.
    func expectEveryAcceptedJobOnce() async throws {
        for (key, id) in state.withLock({ $0.submits }) {
            let answer = try await submit(key)
            #expect([200, 202].contains(answer.status), "\(answer)")
            if let id { #expect(state.withLock { $0.submits[key] } == id) }
        }
    }
}
