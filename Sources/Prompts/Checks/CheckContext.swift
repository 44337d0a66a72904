package import JSON

/// What the checks look at.
package struct CheckContext: Sendable {
    /// What the model answered.
    package var output: String
    /// The output as JSON, when it is.
    package var json: JSON?
    /// What the prompt was rendered from.
    package var input: JSON
    /// The figures that the output may state.
    package var facts: [Fact]
    /// Texts given to the model whose figures it may repeat although they are no facts: the questions of a checklist.
    package var quotable: [String]
    /// What the answer cost, in micro-dollars; `nil` when nobody knows.
    package var cost: Int64?
    /// How long the answer took; `nil` when nobody knows.
    package var milliseconds: Int?

    package init(
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
package struct CheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name (`sentence-count`).
    package var check: String
    /// Where in the output (`risks[0].detail`); empty for all of it.
    package var path: String
    /// A sentence that says what is wrong and what is wanted.
    package var message: String
    /// Whether the model can put it right when it gets the answer back.
    package var isRepairable: Bool

    package init(check: String, path: String, message: String, isRepairable: Bool = true) {
        self.check = check
        self.path = path
        self.message = message
        self.isRepairable = isRepairable
    }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
