/// How long a server asks to be left alone.
package enum RetryAfter {
    /// Reads `retry-after-ms` (milliseconds), else `Retry-After` as seconds, also with a fraction, or as an HTTP date.
    ///
    /// A date is held against `now`; one that has passed gives zero. `nil` when there is no such header or it makes no
    /// sense (negative, not finite, over a year).
    package static func parse(_ headers: HTTPHeaders, now: HTTPDate) -> Duration? {
        if let text = headers["retry-after-ms"], let wait = duration(text, unit: 0.001) { return wait }
        guard let text = headers["Retry-After"] else { return nil }
        if let wait = duration(text, unit: 1) { return wait }
        guard let date = HTTPDate(text) else { return nil }
        let seconds = max(date.secondsSinceEpoch - now.secondsSinceEpoch, 0)
        return Double(seconds) <= longest ? .seconds(seconds) : nil
    }

    /// Seconds.
    private static let longest = 366.0 * 86_400

    private static func duration(_ text: String, unit: Double) -> Duration? {
        guard let number = Double(text), number >= 0, number * unit <= longest else { return nil }
        return .milliseconds(Int64((number * unit * 1000).rounded(.up)))
    }
}
