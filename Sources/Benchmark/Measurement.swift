/// One figure of a benchmark.
public struct Measurement: Sendable, Hashable {
    /// What was done: `life_cycle`, `submit`, `claim_complete`, `pickup`, `poll`.
    public var name: String
    public var count: Int
    /// How many a second; `nil` where time per piece is what counts.
    public var perSecond: Double?
    /// Processor time of this process for each, in microseconds: the figure to go by on a machine that others use too.
    public var processorMicroseconds: Double
    /// Times of single pieces in milliseconds, where they were taken.
    public var median: Double?
    public var percentile99: Double?
}
