/// How much work one rendering may be; what goes beyond is an error.
public struct RenderLimits: Sendable, Hashable {
    /// Bytes of output.
    public var outputSize: Int
    /// Statements that are carried out, counting every round of a loop.
    public var steps: Int
    /// Partials within partials.
    public var partialDepth: Int

    public init(outputSize: Int = 8 << 20, steps: Int = 500_000, partialDepth: Int = 48) {
        self.outputSize = outputSize
        self.steps = steps
        self.partialDepth = partialDepth
    }
}
