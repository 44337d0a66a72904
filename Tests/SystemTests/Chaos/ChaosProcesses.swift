import Foundation
import Glibc
import JSON
import PostgresTesting
import Synchronization

/// The workers and brokers of a chaos run, each at its place.
final class ChaosProcesses: Sendable {
    private struct State {
        var running: [ChaosProcess: ChildProcess] = [:]
        var started: [(process: ChaosProcess, child: ChildProcess)] = []
        /// How often each process was started.
        var starts: [ChaosProcess: Int] = [:]
        var urls: [Int: String] = [:]
        var looks: [Task<Void, any Error>] = []
        /// The leases whose journals were seen: a worker and a job.
        var seen: Set<[String]> = []
        /// The faults that have begun and not ended.
        var faults: Set<ChaosFaultPlace> = []
        var lastFault = ContinuousClock.now
        var lock: Task<Void, Never>?
    }

    private let fleet: Fleet
    private let ledger: ChaosLedger
    private let home: String
    /// Between each process and the database, where that is reached over a network.
    private let networks: [ChaosProcess: TCPProxy]
    private let state = Mutex(State())

    init(_ shape: ChaosPlan.Shape, in fleet: Fleet, ledger: ChaosLedger) async throws {
        self.fleet = fleet
        self.ledger = ledger
        home = try Fleet.contentForChaos(in: fleet.folder)
        let all =
            (0..<shape.workers).map { ChaosProcess(role: .worker, number: $0) }
            + (0..<shape.brokers).map { ChaosProcess(role: .broker, number: $0) }
        let port = (fleet.database as? PostgresFleetDatabase)?.database.cluster.port
        networks =
            try port.map { port in
                Dictionary(uniqueKeysWithValues: try all.map { ($0, try TCPProxy(to: port)) })
            } ?? [:]
        for number in 0..<shape.brokers { try await start(ChaosProcess(role: .broker, number: number)) }
        for number in 0..<shape.workers {
            try setClock(of: number, to: 0)
            try await start(ChaosProcess(role: .worker, number: number))
        }
        for (process, child) in state.withLock({ $0.running }) where process.role == .worker {
            _ = try await child.errors.record("worker started")
        }
    }

    func url(ofBroker number: Int) -> String { state.withLock { $0.urls[number] } ?? "http://127.0.0.1:1" }

    func perform(_ action: ChaosAction) async throws {
        note(action)
        switch action {
        case .kill(let process):
            guard let child = state.withLock({ $0.running.removeValue(forKey: process) }) else { return }
            // Another process may take the jobs of a dead one at once, before they could be looked up.
            child.signal(SIGSTOP)
            let isNoted = (try? await lookForLosses(child, queryOnce)) != nil
            try await child.crash()
            if !isNoted { noteLosses(of: child) }
        case .start(let process): try await start(process)
        case .stop(let process):
            guard let child = running(process) else { return }
            child.signal(SIGSTOP)
            noteLosses(of: child)
        case .proceed(let process): running(process)?.signal(SIGCONT)
        case .setClock(let worker, let seconds): try setClock(of: worker, to: seconds)
        case .fillDisk: disk?.fill()
        case .freeDisk: disk?.free()
        case .cutNetwork(let process): disturb(process, .cut)
        case .holdNetwork(let process): disturb(process, .swallowing)
        case .slowNetwork(let process, let delay): disturb(process, .lagging(delay))
        case .healNetwork(let process, let isReset):
            if isReset { networks[process]?.breakConnections() }
            networks[process]?.turn(.open)
        default: try await disturbServer(action)
        }
    }

