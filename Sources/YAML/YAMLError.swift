/// Why a text is not the YAML that is read here, and where.
public struct YAMLError: Error, Equatable, CustomStringConvertible {
    public let message: String
    /// Both count from 1; the column counts characters. The column is 0 when only the line is known.
    public let line: Int
    public let column: Int

    public init(message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    public var description: String {
        column > 0 ? "line \(line), column \(column): \(message)" : "line \(line): \(message)"
    }
}

/// A place in a YAML text; both numbers count from 1.
public struct YAMLPosition: Sendable, Hashable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    func failure(_ message: String) -> YAMLError { YAMLError(message: message, line: line, column: column) }
}
