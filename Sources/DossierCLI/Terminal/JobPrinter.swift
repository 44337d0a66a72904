import DossierClient
import Foundation

/// Prints jobs as text or JSON.
enum JobPrinter {
    static func json(_ job: Job) throws -> String {
        String(decoding: try JSONEncoder.dossier.encode(job), as: UTF8.self)
    }

    private static func time(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static func table(_ jobs: [Job]) -> String {
        guard !jobs.isEmpty else { return "no jobs" }
        let rows = jobs.map {
            [$0.id.rawValue, $0.kind.rawValue, $0.status.rawValue, "\($0.progress) %", time($0.createdAt)]
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func text(_ job: Job) -> String {
        var lines = [
            ("id", job.id.rawValue), ("kind", job.kind.rawValue), ("status", job.status.rawValue),
            ("progress", "\(job.progress) %"), ("attempt", "\(job.attempt)"), ("created", time(job.createdAt)),
        ]
        if let step = job.currentStep { lines.append(("step", step)) }
        if let block = job.blockedBy {
            let words: [Job.Block.Reason: String] = [
                .batch: "a batch of model calls", .limit: "a free slot of its kind",
                .shared: "a job shared with other users", .noWorker: "a worker that can run it",
                .paused: "the end of a pause by an operator",
            ]
            let reason = words[block.reason] ?? block.reason.rawValue
            lines.append(("waits for", block.until.map(time) ?? block.jobID.map { "job \($0)" } ?? reason))
        }
        if let started = job.startedAt { lines.append(("started", time(started))) }
        if let completed = job.completedAt { lines.append(("ended", time(completed))) }
        if let error = job.error { lines.append(("error", "\(error.message) (\(error.code.rawValue))")) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + Terminal.sanitized($1) }
            .joined(separator: "\n")
    }
}

/// Shows a job's progress: a bar on a terminal, else a line for each step.
final class ProgressLine {
    private static let barWidth = 30

    private let isInteractive = Terminal.isInteractive
    private var lastLine = ""

    func show(_ job: Job) {
        let step = Self.step(of: job)
        let attempt = job.attempt > 1 ? " (attempt \(job.attempt))" : ""
        if isInteractive {
            let filled = Self.barWidth * job.progress / 100
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
            let percent = String(job.progress)
            let padding = String(repeating: " ", count: 3 - percent.count)
            Terminal.redraw("  \(bar) \(padding)\(percent) %  \(Terminal.sanitized(step))\(attempt)")
        } else {
            let line = "  \(job.progress) % \(Terminal.sanitized(step))\(attempt)"
            if line != lastLine { Terminal.print(line) }
            lastLine = line
        }
    }

    private static func step(of job: Job) -> String {
        switch job.status {
        case .completed: "Done"
        case .failed: "Failed"
        case .cancelled: "Cancelled"
        case .pending where job.blockedBy?.reason == .shared: "Waiting for work that other jobs share"
        case .pending: job.attempt == 0 ? "Waiting for a worker" : "Waiting to try again"
        default: job.currentStep ?? "Starting"
        }
    }

    /// Ends the line, so that further output begins on a new one.
    func finish() {
        if isInteractive { Terminal.print() }
    }
}
