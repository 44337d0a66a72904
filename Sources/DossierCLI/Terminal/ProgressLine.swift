import DossierAPI

/// Shows a job's progress: a bar that moves in place on a terminal, a line for each step elsewhere.
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
            Terminal.print(
                "\r\u{1B}[2K  \(bar) \(padding)\(percent) %  \(Terminal.harmless(step))\(attempt)", terminator: "")
        } else {
            let line = "  \(job.progress) % \(Terminal.harmless(step))\(attempt)"
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

    /// Ends the line, so that what follows starts on its own.
    func finish() {
        if isInteractive { Terminal.print() }
    }
}
