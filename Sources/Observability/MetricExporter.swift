internal import JSON
internal import Synchronization

/// Sends the metrics of a process to a collector, at intervals: the same as at `/metrics`, under the same names.
package final class MetricExporter: Sendable {
    private let collector: OTLPCollector
    private let interval: Duration
    private let clock: @Sendable () -> Int64
    /// The start of the process, in milliseconds since 1970: counters count from there.
    private let start: Int64
    private let lost = Mutex(0)

    /// Makes an exporter; nothing is sent before `run`.
    ///
    /// `milliseconds` gives the time since 1970.
    package init(
        to collector: OTLPCollector, every interval: Duration, milliseconds: @escaping @Sendable () -> Int64
    ) {
        self.collector = collector
        self.interval = interval
        clock = milliseconds
        start = milliseconds()
    }

    /// The number of readings that the collector did not take.
    package var dropped: Int { lost.withLock { $0 } }

    /// Sends readings until the task is cancelled, and then one more.
    ///
    /// - Parameter read: Returns the metrics in Prometheus's text format.
    package func run(_ read: @escaping @Sendable () async -> String) async {
        while (try? await Task.sleep(for: interval)) != nil { await send(await read(), within: .seconds(10)) }
        // Not in the cancelled task, in which the request would end at once.
        await Task { await self.send(await read(), within: .seconds(1)) }.value
    }

    package func send(_ text: String, within limit: Duration = .seconds(10)) async {
        let metrics = PrometheusReading(text).families.map { otlp($0, at: clock()) }
        let isTaken = await collector.send(
            collector.body("Metrics", "metrics", metrics), to: "v1/metrics", within: limit)
        if !isTaken { lost.withLock { $0 += 1 } }
    }

    private func otlp(_ family: PrometheusReading.Family, at now: Int64) -> JSON {
        let times: JSONObject = [
            "startTimeUnixNano": JSON("\(start * 1_000_000)"), "timeUnixNano": JSON("\(now * 1_000_000)"),
        ]
        var points: [JSON] = []
        for series in family.series {
            var point = times
            point["attributes"] = OTLP.attributes(series.labels.map { ($0.name, .text($0.value)) })
            if family.kind == .histogram {
                point["count"] = JSON("\(series.counts.reduce(0, +))")
                point["sum"] = JSON(series.value)
                point["explicitBounds"] = .array(series.bounds.map { JSON($0) })
                point["bucketCounts"] = .array(series.counts.map { JSON("\($0)") })
            } else {
                point["asDouble"] = JSON(series.value)
            }
            points.append(.object(point))
        }
        var metric: JSONObject = ["name": JSON(family.name), "description": JSON(family.help)]
        // 2 is cumulative.
        switch family.kind {
        case .gauge: metric["gauge"] = ["dataPoints": .array(points)]
        case .counter:
            metric["sum"] = ["dataPoints": .array(points), "aggregationTemporality": 2, "isMonotonic": true]
        case .histogram: metric["histogram"] = ["dataPoints": .array(points), "aggregationTemporality": 2]
        }
        return .object(metric)
    }
}
