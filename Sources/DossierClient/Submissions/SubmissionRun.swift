internal import Foundation

/// One pass over a submission: saves, sends, follows, delivers, forgets.
actor SubmissionRun<Input: JobInput> {
    private enum Step {
        case send
        case follow(UpdatesSource<Job>, wasAnnounced: Bool)
        case deliver(Job)
        case forget
        case done
    }

    private let core: DossierCore
    private let submission: Submission<Input>
    private let onCancellation: CancellationBehavior
    private var step = Step.send
    private var hasBegun = false
    private var jobID: Job.ID?

    init(core: DossierCore, submission: Submission<Input>, onCancellation: CancellationBehavior) {
        self.core = core
        self.submission = submission
        self.onCancellation = onCancellation
    }

    /// The next event.
    func next() async throws -> JobEvent<Input.Output>? {
        do {
            return try await advance()
        } catch {
            endFollowing()
            if Task.isCancelled {
                cancelJobIfAsked()
                throw CancellationError()
            }
            step = .done
            if let error = error as? DossierError, error.isFinalOutcome {
                try? await core.submissions.forget(submission.id)
            }
            throw error
        }
    }

    /// Leaves the submission stored unless it was delivered, and the job alone unless its task was cancelled: one that
    /// is cancelled between two events asks for no further event.
    nonisolated func end() {
        let isCancelled = Task.isCancelled
        Task {
            await endFollowing()
            if isCancelled { await cancelJobIfAsked() }
        }
    }

    private func cancelJobIfAsked() {
        switch step {
        case .forget, .done: return
        case .send, .follow, .deliver: step = .done
        }
        if onCancellation == .cancelJob, hasBegun { core.submissions.cancelJob(of: submission.id, jobID) }
    }

    private func endFollowing() {
        if case .follow(let source, _) = step { source.end() }
    }

    private func advance() async throws -> JobEvent<Input.Output>? {
        while true {
            switch step {
            case .send:
                if let event = try await send() { return event }
            case .follow(let source, let wasAnnounced):
                guard let job = try await source.next() else {
                    throw DossierError(.connectionLost, message: "The job was not followed to its end.")
                }
                if job.isFinished {
                    source.end()
                    step = .deliver(job)
                    await core.jobEnded()
                } else {
                    step = .follow(source, wasAnnounced: true)
                }
                return wasAnnounced ? .progress(job) : .accepted(job)
            case .deliver(let job):
                let output = try await outcome(of: job)
                step = .forget
                return .completed(output, job)
            case .forget:
                step = .done
                try? await core.submissions.forget(submission.id)
                return nil
            case .done:
                return nil
            }
        }
    }

    /// Stores the submission, then sends it, unless either was done before.
    private func send() async throws -> JobEvent<Input.Output>? {
        let saved = try await core.submissions.saved(submission)
        hasBegun = true
        if let id = saved.jobID {
            jobID = id
            step = .follow(await core.watcher.states(of: [id]), wasAnnounced: false)
            return nil
        }
        let job = try await core.submissions.send(saved)
        jobID = job.id
        if job.isFinished {
            // Shared work may be done already.
            step = .deliver(job)
            await core.jobEnded()
        } else {
            step = .follow(await core.watcher.states(of: [job.id], after: job.revision), wasAnnounced: true)
        }
        return .accepted(job)
    }

    private func outcome(of job: Job) async throws -> Input.Output {
        switch job.status {
        case .failed: throw DossierError(failure: job.error, of: job.id)
        case .cancelled: throw DossierError(.jobCancelled, message: "The job was cancelled.", jobID: job.id)
        default: return try await core.watcher.result(of: job.id)
        }
    }
}

extension DossierError {
    /// Whether repeating the submission can only bring the same: it was refused, or its job has ended without a result.
    var isFinalOutcome: Bool {
        switch category {
        case .authentication, .network, .unreadable, .storage: false
        default: jobID != nil || code == .submissionExpired || isRefusal
        }
    }
}
