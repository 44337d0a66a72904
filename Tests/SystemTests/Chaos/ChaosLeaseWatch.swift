import Foundation
import JSON

/// Looks for leases that a living worker holds without running the job: nobody else would take such a job before its
/// deadline.
///
/// A run shows in the log of its process. Each lease that a worker is seen to hold on a job needs a start of its own.
struct ChaosLeaseWatch {
    private struct Holding: Hashable {
        var worker: String
        var job: String
    }

    private let processes: ChaosProcesses
    private let fleet: Fleet
    private let ledger: ChaosLedger
    /// Five seconds are promised. The rest is for a machine with other work.
    private static let limit: Duration = .seconds(10)

    init(_ processes: ChaosProcesses, _ fleet: Fleet, _ ledger: ChaosLedger) {
        self.processes = processes
        self.fleet = fleet
        self.ledger = ledger
    }

    func watch() async throws {
        var logs: [Int32: ChaosLog] = [:]
        var epochs: [Holding: Set<String>] = [:]
        var idle: [Holding: (since: ContinuousClock.Instant, isNoted: Bool)] = [:]
        while true {
            try await Task.sleep(for: .milliseconds(500))
            // Only while everything is well: a worker that cannot reach the database cannot find its leases.
            guard processes.calm > .seconds(1) else {
                idle = [:]
                continue
            }
            var owners: [String: Int32] = [:]
            for child in processes.children where !child.hasEnded {
                logs[child.processID, default: ChaosLog()].read(child.errors.all)
                for worker in logs[child.processID]?.workers ?? [] { owners[worker] = child.processID }
            }
            var held: Set<Holding> = []
            for line in try await fleet.query(Self.leases(on: fleet.database.engine)) {
                let words = line.split(separator: "|").map(String.init)
                let holding = Holding(worker: words[0], job: words[1])
                epochs[holding, default: []].insert(words[2])
                guard let owner = owners[holding.worker] else { continue }
                let starts = logs[owner]?.starts[holding.job] ?? 0
                guard starts < epochs[holding]?.count ?? 0 else { continue }
                held.insert(holding)
                let since = idle[holding]?.since ?? .now
                let isLate = ContinuousClock.now - since > Self.limit
                if isLate, idle[holding]?.isNoted != true {
                    ledger.note("worker \(holding.worker) holds job \(holding.job) and does not run it")
                }
                idle[holding] = (since, isLate)
            }
            idle = idle.filter { held.contains($0.key) }
        }
    }

    /// `worker|job|epoch` for each lease, the job without hyphens.
    private static func leases(on engine: DatabaseEngine) -> String {
        let job = ChaosAudit.jobID(on: engine)
        return """
            SELECT w.id || '|' || \(job) || '|' || j.epoch
            FROM lease AS l JOIN worker AS w ON w.number = l.worker JOIN job AS j ON j.number = l.job
            """
    }
}

/// The part of a process's log that is about workers and runs, read as it grows.
private struct ChaosLog {
    private var lines = 0
    /// The ids of workers that the process has had.
    private(set) var workers: [String] = []
    /// How often it has begun to run each job.
    private(set) var starts: [String: Int] = [:]

    mutating func read(_ all: [String]) {
        for line in all.dropFirst(lines) where line.contains("started") {
            guard let record = try? JSON(parsing: line) else { continue }
            switch record["message"]?.string {
            case "worker started": if let worker = record["worker"]?.string { workers.append(worker) }
            case "attempt started":
                if let job = record["job"]?.string { starts[job.replacing("-", with: ""), default: 0] += 1 }
            default: break
            }
        }
        lines = all.count
    }
}
