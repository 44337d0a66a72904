internal import Basics

/// A clock that limits the silence of a provider within one call.
package enum CallClock: String, Hashable, Sendable, CaseIterable {
    /// From the start of the call to the head of the response or the first event.
    case firstByte = "first_byte"
    /// From the start of the call to the first text, thinking or input of a tool call.
    case firstContent = "first_content"
    /// From one content to the next. Pings and empty deltas are no content.
    case gap
    /// From the first content to the end of an answer that comes too slowly. It has no limit of its own; see
    /// `UsualAnswer`.
    case pace

    /// The clocks that a catalogue can set.
    static let limited: [CallClock] = [.firstByte, .firstContent, .gap]

    /// The clock in words, for operators.
    package var phrase: String {
        switch self {
        case .firstByte: "the first byte"
        case .firstContent: "the first content"
        case .gap: "further content"
        case .pace: "the end of an answer that came too slowly"
        }
    }
}

/// The limit of each clock for one call.
struct CallTimeouts: Hashable, Sendable {
    var firstByte: Duration
    var firstContent: Duration
    var gap: Duration

    subscript(clock: CallClock) -> Duration {
        switch clock {
        case .firstByte: firstByte
        case .firstContent: firstContent
        case .gap, .pace: gap
        }
    }

    /// The limits while fewer than 20 calls of a model are known.
    static let standard = CallTimeouts(firstByte: .seconds(30), firstContent: .seconds(90), gap: .seconds(30))

    /// The limits for calls of one model and effort.
    ///
    /// - Parameters:
    ///   - history: The recent latencies.
    ///   - start: The limits of a background call while too few latencies are known. All bounds scale with them: a
    ///     server that needs four times as long for its first byte has four times the bounds.
    ///   - isInteractive: A person waits for the answer.
    ///   - now: The uptime.
    init(_ history: LatencyHistory, start: CallTimeouts = .standard, isInteractive: Bool, at now: Duration) {
        func limit(
            _ clock: CallClock, _ factor: Double, _ quantile: Double, _ bounds: ClosedRange<Double>, start first: Double
        ) -> Duration {
            let scale = start[clock] / Self.standard[clock]
            let shortest = Duration.seconds(bounds.lowerBound * scale)
            if let measured = history.quantile(quantile, of: .clock(clock), at: now) {
                return min(max(measured * factor, shortest), .seconds(bounds.upperBound * scale))
            }
            // Few calls show less, so that the slowest of them counts twice.
            let start = Duration.seconds(first * scale)
            let few = history.quantile(1, of: .clock(clock), fewest: LatencyHistory.few, at: now)
            return few.map { min(max($0 * factor * 2, shortest), start) } ?? start
        }
        firstByte =
            isInteractive
            ? limit(.firstByte, 2, 0.95, 3...20, start: 10) : limit(.firstByte, 4, 0.95, 8...60, start: 30)
        firstContent = limit(.firstContent, 4, 0.95, 20...180, start: isInteractive ? 20 : 90)
        gap = limit(.gap, 8, 0.99, 10...60, start: 30)
    }

    init(firstByte: Duration, firstContent: Duration, gap: Duration) {
        self.firstByte = firstByte
        self.firstContent = firstContent
        self.gap = gap
    }
}

/// The time of a caller, divided among the candidates that it may ask.
enum TimeShare {
    /// The time that the last candidate leaves for the end of the job.
    static let reserve: Duration = .seconds(2)
    /// A whole call, while fewer than 20 calls of a model are known.
    static let unknownCall: Duration = .seconds(30)
    /// The time in which a model of which little is known may answer.
    static let shortestCall: Duration = .seconds(10)

    /// The largest share of the time for a candidate that is not the last one: of a model of which little is known, of
    /// another, and of one that would be asked once more.
    private static let (longestUnknown, longestKnown, longestRepeated) = (0.3, 0.5, 0.5)

    /// The candidate that is asked when another one makes way.
    enum Next: Hashable, Sendable {
        /// The 0.95 quantile of its whole calls; `nil` while too few are known.
        case other(wholeCall: Duration?)
        /// The same one again, on a new connection.
        case same(wholeCall: Duration?)
    }

    /// The time after which a candidate has to make way for the next one, unless its answer arrives fast enough.
    ///
    /// The next candidate keeps 1.2 times the 0.95 quantile of its whole calls, as long as that leaves this one an
    /// equal share of the time, and in any case half of the time. A model of which fewer than 20 calls are known gets
    /// at most three tenths.
    ///
    /// - Parameters:
    ///   - left: The time that the caller has left.
    ///   - candidates: The candidates that can be asked after this one.
    ///   - next: The first of them.
    ///   - isKnown: Whether the limits of this one come from its own latencies.
    /// - Returns: The time from now.
    static func timeToHandOver(left: Duration, candidates: Int, next: Next, isKnown: Bool) -> Duration {
        let share = max(.zero, left - reserve) / (candidates + 1)
        let (nextCall, longest): (Duration?, Double) =
            switch next {
            case .other(let call): (call, isKnown ? longestKnown : longestUnknown)
            case .same(let call): (call, longestRepeated)
            }
        return min(max(left - (nextCall ?? unknownCall) * 1.2, share), left * longest)
    }
}
