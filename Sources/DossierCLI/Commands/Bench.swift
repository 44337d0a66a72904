import Benchmark
import JSON
import JobQueue

extension Command {
    static let bench = Command(
        path: ["bench"], summary: "Measure how fast a database of its own is",
        options: [
            Option("--part", "NAME", "life_cycle, submit, claim_complete, pickup, poll or work (default all but work)"),
            Option("--jobs", "N", "Jobs that each part takes (default 10000)"),
            Option("--seconds", "N", "How long work runs what others submit (default 30)"), .database, .json,
        ],
        notes: """
            --database must be given: the benchmark takes every job that is ready, and leaves finished ones. It refuses
            a database with unfinished jobs. The part work is a worker whose jobs take a second and compute nothing.
            """
    ) { invocation in
        guard invocation.has("--database") else {
            throw CommandFailure.usage("--database is missing; give the benchmark a database of its own")
        }
        if invocation.options["--part"] == "work" { return try await work(invocation) }
        var parts = StoreBenchmark.Part.allCases
        if let name = invocation.options["--part"] {
            guard let part = StoreBenchmark.Part(rawValue: name) else {
                let names = parts.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.usage("--part must be one of \(names), work, not '\(name)'")
            }
            parts = [part]
        }
        let jobs = try invocation.integer("--jobs", in: 100...10_000_000, default: 10_000)
        try await withStore(invocation) { store, _ in
            try await refuseUnfinishedJobs(in: store)
            for part in parts {
                let measurement = try await StoreBenchmark(store: store, jobs: jobs).run(part)
                show(measurement, invocation)
            }
        }
    }

    private static func work(_ invocation: Invocation) async throws {
        let seconds = try invocation.integer("--seconds", in: 1...86_400, default: 30)
        try await withStore(invocation) { store, _ in
            show(try await BenchmarkWorker(store: store).run(for: .seconds(seconds)), invocation)
        }
    }

    private static func show(_ measurement: Measurement, _ invocation: Invocation) {
        Terminal.print(invocation.has("--json") ? measurement.json.compact : measurement.text)
    }

    private static func refuseUnfinishedJobs(in store: any Store) async throws {
        let places = ["jobs_ready", "jobs_scheduled", "jobs_waiting", "jobs_blocked", "leases"]
        let unfinished = try await store.health().filter { places.contains($0.name) && ($0.value ?? 0) > 0 }
        guard unfinished.isEmpty else {
            throw CommandFailure.failed("the database has unfinished jobs; give the benchmark one of its own")
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
