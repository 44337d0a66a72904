/// The recent latencies of one model and effort.
struct LatencyHistory: Sendable {
    enum Series: Hashable, Sendable {
        /// For the gap: the longest one of each call.
        case clock(CallClock)
        case wholeCall
    }

    private struct Sample: Sendable {
        var value: Duration
        var time: Duration
    }

    /// The most samples of a series, the latest ones.
    static let capacity = 200
    /// The age after which a sample counts no more.
    static let longestAge: Duration = .seconds(3600)
    /// The fewest samples that make a quantile.
    static let fewest = 20

    private var samples: [Series: [Sample]] = [:]
    /// The place of the next sample in a series that is full.
    private var next: [Series: Int] = [:]

    mutating func add(_ value: Duration, to series: Series, at now: Duration) {
        let sample = Sample(value: value, time: now)
        guard let count = samples[series]?.count, count >= Self.capacity else {
            samples[series, default: []].append(sample)
            return
        }
        let place = next[series, default: 0]
        samples[series]?[place] = sample
        next[series] = (place + 1) % Self.capacity
    }

    /// A quantile of the samples of the last hour; `nil` when there are fewer than 20.
    func quantile(_ quantile: Double, of series: Series, at now: Duration) -> Duration? {
        let values = (samples[series] ?? []).filter { now - $0.time <= Self.longestAge }.map(\.value).sorted()
        guard values.count >= Self.fewest else { return nil }
        let rank = Int((quantile * Double(values.count)).rounded(.up)) - 1
        return values[min(max(rank, 0), values.count - 1)]
    }

    /// Adds the latencies of a call that was answered.
    mutating func add(_ call: CallActivity.Snapshot, endedAt end: Duration) {
        if let head = call.headAt { add(head - call.startedAt, to: .clock(.firstByte), at: end) }
        if let content = call.firstContentAt { add(content - call.startedAt, to: .clock(.firstContent), at: end) }
        add(call.longestGap, to: .clock(.gap), at: end)
        add(end - call.startedAt, to: .wholeCall, at: end)
    }

    /// Adds the silence of a stalled call: the latency was at least that long. Without such samples a provider that
    /// becomes slower would never again get enough time.
    mutating func add(_ stall: Stall, at now: Duration) { add(stall.silence, to: .clock(stall.clock), at: now) }
}
