import DossierAPI
import Foundation

/// Prints jobs as text or JSON.
enum JobPrinter {
    static func json(_ job: JobResource) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(job), as: UTF8.self)
    }

    static func table(_ jobs: [JobResource]) -> String {
        guard !jobs.isEmpty else { return "no jobs" }
        let rows = jobs.map { [$0.id, $0.kind, $0.status, "\($0.progress) %", $0.createdAt] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func text(_ job: JobResource) -> String {
        var lines = [
            ("id", job.id), ("kind", job.kind), ("status", job.status), ("progress", "\(job.progress) %"),
            ("attempt", "\(job.attempt)"), ("created", job.createdAt),
        ]
        if let step = job.currentStep { lines.append(("step", step)) }
        if let block = job.blockedBy {
            let words = [
                "batch": "a batch of model calls", "limit": "a free slot of its kind",
                "shared": "a job shared with other users", "no_worker": "a worker that can run it",
            ]
            let reason = words[block.reason] ?? block.reason
            lines.append(("waits for", block.until ?? block.jobID.map { "job \($0)" } ?? reason))
        }
        if let started = job.startedAt { lines.append(("started", started)) }
        if let completed = job.completedAt { lines.append(("ended", completed)) }
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

    func show(_ job: JobResource) {
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

    private static func step(of job: JobResource) -> String {
        switch job.status {
        case "completed": "Done"
        case "failed": "Failed"
        case "cancelled": "Cancelled"
        case "pending": job.attempt == 0 ? "Waiting for a worker" : "Waiting to try again"
        default: job.currentStep ?? "Starting"
        }
    }

    /// Ends the line, so that further output begins on a new one.
    func finish() {
        if isInteractive { Terminal.print() }
    }
}
