/// The jobs that ended in one interval with one status and one code.
package struct EndedJobs: Hashable, Sendable {
    /// The length of an interval in milliseconds.
    package static let interval: Int64 = 10_000

    /// The number of the interval, counted from the epoch.
    package var interval: Int64
    package var status: JobStatus
    /// The code of their error; empty for jobs that did not fail.
    package var code: String
    package var count: Int64

    package init(interval: Int64, status: JobStatus, code: String, count: Int64) {
        (self.interval, self.status, self.code, self.count) = (interval, status, code, count)
    }

    /// Sums of jobs that ended in some time.
    package struct Sums: Hashable, Sendable {
        package var completed: Int64 = 0
        package var failed: Int64 = 0
        package var cancelled: Int64 = 0
        /// Failed jobs by the code of their errors.
        package var byCode: [String: Int64] = [:]

        package init() {}

        package mutating func add(_ jobs: EndedJobs) {
            switch jobs.status {
            case .completed: completed += jobs.count
            case .failed:
                failed += jobs.count
                byCode[jobs.code, default: 0] += jobs.count
            case .cancelled: cancelled += jobs.count
            case .pending, .processing: break
            }
        }
    }
}

/// The ended jobs of a day by their intervals.
///
/// An interval that has been over for a while is counted once: the jobs of a day may be a million, those of half a
/// minute are few. A job that ends again after a retry has ended twice.
package struct EndedJobsOfDay: Sendable {
    /// A transaction that sets the time of an end commits within this time.
    private static let longestCommit: Duration = .seconds(30)

    private var intervals: [Int64: [EndedJobs]] = [:]
    /// The first interval that must be counted again.
    private var next: Int64 = 0

    package init() {}

    /// The time since which ended jobs must be counted.
    package func countedTo(at now: Timestamp) -> Timestamp {
        Timestamp(milliseconds: max(next, Self.interval(now - .seconds(86_400))) * EndedJobs.interval)
    }

    /// Takes the jobs that ended since a time that `countedTo` gave before. Another count may have come between: what it
    /// counted once stays.
    package mutating func add(_ jobs: [EndedJobs], since time: Timestamp, at now: Timestamp) {
        let (first, oldest) = (max(Self.interval(time), next), Self.interval(now - .seconds(86_400)))
        intervals = intervals.filter { $0.key < first && $0.key >= oldest }
        for jobs in jobs where jobs.interval >= first { intervals[jobs.interval, default: []].append(jobs) }
        next = max(next, Self.interval(now - Self.longestCommit))
    }

    /// The jobs that ended since a time, in whole intervals.
    package func sums(since time: Timestamp) -> EndedJobs.Sums {
        let first = Self.interval(time)
        return intervals.reduce(into: EndedJobs.Sums()) { sums, interval in
            guard interval.key >= first else { return }
            for jobs in interval.value { sums.add(jobs) }
        }
    }

    private static func interval(_ time: Timestamp) -> Int64 { max(time.milliseconds, 0) / EndedJobs.interval }
}
