/// Writes one JSON object a line: `{"time":…,"level":…,"message":…, fields…}`.
///
/// The message is a fixed phrase; whatever varies goes into fields, so that lines can be counted and searched. Fields
/// that a logger carries (a job's id, a request's id) stand in each of its lines.
package struct Logger: Sendable {
    private let sink: @Sendable (String) -> Void
    private let now: @Sendable () -> Int64
    private let threshold: LogLevel
    private var fields: [(name: String, value: LogValue)] = []

    /// - Parameters:
    ///   - threshold: Lines below it are not made.
    ///   - now: Milliseconds since 1970.
    ///   - sink: Takes each whole line, without its newline; called from any thread.
    package init(
        threshold: LogLevel = .info, now: @escaping @Sendable () -> Int64, sink: @escaping @Sendable (String) -> Void
    ) {
        self.threshold = threshold
        self.now = now
        self.sink = sink
    }

    /// A logger that writes nothing.
    package static let silent = Logger(threshold: .error, now: { 0 }, sink: { _ in })

    /// A logger whose lines carry these fields too.
    package func with(_ more: KeyValuePairs<String, LogValue>) -> Logger {
        var copy = self
        copy.fields += more.map { (name: $0.key, value: $0.value) }
        return copy
    }

    /// Whether lines of a level are written; asked by who would go to some length for their fields.
    package func writes(_ level: LogLevel) -> Bool { level >= threshold }

    package func debug(_ message: StaticString, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        log(.debug, message, fields)
    }

    package func info(_ message: StaticString, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        log(.info, message, fields)
    }

    package func warning(_ message: StaticString, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        log(.warning, message, fields)
    }

    package func error(_ message: StaticString, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        log(.error, message, fields)
    }

    private func log(_ level: LogLevel, _ message: StaticString, _ more: KeyValuePairs<String, LogValue>) {
        guard level >= threshold else { return }
        var line = LogLine()
        line.add("time", .string(ISO8601.text(milliseconds: now())))
        line.add("level", .string(level.name))
        line.add("message", .string(message.description))
        for field in fields { line.add(field.name, field.value) }
        for field in more { line.add(field.key, field.value) }
        sink(line.text)
    }
}
