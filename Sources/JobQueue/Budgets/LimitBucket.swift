/// A provider's token bucket, as far as the fleet knows it: a pure value.
///
/// It refills continuously at `limit` a minute up to `size`. Its content is counted in 1/60,000, so that a limit of L
/// refills L units in a millisecond and every process computes the same.
struct LimitBucket: Hashable, Sendable {
    static let unit: Int64 = 60_000
    /// The largest limit and size that are taken as such.
    static let largest: Int64 = 10_000_000_000
    private static let longestTime: Int64 = 86_400_000
    static let longestTransit: Int64 = 250

    /// Per minute.
    var limit: Int64
    /// In whole requests or tokens.
    var size: Int64
    /// What the bucket holds beyond its size, in 1/60,000: much where it holds one or two requests.
    private(set) var fraction: Int64 = 0
    /// Whether the size comes from a head that told an empty bucket. It may have been in debt, which is not part of its
    /// size, so another head replaces it.
    var isSizeAssumed = false
    /// The time from letting a call in until the bucket is charged, in milliseconds; none where it is charged as the
    /// answer is written.
    var transit = Self.longestTransit
    /// Below zero after a use beyond it.
    private(set) var content: Int64
    /// The sum of all corrections of the content, which are neither use nor refill.
    private(set) var corrections: Int64 = 0
    /// The time of `content`; in the future while the provider refuses calls.
    private(set) var at: Timestamp

    init(limit: Int64, size: Int64, level: Int64, at: Timestamp) {
        self.limit = min(max(limit, 1), Self.largest)
        self.size = min(max(size, 1), Self.largest)
        content = 0
        self.at = at
        content = min(cap, level * Self.unit)
    }

    init(limit: Int64, size: Int64, content: Int64, corrections: Int64, at: Timestamp) {
        self.init(limit: limit, size: size, level: 0, at: at)
        (self.content, self.corrections) = (content, corrections)
    }

    mutating func setFraction(_ fraction: Int64) { self.fraction = min(max(fraction, 0), Self.unit - 1) }

    /// The content as use and refill alone have made it: its change between two times is what flowed.
    var flow: Int64 { min(content, cap) &- corrections }

    /// The content in whole requests or tokens, rounded down.
    var level: Int64 { content >= 0 ? content / Self.unit : (content - Self.unit + 1) / Self.unit }

    /// The content that can be relied on: a quarter of a second below the size, since calls on their way to the
    /// provider have not been counted there, and a full bucket does not refill.
    var cap: Int64 { max(whole - limit * transit, size > 1 ? whole / 2 : .min) }

    /// The content of the full bucket.
    var whole: Int64 {
        get { size * Self.unit + fraction }
        set { (size, fraction) = (min(max(newValue / Self.unit, 1), Self.largest), newValue % Self.unit) }
    }

    /// Whether waiting makes no more room.
    var isFull: Bool { content >= cap }

    mutating func advance(to now: Timestamp) {
        guard now > at else { return }
        let passed = min((now - at).wholeMilliseconds, Self.longestTime)
        content = min(whole, content + limit * passed)
        at = now
    }

    /// Moves the bucket back in time by as much as a clock was set back.
    mutating func shift(by time: Duration) { at = at - time }

    /// Takes what a call uses. Until it arrives at the provider, a full bucket does not refill there, so what is beyond
    /// the cap is lost. Of it a call is let in that the cap does not cover: two such calls are a refill and the time of
    /// a call on its way apart, and the second one never arrives too early.
    mutating func take(_ amount: Int64) { content = min(content, cap) - amount * Self.unit }

    /// Takes what flows out continuously, in 1/60,000.
    mutating func drain(_ amount: Int64) { content = min(content, cap) - amount }

    /// Returns what was taken and not used.
    mutating func giveBack(_ amount: Int64) { set(content + amount * Self.unit) }

    /// Replaces the content by a better one.
    mutating func set(_ content: Int64) {
        let before = self.content
        self.content = min(cap, content)
        corrections &+= self.content - before
    }

    mutating func set(_ content: Int64, at now: Timestamp) {
        set(content)
        at = now
    }

    /// Empties the bucket until a time from which on it refills.
    mutating func empty(until time: Timestamp) {
        content = min(content, 0)
        at = max(at, time)
    }

    /// The time until the content reaches an amount, at least a millisecond; `nil` when it does now. An amount beyond
    /// the size is reached when the bucket is full.
    func wait(for amount: Int64, at now: Timestamp) -> Duration? {
        let missing = min(amount * Self.unit, whole) - content
        guard missing > 0 else { return nil }
        return .milliseconds((missing + limit - 1) / limit) + max(at - now, .zero)
    }
}

/// The use of the last seconds, by two slots of ten seconds: exact enough for a rate, and small to store.
struct RecentUse: Hashable, Sendable {
    static let slot: Int64 = 10_000

    private(set) var slotStart: Int64 = 0
    private(set) var current = BudgetAmount()
    private(set) var previous = BudgetAmount()

    init() {}

    init(slotStart: Int64, current: BudgetAmount, previous: BudgetAmount) {
        (self.slotStart, self.current, self.previous) = (slotStart, current, previous)
    }

    mutating func add(_ amount: BudgetAmount, at now: Timestamp) {
        advance(to: now)
        current = (current + amount).bounded
    }

    mutating func advance(to now: Timestamp) {
        let start = now.milliseconds - now.milliseconds % Self.slot
        guard start != slotStart else { return }
        previous = start - slotStart == Self.slot ? current : BudgetAmount()
        current = BudgetAmount()
        slotStart = start
    }

    /// The use of a number of seconds at the rate of the last ten.
    func use(of kind: LimitKind, inSeconds seconds: Int64, at now: Timestamp) -> Int64 {
        let passed = min(max(now.milliseconds - slotStart, 0), Self.slot)
        let last = previous[kind] * (Self.slot - passed) / Self.slot + current[kind]
        return last * seconds * 1000 / Self.slot
    }
}
