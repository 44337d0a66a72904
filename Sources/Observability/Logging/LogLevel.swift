/// How much a line matters.
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
