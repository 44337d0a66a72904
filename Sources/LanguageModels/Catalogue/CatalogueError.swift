/// Why `models.yaml` cannot be used, and where.
package struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// From 1.
    package let line: Int
    package let message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { "\(file):\(line): \(message)" }
}
