internal import Foundation

extension Dossier {
    /// Jobs: running, following, ending.
    public struct Jobs: Sendable {
        let core: DossierCore

        /// Runs a submission to its end, or resumes it: after a failed attempt, after a relaunch, from another task.
        ///
        /// 1. Saves the submission, before the first byte is sent, unless it is stored already.
        /// 2. Sends it, unless its job is known; stores the job's id.
        /// 3. Follows the job as ``updates(of:after:)`` does, however long the network is away.
        /// 4. Reads the result and delivers it; when the next element is asked for, forgets the submission.
        ///
        /// An outcome that is final (refused, failed, cancelled) is thrown and the submission is forgotten. Any other
        /// error leaves it stored: run it again. A submission that was never acknowledged is not sent any more 24
        /// hours after it was made (``DossierError/Code/submissionExpired``), since the server may have forgotten
        /// its key by then.
        ///
        /// - Parameters:
        ///   - submission: One tap of the user.
        ///   - onCancellation: What happens to the job when the task is cancelled.
        /// - Returns: The events of the job, the last of them with its result.
        public func run<Input>(
            _ submission: Submission<Input>, onCancellation: CancellationBehavior = .leaveRunning
        ) -> Updates<JobEvent<Input.Output>> {
            Updates { [core] in
                let run = SubmissionRun(core: core, submission: submission, onCancellation: onCancellation)
                return UpdatesSource(next: { try await run.next() }, end: { run.end() })
            }
        }

        /// Runs a submission and returns its result.
        public func output<Input>(
            of submission: Submission<Input>, onCancellation: CancellationBehavior = .leaveRunning
        ) async throws -> Input.Output {
            var output: Input.Output?
            for try await event in run(submission, onCancellation: onCancellation) {
                if case .completed(let value, _) = event { output = value }
            }
            guard let output else {
                throw DossierError(.connectionLost, message: "The job was not followed to its end.")
            }
            return output
        }

        /// Saves and sends a submission and returns as soon as the server has accepted it. It stays stored until
        /// ``run(_:onCancellation:)`` delivers its outcome or ``Submissions/discard(_:)`` is called.
        @discardableResult
        public func submit<Input>(_ submission: Submission<Input>) async throws -> Job {
            try Task.checkCancellation()
            do {
                let saved = try await core.submissions.saved(submission)
                if let id = saved.jobID { return try await job(id) }
                return try await core.submissions.send(saved)
            } catch let error as DossierError where error.isFinalOutcome {
                try? await core.submissions.forget(submission.id)
                throw error
            }
        }

        /// The job's states until it has ended: its present one first, then each newer one, the last with
        /// ``Job/isFinished``. A job that failed or was cancelled is an element here, not an error.
        ///
        /// Ends early only when the server refuses (401, 403, 404) or the task is cancelled. Uses event streams, long
        /// polls or polls, whichever works; any number of these sequences share one stream for each fifty jobs.
        ///
        /// ```swift
        /// for try await job in dossier.jobs.updates(of: id) { show(job.progress) }
        /// ```
        ///
        /// - Parameters:
        ///   - id: The job.
        ///   - revision: The newest state that the app has shown; states up to it are left out.
        /// - Returns: The states.
        public func updates(of id: Job.ID, after revision: Job.Revision? = nil) -> Updates<Job> {
            updates(of: [id], after: revision)
        }

        /// The same for several jobs; ends when all have ended.
        public func updates(of ids: [Job.ID]) -> Updates<Job> { updates(of: ids, after: nil) }

        private func updates(of ids: [Job.ID], after revision: Job.Revision?) -> Updates<Job> {
            Updates { [core] in
                let states = await core.watcher.states(of: ids, after: revision)
                return UpdatesSource(
                    next: {
                        let job = try await states.next()
                        if job?.isFinished == true { await core.jobEnded() }
                        return job
                    }, end: states.end)
            }
        }

        /// Reads a job as it is now.
        public func job(_ id: Job.ID) async throws -> Job { try await core.sender.value(.get(Paths.job(id))) }

        /// The input of a job as the service took it.
        public func input<Input: Decodable & Sendable>(
            of id: Job.ID, as type: Input.Type = Input.self
        ) async throws -> Input { try await core.sender.value(.get(Paths.job(id) + "/input")) }

        /// The result of a completed job.
        ///
        /// - Throws: ``DossierError`` with the job's own code when it failed, and
        ///   ``DossierError/Code/conflict`` while there is no result.
        public func result<Output: Decodable & Sendable>(
            of id: Job.ID, as type: Output.Type = Output.self
        ) async throws -> Output { try await core.sender.value(.get(Paths.job(id) + "/result")) }

        /// Ends an unfinished job and releases its credits; a finished one stays as it is.
        @discardableResult
        public func cancel(_ id: Job.ID) async throws -> Job {
            let job: Job = try await core.sender.value(.cancel(id))
            await core.jobEnded()
            return job
        }

        /// Starts a failed or cancelled job again, with a new hold of credits; any other stays as it is. When the
        /// answer is lost, the job's revision tells whether the server took the request; only if not, it is sent again.
        @discardableResult
        public func retry(_ id: Job.ID) async throws -> Job {
            let before = try await job(id)
            let configuration = core.sender.configuration
            let retried = try await withRetry(
                policy: configuration.retryPolicy, pacing: configuration.pacing, isRetryable: DossierError.isRetryable
            ) {
                do {
                    return try await core.sender.value(
                        Endpoint(method: .post, path: Paths.job(id) + "/retry"), as: Job.self)
                } catch let error as DossierError where error.isRetryable && !error.wasNotSent && error.status != 429 {
                    let now = try await job(id)
                    guard let revision = now.revision, let earlier = before.revision, revision > earlier else {
                        throw error
                    }
                    return now
                }
            }
            await core.jobEnded()
            return retried
        }
    }

    /// Submissions whose outcome has not been delivered yet.
    public struct Submissions: Sendable {
        let core: DossierCore

        /// Those of the account that is signed in, the oldest first. Call it at launch and run each again:
        ///
        /// ```swift
        /// for saved in try await dossier.submissions.unfinished() where saved.kind == .research {
        ///     follow(dossier.jobs.run(try saved.submission(of: ResearchInput.self)))
        /// }
        /// ```
        public func unfinished() async throws -> [SavedSubmission] { try await core.submissions.unfinished() }

        /// Forgets a submission. Does not cancel its job.
        public func discard(_ id: IdempotencyKey) async throws { try await core.submissions.forget(id) }
    }
}
