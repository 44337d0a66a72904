/// What a kind of job is asked with, and what it answers.
///
/// A kind that was added on the server as a file needs a type of this protocol in the app and nothing else:
///
/// ```swift
/// struct QuizInput: JobInput {
///     typealias Output = Quiz
///     var kind: Job.Kind { "quiz" }
///     let topic: String
/// }
/// ```
///
/// Inputs are encoded and outputs decoded with `JSONEncoder.dossier` and `JSONDecoder.dossier`.
public protocol JobInput: Codable, Hashable, Sendable {
    /// The result of a completed job.
    associatedtype Output: Codable & Sendable
    /// The kind of job.
    var kind: Job.Kind { get }
}

/// A job whose kind is known only at run time.
public struct UntypedInput: JobInput {
    /// Whatever the kind answers.
    public typealias Output = JSONValue
    /// The kind of job.
    public let kind: Job.Kind
    /// An object of the kind's schema.
    public let input: JSONValue

    /// Asks a kind of job with an object of its schema.
    public init(kind: Job.Kind, input: JSONValue) {
        self.kind = kind
        self.input = input
    }
}
