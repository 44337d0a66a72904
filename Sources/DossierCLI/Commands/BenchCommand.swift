import Benchmark
import JSON
import JobQueue

extension Command {
    static let bench = Command(
        path: ["bench"], summary: "Measure the speed of a database",
        options: [
            Option(
                "--part", "NAME",
                "life_cycle, submit, claim_complete, pickup, pickup_elsewhere or poll (default all of these), crowd or "
                    + "storage"),
            Option("--jobs", "N", "The number of jobs of each part (default 10000)"), .database, .json,
        ],
        notes: """
            --database is required: use a separate database, since the benchmark claims every ready job and leaves
            finished jobs behind. It refuses a database with unfinished jobs. The part crowd measures life cycles beside
            100,000 jobs that cannot run yet, and leaves those behind too. The part storage prints the bytes that finished
            jobs take.
            """
    ) { invocation in
        guard invocation.has("--database") else {
            throw CommandFailure.usage("--database is missing; use a separate database for the benchmark")
        }
        let jobs = try invocation.integer("--jobs", in: 100...10_000_000, default: 10_000)
        switch invocation.options["--part"] {
        case "crowd":
            try await withStore(invocation, migrations: .apply) { store, _ in
                try await refuseUnfinishedJobs(in: store)
                for measurement in try await BacklogBenchmark(store: store, jobs: jobs).run() {
                    show(measurement, invocation)
                }
            }
        case "storage":
            try await withStore(invocation, migrations: .apply) { store, _ in
                try await refuseUnfinishedJobs(in: store)
                for reading in try await StorageBenchmark(store: store, jobs: jobs).run() { show(reading, invocation) }
            }
        case let name: try await measure(try parts(name), jobs, invocation)
        }
    }

    private static func parts(_ name: String?) throws(CommandFailure) -> [StoreBenchmark.Part] {
        guard let name else { return StoreBenchmark.Part.allCases }
        guard let part = StoreBenchmark.Part(rawValue: name) else {
            let names = StoreBenchmark.Part.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--part must be one of \(names), crowd, storage, not '\(name)'")
        }
        return [part]
    }

    private static func measure(_ parts: [StoreBenchmark.Part], _ jobs: Int, _ invocation: Invocation) async throws {
        try await withStore(invocation, migrations: .apply) { store, _ in
            try await refuseUnfinishedJobs(in: store)
            try await withStore(invocation, migrations: .apply) { other, _ in
                for part in parts {
                    show(try await StoreBenchmark(store: store, other: other, jobs: jobs).run(part), invocation)
                }
            }
        }
    }

    private static func show(_ measurement: Measurement, _ invocation: Invocation) {
        Terminal.print(invocation.has("--json") ? measurement.json.compact : measurement.text)
    }

    private static func show(_ reading: StorageBenchmark.Reading, _ invocation: Invocation) {
        let perJob = reading.bytesPerJob.rounded()
        Terminal.print(
            invocation.has("--json")
                ? JSON.object(["jobs": JSON(reading.jobs), "bytes": JSON(reading.bytes), "bytes_per_job": JSON(perJob)])
                    .compact
                : "\(reading.jobs) finished jobs: \(reading.bytes) bytes, \(Int(perJob)) bytes for each further job")
    }

    private static func refuseUnfinishedJobs(in store: any Store) async throws {
        let places = ["jobs_ready", "jobs_scheduled", "jobs_waiting", "jobs_blocked", "leases"]
        let unfinished = try await store.health().filter { places.contains($0.name) && ($0.value ?? 0) > 0 }
        guard unfinished.isEmpty else {
            throw CommandFailure.failed("the database has unfinished jobs; use a separate one for the benchmark")
        }
    }
}

extension Measurement {
    fileprivate var json: JSON {
        [
            "name": JSON(name), "count": JSON(count), "per_second": JSON(perSecond),
            "processor_us": JSON(processorMicroseconds), "p50_ms": JSON(median), "p99_ms": JSON(percentile99),
        ]
    }

    fileprivate var text: String {
        let rate = perSecond.map { "\(Int($0))/s" } ?? ""
        let times = [median.map { "p50 \(Self.rounded($0)) ms" }, percentile99.map { "p99 \(Self.rounded($0)) ms" }]
        let shown = ([rate] + times.compactMap { $0 }).filter { !$0.isEmpty }.joined(separator: ", ")
        return "\(name): \(shown), \(Self.rounded(processorMicroseconds)) µs of processor time each"
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
