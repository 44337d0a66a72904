/// The output of answers under way, which the provider counts as they are written.
extension SharedBudget {
    /// The answers under way that the provider has not counted yet.
    var expectedOutput: Int64 { holdings.values.reduce(0) { $0 + $1.holder.expectedOutput } }

    /// The usual time of a call, in milliseconds, below which its output counts when it is reported.
    package static let shortestTime: Int64 = 500
    /// The longest time between two requests for which answers under way are counted on.
    private static let longestDrain: Int64 = 60_000

    /// Counts the output that the answers under way are expected to have got: their usual length in the usual time, as
    /// each process tells both. Its next report replaces that by what they did get. Nothing is expected of a process
    /// that has seen no answer yet.
    mutating func drainOutput(until now: Timestamp) {
        guard let bucket = told[.output], now > bucket.at else { return }
        let passed = min((now - bucket.at).wholeMilliseconds, Self.longestDrain)
        told[.output]?.advance(to: now)
        for (id, holding) in holdings {
            let time = holding.holder.usualTime.wholeMilliseconds
            guard time >= Self.shortestTime else { continue }
            let rest = min(max(0, holding.holder.expectedOutput), LimitBucket.largest)
            let amount = rest * LimitBucket.unit / time * passed
            told[.output]?.drain(amount)
            holdings[id]?.drained += amount
        }
    }

    /// Takes back what was counted of a process's answers since its last report, before the next one.
    mutating func restoreOutput(of id: String) {
        guard let drained = holdings[id]?.drained, drained > 0 else { return }
        told[.output]?.drain(-drained)
        holdings[id]?.drained = 0
    }

    /// The room for the output of a background call, beside that of the answers under way.
    ///
    /// A large bucket holds all of it. Of a small one half is to be left three seconds from now, when the answers that
    /// begin are written: at the usual pace these have then taken a part of what is expected of them. Whatever is
    /// expected, a twentieth of the bucket is left, for calls are refused when nothing is.
    func room(in bucket: LimitBucket, beside expected: Int64, reserve: Int64) -> Int64 {
        guard credit(of: bucket) > 0 else { return bucket.content - (expected + reserve) * LimitBucket.unit }
        let time = max(1, usualTime)
        let horizon = min(time, Self.horizon)
        let soon = bucket.content + surplus(in: bucket, beside: expected) / time * horizon
        return min(soon - bucket.whole / 2, bucket.content - bucket.whole / 20)
    }

    /// What refills in the time of a usual call beyond the output that is expected; below zero where that is more.
    private func surplus(in bucket: LimitBucket, beside expected: Int64) -> Int64 {
        bucket.limit * max(1, usualTime) - min(expected, LimitBucket.largest) * LimitBucket.unit
    }

    /// The calls of a usual output that may be claimed where a bucket is small: as many as `room` and the pace let in
    /// within the horizon of claims.
    func claimable(of output: Int64, in bucket: LimitBucket) -> Int64 {
        let need = max(output, 1) * LimitBucket.unit
        let time = max(1, usualTime)
        let content = bucket.content - bucket.whole / 2
        let room = surplus(in: bucket, beside: expectedOutput) + content / min(time, Self.horizon) * time
        let paced = pace.map { $0.content + $0.limit * Self.claimHorizon } ?? room
        return max(0, (min(room, paced) + need - 1) / need)
    }

    /// The time after which the answers that begin now are being written, in milliseconds.
    private static let horizon: Int64 = 3000

    /// Where a bucket holds less output than the answers under way will take, calls begin at the rate of the limit, and
    /// somewhat faster: what begins together ends together.
    mutating func setPace(at now: Timestamp) {
        let small = buckets.filter { kind, bucket in kind == .output && credit(of: bucket) > 0 }
        guard let limit = small.map(\.1.limit).min() else {
            pace = nil
            return
        }
        let size = max(2 * usual(.output, at: now), limit / 60, 1)
        var bucket = pace ?? LimitBucket(limit: limit, size: size, level: size, at: now)
        (bucket.limit, bucket.size) = (limit + limit * 3 / 10, size)
        bucket.advance(to: now)
        pace = bucket
    }

    /// The output for an interactive call: the provider asks only for a level above zero, so such a call need not wait
    /// for the answers of background calls under way, but for those of other interactive calls.
    func interactiveRoom(in bucket: LimitBucket, at now: Timestamp) -> Int64 {
        guard credit(of: bucket) == 0 else { return bucket.content - bucket.whole / 20 }
        let uncertain = max(0, min(bucket.limit * Self.transit.wholeMilliseconds, bucket.cap / 2))
        return bucket.content - uncertain - interactive.use(of: .output, inSeconds: 10, at: now) * LimitBucket.unit
    }

    /// What refills while the answers under way are written, where the bucket is too small to hold their output.
    func credit(of bucket: LimitBucket) -> Int64 {
        max(0, bucket.limit * usualTime - bucket.size * LimitBucket.unit / 2)
    }

    /// The usual time of a call in milliseconds, of the process for which it is longest.
    private var usualTime: Int64 {
        min(holdings.values.map(\.holder.usualTime.wholeMilliseconds).max() ?? 0, 120_000)
    }
}
