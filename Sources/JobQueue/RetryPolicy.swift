/// How often and after which pauses a kind of job is tried again. The only place in Dossier that decides on retries.
package struct RetryPolicy: Hashable, Sendable {
    /// Attempts in all; at least 1.
    package var attempts: Int
    /// The pause after the first failure; doubles with each further one.
    package var initialPause: Duration
    package var longestPause: Duration

    package init(attempts: Int, initialPause: Duration, longestPause: Duration) {
        self.attempts = attempts
        self.initialPause = initialPause
        self.longestPause = longestPause
    }

    /// What follows the failure of an attempt.
    ///
    /// The pause is drawn evenly from the upper half of the doubled one, so that jobs that failed together do not come
    /// back together. A provider's own hint is a lower bound. A pause that would end after the deadline is not begun.
    package func next(
        afterAttempt attempt: Int, isTransient: Bool, retryAfter: Duration?, remaining: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> JobFailure.Next {
        guard isTransient, attempt < attempts else { return .giveUp }
        let doublings = min(max(attempt - 1, 0), 30)
        let full = min(initialPause * (1 << doublings), longestPause)
        let jittered = full * Double.random(in: 0.5...1, using: &generator)
        let pause = max(jittered, retryAfter ?? .zero)
        return pause < remaining ? .retry(after: pause) : .giveUp
    }
}
