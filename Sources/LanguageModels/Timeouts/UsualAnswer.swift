/// The pace, length and pauses that the answers of one model and effort usually have, and whether an answer under way
/// falls behind them.
struct UsualAnswer: Hashable, Sendable {
    /// The pace in bytes of content per second below which an answer drips.
    var slowestPace: Double
    /// The pace below which an answer makes way for the next candidate when its share of the time is over.
    var sufficientPace: Double
    /// Bytes of content.
    var length: Double
    /// Whether the length is that of the model's own answers.
    var isLengthKnown = false
    /// The silence after which an answer makes way for the next candidate when its share of the time is over.
    var pause: Duration

    /// The values while too few answers are known. A thousand tokens are some 3,000 bytes.
    static let unknown = UsualAnswer(slowestPace: 8, sufficientPace: 64, length: 3000, pause: .seconds(2))

    /// An answer drips below this part of the model's usual pace, and does not go on below the other one.
    private static let (dripPart, sufficientPart) = (0.1, 0.25)
    /// The content must cover this much time before it shows a drip, or before it shows a sufficient pace.
    private static let (dripTime, sufficientTime): (Duration, Duration) = (.seconds(10), .seconds(3))

    /// What the answers of one model and effort have shown.
    ///
    /// - Parameters:
    ///   - history: The recent answers.
    ///   - start: The limits of the model while too few are known. A server that has twice the time between two
    ///     contents has half the pace.
    ///   - now: The uptime.
    init(_ history: LatencyHistory, start: CallTimeouts = .standard, at now: Duration) {
        self = Self.unknown
        let scale = max(1, start.gap / CallTimeouts.standard.gap)
        slowestPace /= scale
        sufficientPace /= scale
        if let pace = history.usualPace(at: now) {
            // A model that is usually very fast may become slower, but not a drip; a slow one may be slow.
            slowestPace = min(pace * Self.dripPart, sufficientPace)
            sufficientPace = min(pace * Self.sufficientPart, sufficientPace)
        }
        if let usual = history.usualLength(at: now) { (length, isLengthKnown) = (usual, true) }
        pause = max(pause, history.quantile(0.5, of: .clock(.gap), at: now) ?? .zero)
    }

    init(
        slowestPace: Double, sufficientPace: Double, length: Double, pause: Duration, isLengthKnown: Bool = false
    ) {
        self.isLengthKnown = isLengthKnown
        self.slowestPace = slowestPace
        self.sufficientPace = sufficientPace
        self.length = length
        self.pause = pause
    }

    /// The time that the rest of an answer takes at a pace. Of an answer of the usual length or more a fifth is
    /// expected to come, so that an endless one has no end. Half of it is expected to come from twice the usual length
    /// on, and of a model whose answers are not known: such an answer makes way while another can still end in time.
    private func rest(of call: CallActivity.Snapshot, at pace: Double) -> Duration {
        let came = Double(call.contentBytes)
        let more = isLengthKnown && came < 2 * length ? came / 4 : came
        return .seconds(min(max(length - came, more) / max(pace, 0.001), 1_000_000))
    }

    /// Whether an answer drips: it comes far more slowly than others do, or slowly and cannot end in time.
    func isDrip(_ call: CallActivity.Snapshot, at now: Duration, end: Duration) -> Bool {
        guard let pace = call.pace(over: Self.dripTime) else { return false }
        return pace < slowestPace || (pace < sufficientPace && rest(of: call, at: pace) > end - now)
    }

    /// Whether an answer has shown a pace at which it cannot end in time.
    func isTooLate(_ call: CallActivity.Snapshot, at now: Duration, end: Duration) -> Bool {
        call.pace(over: Self.dripTime).map { rest(of: call, at: $0) > end - now } ?? false
    }

    /// Whether an answer comes as it should: it has content of the last moments and a sufficient pace.
    func flows(_ call: CallActivity.Snapshot, at now: Duration) -> Bool {
        guard let first = call.firstContentAt, let last = call.lastContentAt, now - last <= pause else { return false }
        guard let pace = call.pace(over: Self.sufficientTime) else { return now - first <= Self.sufficientTime * 2 }
        return pace >= sufficientPace
    }

    /// Whether an answer that flows will end in time.
    func willEnd(_ call: CallActivity.Snapshot, at now: Duration, end: Duration) -> Bool {
        call.pace(over: Self.sufficientTime).map { rest(of: call, at: $0) <= end - now } ?? true
    }

    /// Whether an answer has shown that it comes too slowly, for the suspicion against its model.
    func isSlow(_ call: CallActivity.Snapshot) -> Bool {
        guard let pace = call.pace(over: Self.sufficientTime) else { return false }
        return pace < sufficientPace
    }
}
