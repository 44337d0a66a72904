internal import JSON
package import JobQueue

/// Measures the bytes that finished light jobs take: a result of about 500 bytes each, without a journal.
///
/// It needs a store without unfinished jobs, and leaves finished jobs of users from number 1,000,000 on.
package struct StorageBenchmark: Sendable {
    /// The size of a database after some jobs.
    package struct Reading: Sendable {
        /// Jobs since the beginning.
        package var jobs: Int
        /// The growth of the database since the beginning, in bytes.
        package var bytes: Int64
        /// The growth since the reading before, for each job. It does not contain what is there once.
        package var bytesPerJob: Double
    }

    /// Jobs that are archived together, as a worker does.
    private static let round = 2000
    private static let readings = 4

    private let store: any JobStore & StoreHealth
    private let jobs: Int

    package init(store: any JobStore & StoreHealth, jobs: Int) {
        self.store = store
        self.jobs = jobs
    }

    /// Takes a reading after each quarter of the jobs: they are alike when the size is linear.
    package func run() async throws -> [Reading] {
        try await BenchmarkJobs.withWorkers(in: store) {
            var readings: [Reading] = []
            let start = try await bytes()
            var (done, last) = (0, start)
            for quarter in 1...Self.readings {
                let before = done
                while done < jobs * quarter / Self.readings {
                    let count = min(Self.round, jobs * quarter / Self.readings - done)
                    try await finish(done..<(done + count))
                    done += count
                }
                let now = try await bytes()
                readings.append(
                    Reading(
                        jobs: done, bytes: now - start, bytesPerJob: Double(now - last) / Double(max(done - before, 1)))
                )
                last = now
            }
            return readings
        }
    }

    private func finish(_ range: Range<Int>) async throws {
        async let submitted: Void = BenchmarkJobs.submit(range.count, to: store) { index in
            var job = BenchmarkJobs.job(range.lowerBound + index, cost: 0)
            job.bundle = String(repeating: "3f2a9c01", count: 8)
            job.requestID = job.id.description
            return job
        }
        try await BenchmarkJobs.claim(range.count, from: store) { claimed in
            try await store.complete(claimed.lease, with: Self.result(of: claimed.lease.job), effects: [])
        }
        try await submitted
        let now = try await store.now()
        while try await store.archiveFinished(before: now + .seconds(1), limit: 500) > 0 {}
    }

    private func bytes() async throws -> Int64 {
        try await store.health().first { $0.name == "database_bytes" }?.value ?? 0
    }

    /// A result of a summary's form, with words that differ from job to job.
    private static func result(of job: JobID) -> JSON {
        var state = job.low | 1
        func text(_ length: Int) -> String {
            var text = ""
            while text.utf8.count < length {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += (text.isEmpty ? "" : " ") + words[Int(state >> 40) % words.count]
            }
            return text
        }
        return [
            "summary": JSON(text(290)), "headline": JSON(text(60)), "sentiment": "neutral",
            "confidence": JSON(Int(state >> 57)),
            "provenance": ["model": "claude-sonnet-5-5", "cost_micro_dollars": JSON(Int(state >> 52))],
        ]
    }

    private static let words = """
        margin services phone quarter regulator appeal supplier forecast inventory currency dividend buyback lender \
        drought harvest pipeline refinery tanker freight port strike union payroll census mortgage builder permit \
        copper lithium cobalt battery charger grid turbine reactor subsidy tariff quota treaty summit ministry budget \
        deficit bond yield auction rating default merger antitrust patent licence royalty studio streaming subscriber \
        churn cloud outage breach lawsuit settlement recall vaccine trial insurer premium claim hospital airline \
        fare cabin hotel cruise casino retailer basket discount warehouse courier rose fell held beat missed cut \
        raised warned delayed opened closed agreed refused expects doubts the a its their more less than after before
        """.split(separator: " ").map(String.init)
}
