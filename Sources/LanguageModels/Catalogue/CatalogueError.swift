/// Why `models.yaml` cannot be used, and where.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1.
    public let line: Int
    public let message: String

    public init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    public var description: String { "\(file):\(line): \(message)" }
}
