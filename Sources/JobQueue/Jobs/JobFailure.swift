package import DossierAPI

/// The end of an attempt without a result, and the next state of the job.
package struct JobFailure: Sendable {
    package enum Next: Sendable, Hashable {
        /// Back to pending, claimable after the pause.
        case retry(after: Duration)
        /// The job has failed; its hold is released.
        case giveUp
    }

    package var error: JobError
    package var next: Next
    /// The first journalled step that a later attempt must not reuse (an answer that failed its checks); `nil` keeps
    /// the whole journal.
    ///
    /// Before another attempt the journal is dropped at once from there on. After the job has failed it is dropped at
    /// the retry by a person, and shows the cause of the failure until then.
    package var dropStepsFrom: Int64?
    /// Paid model calls without a step of their own.
    package var effects: [Effect]

    package init(error: JobError, next: Next, dropStepsFrom: Int64? = nil, effects: [Effect] = []) {
        self.error = error
        self.next = next
        self.dropStepsFrom = dropStepsFrom
        self.effects = effects
    }
}

/// The stored and visible reason of a failure, without secrets and without external text.
package struct JobError: Error, Hashable, Sendable {
    package var code: ErrorCode
    /// For developers.
    package var message: String
    /// For the user: calm, plain, with the next step.
    package var userMessage: String

    package init(code: ErrorCode, message: String, userMessage: String) {
        self.code = code
        self.message = message
        self.userMessage = userMessage
    }

    /// The job's deadline passed, retries included.
    package static let deadlinePassed = JobError(
        code: .deadlinePassed, message: "The job did not finish before its deadline.",
        userMessage: "This took longer than it should. Nothing was charged. Please try again.")

    /// Workers died repeatedly while they ran this job.
    package static let poison = JobError(
        code: .internal, message: "Worker after worker died while running this job, without a new step in between.",
        userMessage: "Something went wrong on our side. Nothing was charged.")
}

/// The number of attempts and the pauses between them for a kind of job: the only code that decides on retries.
package struct RetryPolicy: Hashable, Sendable {
    /// The number of attempts, the first one included; at least 1.
    package var attempts: Int
    /// The pause after the first failure, which doubles with each further failure.
    package var initialPause: Duration
    package var longestPause: Duration

    package init(attempts: Int, initialPause: Duration, longestPause: Duration) {
        self.attempts = attempts
        self.initialPause = initialPause
        self.longestPause = longestPause
    }

    /// Decides between a retry and a final failure after the failure of an attempt.
    ///
    /// The pause is drawn evenly from the upper half of the doubled pause, so that jobs that failed together do not
    /// return together. A provider's own hint is a lower bound. A pause that would end after the deadline is a failure.
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
