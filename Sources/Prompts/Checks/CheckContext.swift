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
    /// What the answer cost, in micro-dollars; `nil` when nobody knows.
    public var cost: Int64?
    /// How long the answer took; `nil` when nobody knows.
    public var milliseconds: Int?

    public init(
        output: String, input: JSON = [:], facts: [Fact] = [], quotable: [String] = [], cost: Int64? = nil,
        milliseconds: Int? = nil
    ) {
        self.output = output
        self.input = input
        self.facts = facts
        self.quotable = quotable
        self.cost = cost
        self.milliseconds = milliseconds
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
    /// Whether the model can put it right when it gets the answer back.
    public var isMendable: Bool

    public init(check: String, path: String, message: String, isMendable: Bool = true) {
        self.check = check
        self.path = path
        self.message = message
        self.isMendable = isMendable
    }

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
