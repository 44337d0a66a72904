/// The times for which finished jobs, and what they leave, are kept.
package struct Retention: Hashable, Sendable {
    /// Finished jobs with their results, and explanations.
    package var jobs: Duration = .seconds(30 * 86_400)
    /// The journals of completed jobs, which `dossier prompts case` reads. Other jobs keep theirs as long as the job.
    package var journals: Duration = .seconds(7 * 86_400)
    /// Model calls, of which costs are sums.
    package var modelCalls: Duration = .seconds(400 * 86_400)
    /// Deliveries of webhooks that are not open, after the last try.
    package var deliveries: Duration = .seconds(30 * 86_400)

    /// Conversations, after the last turn.
    package var conversations: Duration = .seconds(365 * 86_400)
    /// Entries of the audit.
    package var audit: Duration = .seconds(400 * 86_400)

    /// The time after its end for which a job stays among those that still change: for repeated reports of its worker,
    /// and since most retries come soon.
    package static let archivePause: Duration = .seconds(600)

    package init() {}
}
