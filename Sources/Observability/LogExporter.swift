internal import JSON

/// Sends the lines of a logger to a collector, too.
package final class LogExporter: Sendable {
    private struct Line: Sendable {
        var text: String
        /// Milliseconds since 1970.
        var time: Int64
    }

    private let clock: @Sendable () -> Int64
    private let queue: ExportQueue<Line>

    /// Makes an exporter; nothing is sent before `run`.
    ///
    /// `milliseconds` gives the time since 1970.
    package init(to collector: OTLPCollector, milliseconds: @escaping @Sendable () -> Int64) {
        clock = milliseconds
        queue = ExportQueue { lines, limit in
            let records = lines.compactMap { Self.record($0) }
            return await collector.send(
                collector.body("Logs", "logRecords", records), to: "v1/logs", within: limit)
        }
    }

    /// Takes a line of a logger. Never waits; over 4,096 waiting lines, new ones are dropped.
    package func add(_ line: String) { queue.add(Line(text: line, time: clock())) }

    /// The number of lines that were dropped.
    package var dropped: Int { queue.dropped }

    package func run() async { await queue.run() }

    package func flush() async { await queue.flush() }

    /// OpenTelemetry's numbers of severities.
    private static let severities = ["debug": 5, "info": 9, "warning": 13, "error": 17]

    /// A line as OTLP writes a record. One about a job belongs to the job's trace.
    private static func record(_ line: Line) -> JSON? {
        guard let fields = (try? JSON(parsing: line.text))?.object else { return nil }
        let level = fields["level"]?.string ?? "info"
        var attributes: [(String, Span.Attribute)] = []
        for (name, value) in fields where !["time", "level", "message"].contains(name) {
            switch value {
            case .string(let text): attributes.append((name, .text(text)))
            case .bool(let flag): attributes.append((name, .flag(flag)))
            default:
                if let number = value.integer {
                    attributes.append((name, .integer(number)))
                } else if let number = value.double {
                    attributes.append((name, .number(number)))
                }
            }
        }
        let time = JSON("\(line.time * 1_000_000)")
        var record: JSONObject = [
            "timeUnixNano": time, "observedTimeUnixNano": time, "severityNumber": JSON(severities[level] ?? 9),
            "severityText": JSON(level), "body": ["stringValue": JSON(fields["message"]?.string ?? "")],
            "attributes": OTLP.attributes(attributes),
        ]
        let trace = fields["trace_id"]?.string ?? fields["job"]?.string?.filter { $0 != "-" }
        if let trace, trace.utf8.count == 32 { record["traceId"] = JSON(trace) }
        return .object(record)
    }
}
