import JobQueue

/// A provider with token buckets as Anthropic documents them: continuous, and answers count when they are written.
struct SimulatedProvider {
    struct Limit {
        /// Per minute.
        var rate: Double
        var size: Double
    }

    struct Bucket {
        let limit: Limit
        private(set) var level: Double
        private var at: Double = 0
        /// The longest time for which the bucket was full.
        private(set) var longestFull: Double = 0

        init(_ limit: Limit) {
            self.limit = limit
            level = limit.size
        }

        mutating func advance(to now: Double) {
            let untilFull = (limit.size - level) / limit.rate * 60_000
            longestFull = max(longestFull, now - at - untilFull)
            level = min(limit.size, level + limit.rate * (now - at) / 60_000)
            at = now
        }

        mutating func take(_ amount: Double) { level -= amount }

        /// Forgets the past of the measure.
        mutating func beginMeasure() { longestFull = 0 }

        /// What a head tells; with a reset in whole seconds the earliest time that it may stand for, and with remainders
        /// in thousands the least that they may stand for.
        func reading(inWholeSeconds: Bool, inThousands: Bool) -> LimitReading.Line {
            var fullIn = (limit.size - level) / limit.rate * 60_000
            if inWholeSeconds { fullIn = max(0, ((at + fullIn) / 1000).rounded(.up) * 1000 - 1000 - at) }
            let remaining = inThousands ? (level / 1000).rounded() * 1000 - 500 : level
            return LimitReading.Line(
                limit: Int64(limit.rate), remaining: Int64(max(0, remaining)),
                uncertainty: !inThousands ? 0 : remaining < 0 ? 500 : 1000, fullIn: .milliseconds(Int64(fullIn)))
        }
    }

    private(set) var buckets: [LimitKind: Bucket]
    let tellsLimits: Bool
    /// Whether it tells the times of resets in whole seconds.
    var tellsWholeSeconds = false
    /// Whether it tells the remaining tokens in thousands.
    var tellsThousands = false
    private(set) var accepted = 0
    private(set) var refused = 0
    /// What was accepted of each kind since the measure began.
    private(set) var used: [LimitKind: Double] = [:]

    init(_ limits: [LimitKind: Limit], tellsLimits: Bool) {
        buckets = limits.mapValues(Bucket.init)
        self.tellsLimits = tellsLimits
    }

    /// The head of the answer to a call that arrives.
    ///
    /// - Returns: The pause of a refusal, in milliseconds; `nil` for an accepted call.
    mutating func receive(input: Double, at now: Double) -> (refusal: Double?, reading: LimitReading) {
        for kind in buckets.keys { buckets[kind]?.advance(to: now) }
        let needs: [(LimitKind, Double)] = [(.requests, 1), (.input, input), (.output, 0.001)]
        var pause: Double?
        for (kind, need) in needs {
            guard let bucket = buckets[kind], bucket.level < min(need, bucket.limit.size) else { continue }
            let missing = min(need, bucket.limit.size) - bucket.level
            pause = max(pause ?? 0, (missing / bucket.limit.rate * 60).rounded(.up) * 1000)
        }
        if pause == nil {
            accepted += 1
            buckets[.requests]?.take(1)
            buckets[.input]?.take(input)
            used[.requests, default: 0] += 1
            used[.input, default: 0] += input
        } else {
            refused += 1
        }
        return (pause, head(at: now))
    }

    /// What the head of an answer tells.
    mutating func head(at now: Double) -> LimitReading {
        for kind in buckets.keys { buckets[kind]?.advance(to: now) }
        return tellsLimits
            ? LimitReading(
                Dictionary(
                    uniqueKeysWithValues: buckets.map { kind, bucket in
                        let inThousands = tellsThousands && kind != .requests
                        return (kind, bucket.reading(inWholeSeconds: tellsWholeSeconds, inThousands: inThousands))
                    })) : LimitReading()
    }

    mutating func write(_ output: Double, at now: Double) {
        buckets[.output]?.advance(to: now)
        buckets[.output]?.take(output)
        used[.output, default: 0] += output
    }

    mutating func beginMeasure() {
        used = [:]
        (accepted, refused) = (0, 0)
        for kind in buckets.keys { buckets[kind]?.beginMeasure() }
    }

    /// The part of the limit that is used most, over a time in milliseconds.
    func share(over time: Double) -> Double {
        buckets.map { kind, bucket in (used[kind] ?? 0) / (bucket.limit.rate * time / 60_000) }.max() ?? 0
    }
}
