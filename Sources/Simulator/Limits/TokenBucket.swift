/// A bucket that fills continuously and starts full.
struct TokenBucket: Sendable {
    /// Per second.
    let rate: Double
    let size: Double
    private(set) var level: Double
    /// Milliseconds since 1970.
    private var at: Int64
    /// The longest time that it was full without a break, in milliseconds.
    private(set) var longestFull = 0.0
    private var full = 0.0

    init(perMinute: Double, burst: Double, least: Double, at: Int64) {
        rate = perMinute / 60
        size = max(least, rate * burst)
        level = size
        self.at = at
    }

    mutating func fill(to now: Int64) {
        guard now > at else { return }
        let elapsed = Double(now - at)
        let untilFull = max(0, (size - level) / rate * 1_000)
        if elapsed >= untilFull {
            full += elapsed - untilFull
            longestFull = max(longestFull, full)
        }
        level = min(size, level + rate * elapsed / 1_000)
        at = now
    }

    mutating func take(_ amount: Double) {
        level -= amount
        if amount > 0 { full = 0 }
    }

    mutating func giveBack(_ amount: Double) { level = min(size, level + amount) }

    /// Seconds until an amount can be taken; an amount above the size needs a full bucket.
    func wait(for amount: Double) -> Double { max(0, (min(amount, size) - level) / rate) }

    /// Seconds until it is full.
    var untilFull: Double { max(0, (size - level) / rate) }
}
