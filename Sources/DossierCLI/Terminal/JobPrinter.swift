import DossierAPI
import Foundation

/// Jobs as text.
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
            let words = ["limit": "a slot of its kind", "shared": "work that others want too"]
            let reason = words[block.reason] ?? block.reason
            lines.append(("waits for", block.until ?? block.jobID.map { "job \($0)" } ?? reason))
        }
        if let started = job.startedAt { lines.append(("started", started)) }
        if let completed = job.completedAt { lines.append(("ended", completed)) }
        if let error = job.error { lines.append(("error", "\(error.message) (\(error.code.rawValue))")) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + Terminal.harmless($1) }
            .joined(separator: "\n")
    }
}
