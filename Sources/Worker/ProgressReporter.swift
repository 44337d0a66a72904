internal import JobQueue
internal import Observability
internal import Synchronization

/// Collects the progress of running jobs and writes the latest report of each, many jobs at a time.
final class ProgressReporter: Sendable {
    private let unwritten = Mutex(UnwrittenProgress())
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ report: ProgressReport) {
        if unwritten.withLock({ $0.add(report) }) { arrived.yield() }
    }

    /// Takes the report of a job that has ended, if it was not written yet.
    @discardableResult
    func take(_ job: JobID) -> ProgressReport? { unwritten.withLock { $0.remove(job) } }

    /// The most jobs that a line of the log names.
    private static let namedJobs = 20

    /// Writes until the task is cancelled, never more often than the interval. Reports of a failed write are dropped,
    /// since later ones replace them.
    func run(into store: any JobStore, every interval: Duration, logger: Logger) async {
        for await _ in arrivals {
            let (reports, isMoreWaiting) = unwritten.withLock {
                $0.takeDue(at: .now, withinStep: interval * UnwrittenProgress.intervalsWithinStep)
            }
            if !reports.isEmpty {
                do {
                    try await store.report(reports)
                } catch {
                    let jobs = reports.prefix(Self.namedJobs).map(\.lease.job.description)
                    logger.warning(
                        "cannot write progress",
                        ["jobs": .string(jobs.joined(separator: " ")), "reason": .string(error.description)])
                }
            }
            try? await Task.sleep(for: interval)
            if isMoreWaiting { arrived.yield() }
        }
    }
}

/// The latest report of each job, and when one was last written for it.
///
/// A reader wants a new step at once. Within a step only the percentage grows, with each piece of a streamed answer, and
/// most of these rows would be replaced before anybody has read them.
struct UnwrittenProgress {
    private struct Entry {
        /// `nil` when the latest report is written.
        var waiting: ProgressReport?
        var written: (report: ProgressReport, at: ContinuousClock.Instant)?
    }

    private var entries: [JobID: Entry] = [:]

    /// The intervals between two reports of the same step.
    static let intervalsWithinStep = 4

    /// - Returns: Whether the report says something new.
    mutating func add(_ report: ProgressReport) -> Bool {
        let job = report.lease.job
        guard (entries[job]?.waiting ?? entries[job]?.written?.report) != report else { return false }
        entries[job, default: Entry()].waiting = report
        return true
    }

    /// Forgets a job.
    ///
    /// - Returns: Its report that was not written.
    mutating func remove(_ job: JobID) -> ProgressReport? { entries.removeValue(forKey: job)?.waiting }

    /// Takes the reports that are to be written now.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - pause: The shortest time between two reports of the same step.
    /// - Returns: The reports, and whether others wait for a later time.
    mutating func takeDue(
        at now: ContinuousClock.Instant, withinStep pause: Duration
    ) -> (due: [ProgressReport], isMoreWaiting: Bool) {
        var due: [ProgressReport] = []
        var isMoreWaiting = false
        for (job, entry) in entries {
            let isRecent = entry.written.map { now - $0.at < pause } ?? false
            guard let report = entry.waiting else {
                if !isRecent { entries[job] = nil }
                continue
            }
            if isRecent, let last = entry.written?.report, last.isOfSameStep(as: report) {
                isMoreWaiting = true
            } else {
                due.append(report)
                entries[job] = Entry(waiting: nil, written: (report, now))
            }
        }
        return (due, isMoreWaiting)
    }
}

extension ProgressReport {
    /// Whether both are of one run of a job, and of the same step.
    fileprivate func isOfSameStep(as other: ProgressReport) -> Bool {
        lease == other.lease && currentStep == other.currentStep
    }
}
