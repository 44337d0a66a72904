/// The jobs that ended in one minute with one status and one code.
package struct EndedJobs: Hashable, Sendable {
    /// The minute, counted from the epoch.
    package var minute: Int64
    package var status: JobStatus
    /// The code of their error; empty for jobs that did not fail.
    package var code: String
    package var count: Int64

    package init(minute: Int64, status: JobStatus, code: String, count: Int64) {
        (self.minute, self.status, self.code, self.count) = (minute, status, code, count)
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

/// The ended jobs of a day by their minutes.
///
/// A minute that has been over for a while is counted once: the jobs of a day may be a million, those of two minutes
/// are few. A job that ends again after a retry has ended twice.
package struct EndedJobsOfDay: Sendable {
    /// A transaction that sets the time of an end commits within this time.
    private static let longestCommit: Duration = .seconds(60)
    private static let minute: Int64 = 60_000

    private var minutes: [Int64: [EndedJobs]] = [:]
    /// The first minute that must be counted again.
    private var next: Int64 = 0

    package init() {}

    /// The time since which ended jobs must be counted.
    package func countedTo(at now: Timestamp) -> Timestamp {
        Timestamp(milliseconds: max(next, Self.minute(now - .seconds(86_400))) * Self.minute)
    }

    /// Takes the jobs that ended since a time that `countedTo` gave before. Another count may have come between: what it
    /// counted once stays.
    package mutating func add(_ jobs: [EndedJobs], since time: Timestamp, at now: Timestamp) {
        let (first, oldest) = (max(Self.minute(time), next), Self.minute(now - .seconds(86_400)))
        minutes = minutes.filter { $0.key < first && $0.key >= oldest }
        for jobs in jobs where jobs.minute >= first { minutes[jobs.minute, default: []].append(jobs) }
        next = max(next, Self.minute(now - Self.longestCommit))
    }

    /// The jobs that ended since a time, in whole minutes.
    package func sums(since time: Timestamp) -> EndedJobs.Sums {
        let first = Self.minute(time)
        return minutes.reduce(into: EndedJobs.Sums()) { sums, minute in
            guard minute.key >= first else { return }
            for jobs in minute.value { sums.add(jobs) }
        }
    }

    private static func minute(_ time: Timestamp) -> Int64 { max(time.milliseconds, 0) / minute }
}
