import Basics
import DossierAPI
import BrokerClient
import Foundation
import Glibc
import HTTP
import JobQueue
import JSON
import Simulator
import SQLiteStore
import Synchronization
import Testing

/// A whole Dossier in a folder of its own: simulator, database, and as many brokers and workers as a test starts.
final class Fleet: Sendable {
    /// `nil` for the variables that are to be absent.
    typealias Variables = [String: String?]

    let folder: String
    /// The product's content, beside the folder, which belongs to the test.
    private let content: String
    let database: any FleetDatabase
    let simulator: Simulator
    /// Lets a test hold the simulated models in the middle of their answers.
    let tempo = ModelTempo()
    let transport = HTTPClient()
    let environment: [String: String]
    private let children = Mutex<[ChildProcess]>([])
    private let brokerURL = Mutex<String?>(nil)

    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Beside the test bundle, where SwiftPM puts every executable.
    static let executable: String = {
        let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test ?? "").deletingLastPathComponent().appending(path: "dossier").path
    }()

    /// Makes a fleet for the body and always takes everything down after it.
    ///
    /// - Parameters:
    ///   - pacing: How fast simulated models write.
    ///   - variables: Added to the environment of every process. Claude alone is set up unless they say more.
    ///   - database: Puts up the database; it gets the fleet's folder.
    ///   - body: The test.
    /// - Throws: the error of the body.
    static func with(
        pacing: Pacing = Pacing(), variables: Variables = [:],
        database: (String) async throws -> any FleetDatabase = { SQLiteFleetDatabase(in: $0) },
        _ body: (Fleet) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-system-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let fleet = try Fleet(
            in: folder, pacing: pacing, variables: variables, database: try await database(folder))
        do {
            try await body(fleet)
        } catch {
            await fleet.takeDown(sayingWhy: true)
            throw error
        }
        await fleet.takeDown(sayingWhy: false)
    }

    private init(in folder: String, pacing: Pacing, variables: Variables, database: any FleetDatabase) throws {
        self.folder = folder
        content = folder + "-content"
        self.database = database
        simulator = Simulator(SimulatorConfiguration(pacing: pacing, sleep: tempo.sleep))
        try Self.copyContent(to: content)
        let url = try simulator.start()
        var environment = ["TMPDIR": folder]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = ProcessInfo.processInfo.environment[name] }
        environment.merge(
            Simulator.environment(at: url).filter { !$0.key.hasPrefix("GEMINI_") && !$0.key.hasPrefix("OPENAI_") }
        ) { $1 }
        environment["DOSSIER_DATABASE_URL"] = self.database.url
        environment["DOSSIER_HOME"] = content
        environment["DOSSIER_RATE_LIMIT"] = "0"
        environment["DOSSIER_CONNECTIONS_PER_ADDRESS"] = "0"
        for (name, value) in variables { environment[name] = value }
        self.environment = environment
    }

    private func takeDown(sayingWhy: Bool) async {
        let children = children.withLock { $0 }
        for child in children { child.signal(SIGKILL) }
        // Not bound to the test's task: a cancelled test must be cleaned up, too.
        await Task.detached { [self] in
            for child in children { _ = try? await child.ended() }
            await transport.shutdown()
            await simulator.stop()
            await database.remove()
        }.value
        if sayingWhy {
            for child in children where !child.errors.all.isEmpty {
                print("process \(child.processID) said last:\n" + child.errors.all.suffix(12).joined(separator: "\n"))
            }
        }
        for path in [folder, content] { try? FileManager.default.removeItem(atPath: path) }
    }

    // MARK: Processes

    /// Starts `dossier` with these words, by another program where one is named; `binary` is that of another version.
    func start(
        _ words: [String], variables: Variables = [:], by program: [String] = [], binary: String = Fleet.executable
    ) throws -> ChildProcess {
        var environment = environment
        for (name, value) in variables { environment[name] = value }
        let child = try ChildProcess(program + [binary] + words, environment: environment)
        children.withLock { $0.append(child) }
        return child
    }

    /// Starts a broker without workers and waits until it listens; started again, it listens where the last one did.
    @discardableResult
    func startBroker(_ flags: [String] = [], variables: Variables = [:]) async throws -> ChildProcess {
        let listen = brokerURL.withLock { $0 }.map { String($0.dropFirst("http://".count)) } ?? "127.0.0.1:0"
        let broker = try start(["serve", "--workers", "0", "--listen", listen] + flags, variables: variables)
        let url = try await broker.errors.record("listening")["url"]?.string
        brokerURL.withLock { $0 = url }
        return broker
    }

    /// Starts a worker and waits until it is registered.
    func startWorker(_ flags: [String] = [], variables: Variables = [:]) async throws -> ChildProcess {
        let worker = try start(["worker"] + flags, variables: variables)
        _ = try await worker.errors.record("worker started")
        return worker
    }

    /// Runs a command to its end.
    /// Stops a process at a moment at which it does not hold SQLite's write lock, with which nobody could take over its jobs.
    func freeze(_ child: ChildProcess) async throws {
        while true {
            child.signal(SIGSTOP)
            if try database.isWritable() { return }
            child.signal(SIGCONT)
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func run(_ words: String..., variables: Variables = [:]) async throws -> CommandResult {
        try await run(words, variables: variables)
    }

    func run(_ words: [String], variables: Variables = [:]) async throws -> CommandResult {
        let child = try start(words, variables: variables)
        let exit = try await child.ended()
        return CommandResult(exit: exit, output: child.output.text, errors: child.errors.text)
    }

    /// Everything that any process of the fleet wrote.
    var logs: [String] { children.withLock { $0.flatMap { [$0.output.text, $0.errors.text] } } }

    /// The log records of a job with that message, by whichever process.
    func records(_ message: String, of job: String) -> [JSON] {
        children.withLock { $0 }.flatMap { $0.errors.records(message) }.filter { $0["job"]?.string == job }
    }

    /// The log record about the rescue of a worker's jobs, by whichever process did it.
    func rescue(of worker: ChildProcess) async throws -> JSON {
        let id = try await worker.errors.record("worker started")["worker"]
        return try await withThrowingTaskGroup(of: JSON?.self) { group in
            for child in children.withLock({ $0 }) {
                group.addTask {
                    for await line in child.errors.follow() {
                        guard line.contains("rescued the jobs of a dead worker") else { continue }
                        let record = try JSON(parsing: line)
                        if record["dead_worker"] == id { return record }
                    }
                    return nil
                }
            }
            for try await record in group {
                guard let record else { continue }
                group.cancelAll()
                return record
            }
            throw SystemFailure("no process rescued the jobs of \(id?.string ?? "the worker")")
        }
    }

    struct CommandResult: Sendable {
        var exit: ChildProcess.Exit
        var output: String
        var errors: String
    }

    // MARK: The broker as clients see it

    /// `http://127.0.0.1:PORT` of the broker that was started last.
    var url: String { brokerURL.withLock { $0 } ?? "http://127.0.0.1:1" }

    /// Turns to another broker.
    func use(_ url: String) { brokerURL.withLock { $0 = url } }

    func client(_ user: Int = 1) -> BrokerClient {
        BrokerClient(baseURL: url, user: String(user), transport: transport)
    }

    /// An answer of the broker, its body read.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: JSON
        var code: String? { body["error"]?["code"]?.string }
        var data: JSON { body["data"] ?? .null }
    }

    func send(
        _ method: HTTPMethod, _ path: String, user: Int = 1, headers: HTTPHeaders = [:], body: JSON? = nil,
        at url: String? = nil
    ) async throws -> Answer {
        var headers = headers
        headers["X-User-ID"] = String(user)
        if body != nil { headers["Content-Type"] = "application/json" }
        let response = try await transport.send(
            HTTPRequest(method, (url ?? self.url) + path, headers: headers, body: body?.utf8 ?? []))
        let parsed = response.body.isEmpty ? JSON.null : try JSON(parsing: response.body)
        return Answer(status: response.status, headers: response.headers, body: parsed)
    }

    /// The whole body of an answer that is no JSON.
    func text(_ path: String, user: Int = 1) async throws -> String {
        let request = HTTPRequest(.get, url + path, headers: ["X-User-ID": String(user)])
        return try await transport.send(request).text
    }

    // MARK: The database

    /// Opens the fleet's database beside the other processes.
    func withStore<Result: Sendable>(_ body: (SQLiteStore) async throws -> Result) async throws -> Result {
        let store = try await SQLiteStore.open(path: folder + "/dossier.db")
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

extension Fleet {
    static let input = ["ticker": "AAPL", "persona": "buffett"]

    /// Submits a research job.
    func submit(user: Int = 1, key: String? = nil) async throws -> JobResource {
        try await client(user).submit(kind: "research", input: Self.input, idempotencyKey: key)
    }

    /// Waits until a job has ended, and repeats a wait that was cut short.
    func end(of id: String, user: Int = 1) async throws -> JobResource {
        while true {
            let job = try await client(user).job(id, wait: 60)
            if job.isFinished { return job }
        }
    }

    /// Waits until the job's state satisfies the condition, by its event stream.
    @discardableResult
    func state(of id: String, user: Int = 1, _ condition: (JobResource) -> Bool) async throws -> JobResource {
        var last: JobResource?
        for try await job in client(user).updates(of: id) {
            if condition(job) { return job }
            last = job
        }
        throw SystemFailure("the job never got there; it ended as \(last?.status ?? "nothing")")
    }

    /// The data of a completed job's result.
    func result(of id: String, user: Int = 1) async throws -> JSON {
        let data = try await client(user).result(of: id)
        return try #require(JSON(parsing: Array(data))["data"])
    }

    func credits(user: Int = 1) async throws -> CreditsResource { try await client(user).credits() }

    /// Compares the ledger, the balances and the credits that a user should have left.
    func expectBalance(
        user: Int = 1, used: Int, held: Int = 0, granted: Int = 10,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let credits = try await credits(user: user)
        let found = "\(credits.granted) granted, \(credits.remaining) left, \(credits.held) held, \(credits.used) used"
        let left = granted - used - held
        #expect(
            found == "\(granted) granted, \(left) left, \(held) held, \(used) used", sourceLocation: sourceLocation)
    }

    func expectCleanAudit(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let audit = try await run("credits", "audit")
        #expect(audit.exit == .code(0), "\(audit.output) \(audit.errors)", sourceLocation: sourceLocation)
    }

    // MARK: Calls to the simulated models

    /// A user's label in requests to providers.
    static func label(of user: Int) -> String { SHA256.hex("dossier user \(user)") }

    /// The model calls for a user, in order.
    func calls(of user: Int = 1, to service: SimulatedService = .claude) -> [RecordedCall] {
        simulator.calls(to: service).filter { $0.body?["metadata"]?["user_id"]?.string == Self.label(of: user) }
    }

    /// A fault for the model calls of one user.
    func fail(
        _ action: FaultAction, user: Int, service: SimulatedService = .claude, skip: Int = 0, times: Int? = nil
    ) {
        simulator.faults.add(
            FaultRule(action, service: service, contains: Self.label(of: user), skip: skip, times: times))
    }
}

/// Polls until the condition holds: only for the simulator's record, which sends no signal.
func eventually(
    within limit: Duration = .seconds(300), _ what: String, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw SystemFailure("within \(limit) \(what) did not happen") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
