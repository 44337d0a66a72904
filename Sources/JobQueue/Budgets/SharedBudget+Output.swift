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
            guard let flow = holding.flow() else { continue }
            let amount = flow * passed
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
    /// A large bucket holds all of it. Of a small one half is to be left at the horizon, for which the answers under way
    /// are expected to be written as they are now. Whatever is expected, a twentieth of the bucket is left, for calls are
    /// refused when nothing is.
    func room(in bucket: LimitBucket, beside expected: Int64, reserve: Int64) -> Int64 {
        guard credit(of: bucket) > 0 else { return bucket.content - (expected + reserve) * LimitBucket.unit }
        let beginning = min(max(0, expected - expectedOutput), LimitBucket.largest) * LimitBucket.unit
        let soon = bucket.content + (bucket.limit - flow - beginning / max(1, usualTime)) * horizon
        return min(soon - bucket.whole / 2, bucket.content - bucket.whole / 20)
    }

    /// The output that the answers under way get in a millisecond, as each process tells it. The process whose calls take
    /// longest stands for one that has seen no answer yet, but not for all: that would let in too many calls.
    private var flow: Int64 {
        let longest = max(1, usualTime)
        return holdings.values.reduce(0) { $0 + ($1.flow() ?? $1.flow(in: longest)) }
    }

    /// The time in which too high or too low a level is corrected, in milliseconds. Answers end within their usual time and
    /// no sooner: a correction in much less lets in calls together, which end together.
    private var horizon: Int64 { min(max(1, usualTime), max(Self.shortestHorizon, usualTime * 3 / 4)) }

    /// The calls of a usual output that may be claimed where a bucket is small: as many as `room` and the pace let in
    /// within the horizon of claims.
    func claimable(of output: Int64, in bucket: LimitBucket) -> Int64 {
        let need = max(output, 1) * LimitBucket.unit
        let content = bucket.content - bucket.whole / 2
        let room = (bucket.limit - flow + content / horizon) * max(1, usualTime)
        let paced = pace.map { $0.content + $0.limit * Self.claimHorizon } ?? room
        return max(0, (min(room, paced) + need - 1) / need)
    }

    /// The time after which the answers that begin now are being written, in milliseconds.
    private static let shortestHorizon: Int64 = 3000

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

extension SharedBudget.Holding {
    /// The output that its answers get in a millisecond, in 1/60,000; `nil` while no answer tells how long one takes.
    fileprivate func flow() -> Int64? {
        let time = holder.usualTime.wholeMilliseconds
        return time >= SharedBudget.shortestTime ? flow(in: time) : nil
    }

    /// The same where what is expected comes within a time.
    fileprivate func flow(in time: Int64) -> Int64 {
        min(max(0, holder.expectedOutput), LimitBucket.largest) * LimitBucket.unit / time
    }
}
