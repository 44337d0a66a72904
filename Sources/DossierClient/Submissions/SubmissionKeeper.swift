internal import Foundation

/// Stores, sends and forgets submissions for the account that is signed in.
struct SubmissionKeeper: Sendable {
    /// The server's promise for keys.
    static let longestWait: TimeInterval = 24 * 3600

    let sender: RequestSender
    private var store: any SubmissionStore { sender.configuration.submissionStore }

    init(sender: RequestSender) { self.sender = sender }

    /// The submission as it is stored, which it is when this returns.
    func saved<Input>(_ submission: Submission<Input>) async throws -> SavedSubmission {
        let account = await sender.authentication.account()
        try Task.checkCancellation()
        if let saved = try await stored(
            "The stored submission could not be read.", { try await store.submission(submission.id) })
        {
            guard saved.account == account else {
                throw DossierError(.unauthorized, message: "The submission belongs to another account.")
            }
            try await checkAge(of: saved)
            return saved
        }
        let saved = try SavedSubmission(submission, account: account)
        try await checkAge(of: saved)
        try await stored("The submission could not be stored, and was not sent.") { try await store.save(saved) }
        return saved
    }

    /// Sends a stored submission and stores the id of its job.
    func send(_ saved: SavedSubmission) async throws -> Job {
        let endpoint = Endpoint(
            method: .post, path: Paths.jobs, body: try JSONEncoder.dossier.encode(saved.body), key: saved.id)
        let answer = try await sender.response(to: endpoint)
        let job = try AnswerReader(response: answer, endpoint: endpoint).job()
        var saved = saved
        saved.jobID = job.id
        // Without it the key finds the job again.
        try? await store.save(saved)
        await sender.configuration.cache.remove(paths: [Paths.credits, Paths.reports], account: saved.account)
        return job
    }

    func forget(_ id: IdempotencyKey) async throws {
        try await stored("The submission could not be removed.") { try await store.remove(id) }
    }

    /// Those of the account, the oldest first.
    func unfinished() async throws -> [SavedSubmission] {
        let account = await sender.authentication.account()
        return try await stored("The stored submissions could not be read.") { try await store.all() }
            .filter { $0.account == account }.sorted { $0.createdAt < $1.createdAt }
    }

    /// Ends the job of a submission whose run was cancelled, without making anybody wait for it.
    ///
    /// A request that was under way may have made a job that nobody has heard of; its key finds it.
    func cancelJob(of id: IdempotencyKey, _ job: Job.ID?) {
        Task {
            guard let saved = try? await store.submission(id) else { return }
            var jobID = job ?? saved.jobID
            if jobID == nil { jobID = try await send(saved).id }
            guard let jobID else { return }
            _ = try await sender.response(to: .cancel(jobID))
            await sender.configuration.cache.remove(paths: [Paths.credits, Paths.reports], account: saved.account)
            try await store.remove(id)
        }
    }

    private func checkAge(of saved: SavedSubmission) async throws {
        guard saved.jobID == nil,
            sender.configuration.now().timeIntervalSince(saved.createdAt) > Self.longestWait
        else { return }
        try? await store.remove(saved.id)
        throw DossierError(
            .submissionExpired, message: "The submission was never acknowledged and is older than 24 hours.")
    }

    private func stored<Value>(_ failure: String, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            try Task.checkCancellation()
            throw DossierError(.storageFailed, message: failure)
        }
    }
}

extension Endpoint {
    static func cancel(_ id: Job.ID) -> Endpoint {
        Endpoint(method: .post, path: Paths.job(id) + "/cancel", isRepeatable: true)
    }
}
