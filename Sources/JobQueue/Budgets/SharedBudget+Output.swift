/// The output of answers under way, which the provider counts as they are written.
extension SharedBudget {
    /// The answers under way that the provider has not counted yet.
    var expectedOutput: Int64 { holdings.values.reduce(0) { $0 + $1.holder.expectedOutput } }

    /// What the answers under way are expected to take of the output in a millisecond, in 1/60,000 tokens: their usual
    /// length in the usual time. Nothing is expected of a process that has seen no answer yet.
    private var writingRate: Int64 {
        holdings.values.reduce(0) { sum, holding in
            let time = holding.holder.usualTime.wholeMilliseconds
            guard time >= Self.shortestTime else { return sum }
            return sum + min(max(0, holding.holder.expectedOutput), LimitBucket.largest) * LimitBucket.unit / time
        }
    }

    /// The usual time of a call, in milliseconds, below which its output counts at its end.
    package static let shortestTime: Int64 = 500
    /// The longest time between two requests for which answers under way are counted on.
    private static let longestDrain: Int64 = 60_000

    /// Counts the output that the answers under way are expected to have got. Only the end of an answer tells its output,
    /// ten seconds late for a bucket that holds two; the head of another answer tells the level, but a second late.
    mutating func drainOutput(until now: Timestamp) {
        guard let bucket = told[.output], now > bucket.at else { return }
        let amount = writingRate * min((now - bucket.at).wholeMilliseconds, Self.longestDrain)
        told[.output]?.advance(to: now)
        told[.output]?.drain(amount)
    }

    /// Where a bucket holds less output than the answers under way will take, calls begin at the rate of the limit, and a
    /// little faster: what begins together ends together.
    mutating func setPace(at now: Timestamp) {
        let small = buckets.filter { kind, bucket in kind == .output && credit(of: bucket) > 0 }
        guard let limit = small.map(\.1.limit).min() else {
            pace = nil
            return
        }
        let size = max(2 * usual(.output, at: now), limit / 60, 1)
        var bucket = pace ?? LimitBucket(limit: limit, size: size, level: size, at: now)
        (bucket.limit, bucket.size) = (limit + limit / 20, size)
        bucket.advance(to: now)
        pace = bucket
    }

    /// The output for an interactive call: the provider asks only for a level above zero, so such a call need not wait
    /// for the answers of background calls under way, but for those of other interactive calls.
    func interactiveRoom(in bucket: LimitBucket, at now: Timestamp) -> Int64 {
        let uncertain = max(0, min(bucket.limit * Self.transit.wholeMilliseconds, bucket.cap / 2))
        return bucket.content - uncertain - interactive.use(of: .output, inSeconds: 10, at: now) * LimitBucket.unit
    }

    /// What refills while the answers under way are written, where the bucket is too small to hold their output.
    func credit(of bucket: LimitBucket) -> Int64 {
        let time = holdings.values.map(\.holder.usualTime.wholeMilliseconds).max() ?? 0
        return max(0, bucket.limit * min(time, 120_000) - bucket.size * LimitBucket.unit / 2)
    }
}
