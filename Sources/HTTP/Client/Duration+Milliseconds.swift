extension Duration {
    /// Whole milliseconds, rounded up, at least 1 (libcurl reads 0 as "no limit") and within a 32-bit integer.
    var clampedMilliseconds: Int {
        let (seconds, attoseconds) = components
        if seconds >= Int64(Int32.max) / 1000 { return Int(Int32.max) }
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return Int(max(seconds * 1000 + whole + (rest > 0 ? 1 : 0), 1))
    }
}