    private func disturbServer(_ action: ChaosAction) async throws {
        guard let server else { return }
        switch action {
        case .stopDatabase(let isCrash): try await server.cluster.stop(isCrash ? .crash : .fast)
        case .startDatabase: try await server.cluster.start()
        case .endConnections(let percent):
            // A server that is down has none.
            _ = try? await server.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < \(percent) / 100.0
                """)
        case .hangDisk: _ = FileManager.default.createFile(atPath: server.cluster.stallFile, contents: nil)
        case .freeHungDisk: unlink(server.cluster.stallFile)
        case .loseStandby:
            try await insist(
                "ALTER SYSTEM SET synchronous_standby_names = 'ghost'; SELECT pg_reload_conf()", on: server)
        case .forgetStandby:
            try await insist("ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()", on: server)
        case .lockTable(let table):
            let lock = Task {
                _ = try? await server.sql(
                    """
                    SET application_name = 'chaos lock'; BEGIN; LOCK TABLE \(table) IN SHARE MODE;
                    SELECT pg_sleep(60); COMMIT
                    """)
            }
            state.withLock { $0.lock = lock }
        case .unlockTable:
            try await insist(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chaos lock'",
                on: server)
            await state.withLock { $0.lock }?.value
        case .setServerClock(let seconds): try await insist(Self.storeClock(offBy: seconds), on: server)
        default: break
        }
    }

    /// Runs a statement again when its own connection was ended, or a starting process changed the same function.
    private func insist(_ statements: String, on server: PostgresDatabase) async throws {
        for _ in 0..<20 {
            if (try? await server.sql(statements)) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await server.sql(statements)
    }

    /// The function that tells the server's time, with an error.
    private static func storeClock(offBy seconds: Int) -> String {
        """
        CREATE OR REPLACE FUNCTION store_now() RETURNS bigint
        LANGUAGE sql VOLATILE PARALLEL SAFE
        AS $$ SELECT floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + \(seconds * 1000) $$
        """
    }

    // MARK: Faults in progress

    private func note(_ action: ChaosAction) {
        guard let (place, begins) = ChaosFaultPlace.of(action) else { return }
        state.withLock { state in
            if begins { state.faults.insert(place) } else { state.faults.remove(place) }
            state.lastFault = .now
        }
    }

    /// How long nothing has been wrong.
    var calm: Duration {
        state.withLock { $0.faults.isEmpty ? ContinuousClock.now - $0.lastFault : .zero }
    }

    /// Every process that was started.
    var children: [ChildProcess] { state.withLock { $0.started.map(\.child) } }

    private var server: PostgresDatabase? { (fleet.database as? PostgresFleetDatabase)?.database }

    /// A worker that is cut off may be declared dead, and a model's answer meanwhile may never be journalled. Every
    /// second broker has a worker inside.
    private func disturb(_ process: ChaosProcess, _ way: TCPProxy.Way) {
        guard let network = networks[process] else { return }
        network.turn(way)
        if let child = running(process) { noteLosses(of: child) }
    }

    /// Ends the networks, and removes the shared memory that libfaketime leaves when its process is killed.
    func sweep() {
        for network in networks.values { network.close() }
        if let server { unlink(server.cluster.stallFile) }
        for (_, child) in state.withLock({ $0.started }) {
            for name in ["faketime_shm_", "sem.faketime_sem_"] { unlink("/dev/shm/\(name)\(child.processID)") }
        }
    }

    /// Writes each process's log into files of a folder, to find out why a promise was broken.
    func writeLogs(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (process, child) in state.withLock({ $0.started }) {
            let name = "\(process)".replacing(" ", with: "-") + ".\(child.processID).log"
            try (child.errors.text + "\n").write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
    }

    /// Restarts, as a service manager does, the processes that could not start because of the database.
    /// Other processes that end without having been killed have crashed.
    func supervise() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(300))
            for (process, child) in state.withLock({ $0.running }) where child.hasEnded {
                let exit = try await child.ended()
                if exit != .code(1) {
                    ledger.note(
                        "\(process) ended by itself, \(exit): \(child.errors.all.suffix(5).joined(separator: " "))")
                }
                let isStillItsPlace = state.withLock { state in
                    guard state.running[process] === child else { return false }
                    state.running[process] = nil
                    return true
                }
                if isStillItsPlace { try await start(process) }
            }
        }
    }

    // MARK: Starting

    private func running(_ process: ChaosProcess) -> ChildProcess? { state.withLock { $0.running[process] } }

    private func start(_ process: ChaosProcess) async throws {
        guard running(process)?.hasEnded ?? true else { return }
        let child: ChildProcess
        switch process.role {
        case .worker:
            // libfaketime ends a program that is the first to load it, unless that is about to become another one.
            child = try fleet.start(
                ["worker", "--concurrency", Self.concurrency], variables: variables(of: process), by: ["/usr/bin/env"],
                binary: binary(for: process))
        case .broker:
            // Every second one has a worker inside, which takes jobs as they are submitted. Started again, it listens
            // where the last one did.
            let address = state.withLock { $0.urls[process.number] }.map { String($0.dropFirst("http://".count)) }
            child = try fleet.start(
                [
                    "serve", "--workers", "\(process.number % 2)", "--concurrency", Self.concurrency, "--listen",
                    address ?? "127.0.0.1:0",
                ],
                variables: variables(of: process), binary: binary(for: process))
        }
        state.withLock { state in
            state.running[process] = child
            state.started.append((process, child))
        }
        guard process.role == .broker, state.withLock({ $0.urls[process.number] }) == nil else { return }
        let url = try await child.errors.record("listening")["url"]?.string
        state.withLock { $0.urls[process.number] = url }
    }

    /// The program of another version, by `DOSSIER_CHAOS_OTHER_BINARY`, which half of the processes run.
    static let otherBinary = ProcessInfo.processInfo.environment["DOSSIER_CHAOS_OTHER_BINARY"]

    /// Every second process begins with the other version, and each start changes the version: forth and back.
    private func binary(for process: ChaosProcess) -> String {
        let start = state.withLock { state in
            defer { state.starts[process, default: 0] += 1 }
            return state.starts[process, default: 0]
        }
        guard let other = Self.otherBinary, (process.number + start).isMultiple(of: 2) else { return Fleet.executable }
        return other
    }

    private var disk: SmallDisk? { (fleet.database as? SQLiteOnSmallDisk)?.disk }

    /// Few enough that jobs wait for their turn.
    private static let concurrency = "6"

    private func variables(of process: ChaosProcess) -> Fleet.Variables {
        var variables = process.role == .worker ? clockVariables(of: process.number) : ["DOSSIER_HOME": home]
        if let server, let network = networks[process] {
            variables["DOSSIER_DATABASE_URL"] = server.url.replacing(
                ":\(server.cluster.port)/", with: ":\(network.port)/")
        }
        return variables
    }

    // MARK: Clocks

    /// Debian's libfaketime; the monotonic clocks stay right, as when a machine's clock is set.
    static let clockLibrary = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketimeMT.so.1"

    private static let machine: String = {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }()

    /// Keeps libfaketime away from timers; see there.
    private static let timerLibrary = URL(filePath: Fleet.executable).deletingLastPathComponent()
        .appending(path: "libMonotonicTimers.so").path

    private func clockFile(of worker: Int) -> String { fleet.folder + "/clock-\(worker)" }

    private func setClock(of worker: Int, to seconds: Int) throws {
        let text = seconds < 0 ? "\(seconds)\n" : "+\(seconds)\n"
        try text.write(toFile: clockFile(of: worker), atomically: true, encoding: .utf8)
    }

    private func clockVariables(of worker: Int) -> Fleet.Variables {
        guard FileManager.default.fileExists(atPath: Self.clockLibrary) else { return ["DOSSIER_HOME": home] }
        return [
            "DOSSIER_HOME": home,
            "LD_PRELOAD": "\(Self.timerLibrary) \(Self.clockLibrary)", "FAKETIME_TIMESTAMP_FILE": clockFile(of: worker),
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    // MARK: Losses

    /// Notes the leases of a worker that was stopped or cut off: a model call that is in no journal may be made once
    /// more.
    ///
    /// The query waits until the database is available again: such a worker loses its leases after 3.5 seconds at the
    /// earliest.
    private func noteLosses(of child: ChildProcess) {
        let look = Task { try await lookForLosses(child, fleet.database.query) }
        state.withLock { $0.looks.append(look) }
    }

    /// Waits until everything is noted that may have been lost.
    ///
    /// When the database comes back, a rescue may be earlier than the look at the journal. Then nothing is known of it.
    func lossesAreNoted() async throws {
        for look in state.withLock({ $0.looks }) { try await look.value }
        for (_, child) in state.withLock({ $0.started }) {
            for rescue in child.errors.records("requeued a rescued job") {
                guard let worker = rescue["dead_worker"]?.string, let job = rescue["job"]?.string,
                    state.withLock({ $0.seen.insert([worker, job]).inserted })
                else { continue }
                for step in Self.calls { ledger.lose(step, ofJob: job) }
            }
        }
    }

    /// The steps that are model calls.
    private static let calls = ["draft", "repair"]

    private func lookForLosses(
        _ child: ChildProcess, _ query: @Sendable (String) async throws -> [String]
    ) async throws {
        let ids = child.errors.records("worker started").compactMap { $0["worker"]?.string }
        for id in ids {
            for line in try await query(ChaosAudit.journals(ofWorker: id, on: fleet.database.engine)) {
                let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                let steps = Set(words[1].split(separator: ",").map(String.init))
                for step in Self.calls where !steps.contains(step) { ledger.lose(step, ofJob: words[0]) }
                state.withLock { _ = $0.seen.insert([id, words[0]]) }
            }
        }
    }

    /// Does not wait for a server that is down.
    @Sendable private func queryOnce(_ sql: String) async throws -> [String] {
        if let server { return try await server.sql(sql) }
        return try await fleet.database.query(sql)
    }
}
