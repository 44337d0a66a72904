/// A variable that a template uses and its input schema does not have.
public struct UnknownVariable: Sendable, Hashable {
    /// As the template writes it: `company.nmae`.
    public let path: String
    /// The part that leads nowhere: `nmae`.
    public let name: String
    /// What could stand there, sorted; empty where nothing has members.
    public let known: [String]
    /// The line of the file.
    public let line: Int
    /// The partial in whose file it stands; `nil` for the prompt's own.
    public let partial: String?
}
