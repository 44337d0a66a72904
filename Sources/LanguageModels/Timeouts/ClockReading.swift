package import JobQueue

/// One clock of a model's calls, for operators.
package struct ClockReading: Hashable, Sendable {
    package var clock: CallClock
    /// The median; `nil` without a call.
    package var median: Duration?
    /// The 0.95 quantile.
    package var p95: Duration?
    /// The limit of background calls.
    package var limit: Duration
    package var interactiveLimit: Duration
}

extension ModelDescription {
    /// The clocks of a model by the fleet's answered calls of the last hour, whatever their effort. A process limits
    /// its calls by its own history of each effort, which these calls make.
    ///
    /// - Parameter latencies: The latest calls, newest first; those of other models are passed over.
    /// - Returns: The clocks that have limits.
    package func clocks(of latencies: [ModelLatency]) -> [ClockReading] {
        var history = LatencyHistory()
        for call in latencies.reversed() where call.provider == provider.rawValue && call.model == id {
            history.add(call.firstByte, to: .clock(.firstByte), at: .zero)
            if let content = call.firstContent { history.add(content, to: .clock(.firstContent), at: .zero) }
            if let gap = call.longestGap { history.add(gap, to: .clock(.gap), at: .zero) }
        }
        let background = CallTimeouts(history, start: timeouts, isInteractive: false, at: .zero)
        let interactive = CallTimeouts(history, start: timeouts, isInteractive: true, at: .zero)
        return CallClock.limited.map { clock in
            ClockReading(
                clock: clock, median: history.quantile(0.5, of: .clock(clock), fewest: 1, at: .zero),
                p95: history.quantile(0.95, of: .clock(clock), fewest: 1, at: .zero), limit: background[clock],
                interactiveLimit: interactive[clock])
        }
    }
}
