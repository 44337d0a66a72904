/// One figure of a benchmark.
package struct Measurement: Sendable, Hashable {
    /// What was done: `life_cycle`, `submit`, `claim_complete`, `pickup`, `poll`.
    package var name: String
    package var count: Int
    /// How many a second; `nil` where time per piece is what counts.
    package var perSecond: Double?
    /// Processor time of this process for each, in microseconds: the figure to go by on a machine that others use too.
    package var processorMicroseconds: Double
    /// Times of single pieces in milliseconds, where they were taken.
    package var median: Double?
    package var percentile99: Double?
}
