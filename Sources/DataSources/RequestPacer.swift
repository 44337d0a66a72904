/// Spaces requests so that never more than the allowed rate leave this process, however many tasks ask.
///
/// Turns are given out in the order of asking, each at least `interval` after the one before; a turn whose task is
/// cancelled while it waits is lost, which only makes the pace slower.
package actor RequestPacer {
    private let interval: Duration
    private let time: Timekeeper
    private var nextTurn: Duration?

    package init(requestsPerSecond: Int, time: Timekeeper = .continuous) {
        interval = .seconds(1) / max(1, requestsPerSecond)
        self.time = time
    }

    /// The one pace of this process towards the SEC, which allows ten requests a second to one user in all.
    package static let edgar = RequestPacer(requestsPerSecond: 10)

    /// Returns when a request may leave.
    package func waitForTurn() async throws {
        let now = time.now()
        let turn = max(now, nextTurn ?? now)
        nextTurn = turn + interval
        if turn > now { try await time.sleep(turn - now) }
    }
}
