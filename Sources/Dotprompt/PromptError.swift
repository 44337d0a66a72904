/// Why a prompt cannot be read or rendered, and where.
///
/// The message is written for the author of the prompt. It never quotes the values that a prompt is rendered with.
public struct PromptError: Error, Equatable, CustomStringConvertible {
    /// The part of the work that failed.
    public enum Stage: String, Sendable {
        case frontMatter = "front matter"
        case template
        case schema
        case rendering
    }

    public let stage: Stage
    public let message: String
    /// The line of the file, or of the partial when `partial` is set, counting from 1.
    public let line: Int?
    /// The partial in which it happened; `nil` for the prompt itself.
    public let partial: String?

    public init(_ stage: Stage, _ message: String, line: Int? = nil, partial: String? = nil) {
        self.stage = stage
        self.message = message
        self.line = line
        self.partial = partial
    }

    public var description: String {
        var place: [String] = []
        if let partial { place.append("partial '\(partial)'") }
        if let line { place.append("line \(line)") }
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
}
