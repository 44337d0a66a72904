/// A place where the sources break a rule.
struct Violation: Equatable, CustomStringConvertible {
    /// Relative to the package's folder.
    var file: String
    /// From 1.
    var line: Int
    var message: String

    var description: String { "\(file):\(line): \(message)" }
}
