import Foundation
import Glibc
import JSON
import Synchronization

/// The workers and brokers of a chaos run, each at its place.
final class ChaosProcesses: Sendable {
    private struct State {
        var running: [ChaosProcess: ChildProcess] = [:]
        var started: [ChildProcess] = []
        var urls: [Int: String] = [:]
    }

    private let fleet: Fleet
    private let ledger: ChaosLedger
    private let home: String
    private let state = Mutex(State())

    init(_ shape: ChaosPlan.Shape, in fleet: Fleet, ledger: ChaosLedger) async throws {
        self.fleet = fleet
        self.ledger = ledger
        home = try Fleet.contentWithDrill(in: fleet.folder)
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
        switch action {
        case .kill(let process):
            guard let child = state.withLock({ $0.running.removeValue(forKey: process) }) else { return }
            try await child.crash()
            try noteLosses(of: process, child)
        case .start(let process): try await start(process)
        case .stop(let process):
            guard let child = running(process) else { return }
            child.signal(SIGSTOP)
            try noteLosses(of: process, child)
        case .proceed(let process): running(process)?.signal(SIGCONT)
        case .setClock(let worker, let seconds): try setClock(of: worker, to: seconds)
        case .fillDisk: disk?.fill()
        case .freeDisk: disk?.free()
        }
    }

    /// Removes what libfaketime leaves in shared memory when its process is killed.
    func sweep() {
        for child in state.withLock({ $0.started }) {
            for name in ["faketime_shm_", "sem.faketime_sem_"] { unlink("/dev/shm/\(name)\(child.processID)") }
        }
    }

    /// A process that ended without having been killed has crashed.
    func expectNobodyDiedByItself() throws {
        for (process, child) in state.withLock({ $0.running }) where child.hasEnded {
            ledger.note("\(process) ended by itself: \(child.errors.all.suffix(5).joined(separator: " "))")
        }
    }

    // MARK: Starting

    private func running(_ process: ChaosProcess) -> ChildProcess? { state.withLock { $0.running[process] } }

    private func start(_ process: ChaosProcess) async throws {
        let child: ChildProcess
        switch process.role {
        case .worker:
            // libfaketime ends a program that is the first to load it, unless that is about to become another one.
            child = try fleet.start(
                ["worker", "--concurrency", "12"], variables: clockVariables(of: process.number), by: ["/usr/bin/env"])
        case .broker:
            // Started again, it listens where the last one did.
            let address = state.withLock { $0.urls[process.number] }.map { String($0.dropFirst("http://".count)) }
            child = try fleet.start(
                ["serve", "--workers", "0", "--listen", address ?? "127.0.0.1:0"],
                variables: ["DOSSIER_HOME": home])
        }
        state.withLock { state in
            state.running[process] = child
            state.started.append(child)
        }
        guard process.role == .broker, state.withLock({ $0.urls[process.number] }) == nil else { return }
        let url = try await child.errors.record("listening")["url"]?.string
        state.withLock { $0.urls[process.number] = url }
    }

    private var disk: SmallDisk? { (fleet.database as? SQLiteOnSmallDisk)?.disk }

    // MARK: Clocks

    /// Debian's libfaketime; the monotonic clocks stay right, as they do when somebody sets a machine's clock.
    static let clockLibrary = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketimeMT.so.1"

    private static let machine: String = {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }()

    private func clockFile(of worker: Int) -> String { fleet.folder + "/clock-\(worker)" }

    private func setClock(of worker: Int, to seconds: Int) throws {
        let text = seconds < 0 ? "\(seconds)\n" : "+\(seconds)\n"
        try text.write(toFile: clockFile(of: worker), atomically: true, encoding: .utf8)
    }

    private func clockVariables(of worker: Int) -> Fleet.Variables {
        guard FileManager.default.fileExists(atPath: Self.clockLibrary) else { return ["DOSSIER_HOME": home] }
        return [
            "DOSSIER_HOME": home,
            "LD_PRELOAD": Self.clockLibrary, "FAKETIME_TIMESTAMP_FILE": clockFile(of: worker),
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    // MARK: Losses

    /// Looks at what a worker that was killed or stopped still holds: a model call that stands in no journal may be made
    /// once more.
    private func noteLosses(of process: ChaosProcess, _ child: ChildProcess) throws {
        guard process.role == .worker else { return }
        let ids = child.errors.records("worker started").compactMap { $0["worker"]?.string }
        for id in ids {
            for line in try fleet.query(ChaosBooks.journals(ofWorker: id)) {
                let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                let steps = Set(words[1].split(separator: ",").map(String.init))
                for step in ["draft", "repair"] where !steps.contains(step) { ledger.lose(step, ofJob: words[0]) }
            }
        }
    }
}
