package import JobQueue
package import Prompts

/// What an agent has to hand while it runs one attempt of a job.
package struct JobContext: Sendable {
    package let job: ClaimedJob
    package let kind: JobKind
    /// The prompts and personas that the job was submitted with.
    package let bundle: Bundle
    package let journal: Journal
    /// Whether the worker is known to be alive: without it, nothing that costs money is begun.
    package let isLive: @Sendable () -> Bool
    /// Hears of every prompt that the run fills in.
    let onPrompt: (@Sendable (PromptUse) -> Void)?
    private let report: @Sendable (_ percent: Int, _ says: String) -> Void

    /// Makes the context of one run; `report` takes progress as often as it comes, the worker thins it out.
    package init(
        job: ClaimedJob, kind: JobKind, bundle: Bundle, journal: Journal, isLive: @escaping @Sendable () -> Bool,
        onPrompt: (@Sendable (PromptUse) -> Void)? = nil,
        report: @escaping @Sendable (_ percent: Int, _ says: String) -> Void
    ) {
        self.job = job
        self.kind = kind
        self.bundle = bundle
        self.journal = journal
        self.isLive = isLive
        self.onPrompt = onPrompt
        self.report = report
    }

    /// Says how far a stage of the job's kind has come.
    package func progress(_ stage: String, fraction: Double = 0) {
        guard let (percent, says) = kind.progress(in: stage, fraction: fraction) else { return }
        report(percent, says)
    }
}
