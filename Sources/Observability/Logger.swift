internal import Basics
internal import Glibc

/// Writes one JSON object a line: `{"time":…,"level":…,"message":…, fields…}`.
///
/// The message is a fixed phrase; variable parts go into fields, so that lines can be counted and searched. Fields
/// that a logger carries (a job's id, a request's id) are part of each of its lines.
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

    /// A logger whose lines are also given to another sink, which must not wait.
    package func also(_ other: @escaping @Sendable (String) -> Void) -> Logger {
        var copy = Logger(threshold: threshold, now: now) { [sink] line in
            sink(line)
            other(line)
        }
        copy.fields = fields
        return copy
    }

    /// Whether lines of a level are written; for callers whose fields are expensive to make.
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

/// The severity of a line.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    package init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// The value of a field of a log line.
package enum LogValue: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case bool(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// A JSON object on one line, built field by field.
struct LogLine {
    /// Longer texts are cut, so that input cannot flood the log.
    private static let longestText = 2000

    private(set) var body = "{"

    var text: String { body + "}" }

    mutating func add(_ name: String, _ value: LogValue) {
        if body.utf8.count > 1 { body += "," }
        append(quoted: name)
        body += ":"
        switch value {
        case .string(let text):
            // Scalars are counted only where there could be too many.
            let isTooLong = text.utf8.count > Self.longestText && text.unicodeScalars.count > Self.longestText
            append(quoted: isTooLong ? text.prefix(scalars: Self.longestText) + "…" : text)
        case .integer(let number): body += String(number)
        case .double(let number): body += number.isFinite ? "\(number)" : "null"
        case .bool(let flag): body += flag ? "true" : "false"
        }
    }

    private mutating func append(quoted text: String) {
        body += "\""
        defer { body += "\"" }
        guard text.utf8.contains(where: Self.needsEscape) else {
            body += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": body += "\\\""
            case "\\": body += "\\\\"
            case "\n": body += "\\n"
            case "\r": body += "\\r"
            case "\t": body += "\\t"
            case _ where scalar.actsOnDisplay: body += scalar.escaped
            default: body.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a scalar that begins with this byte may have to be escaped.
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
            || byte == 0xE2
    }
}

extension Logger {
    /// A logger to standard error; each line is one write, so lines of several threads and processes do not mix.
    package static func standardError(threshold: LogLevel = .info) -> Logger {
        Logger(threshold: threshold, now: WallClock.milliseconds) { line in
            let bytes = Array((line + "\n").utf8)
            _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
