public import JSON

/// What the checks look at.
public struct CheckContext: Sendable {
    /// What the model answered.
    public var output: String
    /// The output as JSON, when it is.
    public var json: JSON?
    /// What the prompt was rendered from.
    public var input: JSON
    /// The figures that the output may state.
    public var facts: [Fact]
    /// Texts given to the model whose figures it may repeat although they are no facts: the questions of a checklist.
    public var quotable: [String]

    public init(output: String, input: JSON = [:], facts: [Fact] = [], quotable: [String] = []) {
        self.output = output
        self.input = input
        self.facts = facts
        self.quotable = quotable
        json = try? JSON(parsing: output)
    }
}

/// A rule that an output breaks, said so that it can be sent back to the model.
public struct CheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name (`sentence-count`).
    public var check: String
    /// Where in the output (`risks[0].detail`); empty for all of it.
    public var path: String
    /// A sentence that says what is wrong and what is wanted.
    public var message: String

    public init(check: String, path: String, message: String) {
        self.check = check
        self.path = path
        self.message = message
    }

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
