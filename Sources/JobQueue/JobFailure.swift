/// The end of an attempt without a result, and what follows.
package struct JobFailure: Sendable {
    package enum Next: Sendable, Hashable {
        /// Back to pending, claimable after the pause.
        case retry(after: Duration)
        /// The job has failed; its hold is released.
        case giveUp
    }

    package var error: JobError
    package var next: Next
    /// The first journalled step that a later attempt must not reuse (an answer that failed its checks). It and what
    /// follows it are dropped when the job is tried again: at once before another attempt, at the retry by a person
    /// when the job has failed, so that until then the journal shows what went wrong. `nil` keeps the whole journal.
    package var dropStepsFrom: Int64?
    /// Calls that were paid for without a step to carry them.
    package var effects: [Effect]

    package init(error: JobError, next: Next, dropStepsFrom: Int64? = nil, effects: [Effect] = []) {
        self.error = error
        self.next = next
        self.dropStepsFrom = dropStepsFrom
        self.effects = effects
    }
}
