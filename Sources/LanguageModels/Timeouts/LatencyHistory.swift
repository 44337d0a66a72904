/// The recent latencies of one model and effort, and the pace and length of its answers.
struct LatencyHistory: Sendable {
    enum Series: Hashable, Sendable {
        /// For the gap: the longest one of each call.
        case clock(CallClock)
        case wholeCall
    }

    /// The fewest samples that make a quantile.
    static let fewest = 20
    /// The fewest samples that show anything: a latency, or the usual pace and length of answers.
    static let few = 5

    private var samples: [Series: RecentSamples<Duration>] = [:]
    /// Bytes of content per second.
    private var paces = RecentSamples<Double>()
    /// Bytes of content.
    private var lengths = RecentSamples<Double>()
    /// The time of whole answers by the name of the prompt: prompts that share a model differ in it.
    private var answers: [String: RecentSamples<Duration>] = [:]
    /// The most prompts whose answers are remembered.
    private static let mostPrompts = 100

    mutating func add(_ value: Duration, to series: Series, at now: Duration) {
        samples[series, default: RecentSamples()].add(value, at: now)
    }

    /// A quantile of the samples of the last hour; `nil` when there are fewer than 20.
    func quantile(
        _ quantile: Double, of series: Series, fewest: Int = fewest, at now: Duration
    ) -> Duration? {
        samples[series]?.quantile(quantile, fewest: fewest, at: now)
    }

    /// The median pace of whole answers; `nil` while too few are known.
    func usualPace(at now: Duration) -> Double? { paces.quantile(0.5, fewest: Self.few, at: now) }

    /// The median length of answers; `nil` while too few are known.
    func usualLength(at now: Duration) -> Double? { lengths.quantile(0.5, fewest: Self.few, at: now) }

    /// The median time of a whole answer to a prompt; `nil` while too few are known.
    func usualAnswerTime(to prompt: String, at now: Duration) -> Duration? {
        answers[prompt]?.quantile(0.5, fewest: Self.few, at: now)
    }

    /// Adds the latencies of a call that was answered.
    mutating func add(_ call: CallActivity.Snapshot, to prompt: String? = nil, endedAt end: Duration) {
        if let prompt, answers[prompt] != nil || answers.count < Self.mostPrompts {
            answers[prompt, default: RecentSamples()].add(end - call.startedAt, at: end)
        }
        if let head = call.headAt { add(head - call.startedAt, to: .clock(.firstByte), at: end) }
        if let content = call.firstContentAt { add(content - call.startedAt, to: .clock(.firstContent), at: end) }
        add(call.longestGap, to: .clock(.gap), at: end)
        add(end - call.startedAt, to: .wholeCall, at: end)
        if let pace = call.wholePace { paces.add(pace, at: end) }
        if call.contentBytes > 0 { lengths.add(Double(call.contentBytes), at: end) }
    }

    /// Adds the silence of a call that stalled although no other candidate could have been asked: the latency was at
    /// least that long. Without such samples an only provider that becomes slower would never again get enough time.
    mutating func add(_ stall: Stall, at now: Duration) {
        guard stall.clock != .pace else { return }
        add(stall.silence, to: .clock(stall.clock), at: now)
    }
}

extension LatencyHistory {
    /// Adds the silence of a call that was cancelled since its hedge had content: its first byte would have taken at
    /// least that long. Without such samples the slowest calls would be missing, and the quantile would fall from hedge
    /// to hedge.
    mutating func addLate(_ silence: Duration, at now: Duration) {
        guard let usual = quantile(0.95, of: .clock(.firstByte), at: now), silence >= usual else { return }
        add(silence, to: .clock(.firstByte), at: now)
    }
}

/// The latest values of a series.
struct RecentSamples<Value: Comparable & Sendable>: Sendable {
    /// The most samples.
    private static var capacity: Int { 200 }
    /// The age after which a sample counts no more.
    private static var longestAge: Duration { .seconds(3600) }

    private var samples: [(value: Value, time: Duration)] = []
    /// The place of the next sample when the series is full.
    private var next = 0

    mutating func add(_ value: Value, at now: Duration) {
        guard samples.count >= Self.capacity else {
            samples.append((value, now))
            return
        }
        samples[next] = (value, now)
        next = (next + 1) % Self.capacity
    }

    /// A quantile of the samples of the last hour; `nil` when there are fewer than `fewest`.
    func quantile(_ quantile: Double, fewest: Int, at now: Duration) -> Value? {
        let values = samples.filter { now - $0.time <= Self.longestAge }.map(\.value).sorted()
        guard values.count >= fewest else { return nil }
        let rank = Int((quantile * Double(values.count)).rounded(.up)) - 1
        return values[min(max(rank, 0), values.count - 1)]
    }
}
