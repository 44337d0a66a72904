/// The one who cancelled a job.
package enum JobCanceller: String, Hashable, Sendable, CaseIterable {
    case user, `operator`
    /// The time of a caller who waited for the result was up.
    case timeout
    /// The user's account was erased.
    case erasure
}
