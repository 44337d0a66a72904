/// Erases users: ends their access and their jobs at once, and takes their rows away in the background.
///
/// The store holds what is still to be done, so that any process goes on after the death of another, and several do no
/// harm to each other.
package struct UserEraser: Sendable {
    /// The time for which rows may still arrive: another broker refuses the user two seconds after the request.
    package static let settling: Duration = .seconds(4)
    /// The largest number of rows of each table in one transaction.
    private static let rows = 100
    private static let cancels = 100

    private let jobs: any JobStore
    private let records: any ErasureRepository
    /// The pause between two transactions.
    private let pause: Duration

    package init(_ jobs: any JobStore, _ records: any ErasureRepository, pause: Duration = .milliseconds(20)) {
        (self.jobs, self.records, self.pause) = (jobs, records, pause)
    }

    /// Begins the erasure of a user, whose jobs have ended and whose credits are free when this returns.
    ///
    /// - Returns: `nil` for an unknown user and for the service's own.
    package func start(
        _ user: UserID, subject: String, audit: AuditEntry? = nil
    ) async throws(StoreError) -> Erasure? {
        let digest = Erasure.digest(of: subject, key: try await records.erasureKey())
        guard let erasure = try await records.startErasure(Erasure.makeID(), of: user, digest: digest, audit: audit)
        else { return nil }
        try await cancelJobs(of: user)
        return erasure
    }

    /// Goes on with an erasure until it has completed.
    ///
    /// - Returns: `false` when rows may still arrive, or something keeps the files busy, so that it is to be called again.
    package func proceed(_ erasure: Erasure) async throws(StoreError) -> Bool {
        if let user = erasure.user {
            guard try await jobs.now() - erasure.requestedAt >= Self.settling else { return false }
            while true {
                try await cancelJobs(of: user)
                let hasMore = try await records.eraseRows(of: user, for: erasure.number, limit: Self.rows)
                guard hasMore else { break }
                guard (try? await Task.sleep(for: pause)) != nil else { return false }
            }
            guard try await records.eraseAccount(of: user, for: erasure.number) else { return false }
        }
        guard try await records.scrub() else { return false }
        try await records.completeErasure(number: erasure.number)
        return true
    }

    private func cancelJobs(of user: UserID) async throws(StoreError) {
        while true {
            let unfinished = try await records.unfinishedJobs(of: user, limit: Self.cancels)
            guard !unfinished.isEmpty else { return }
            // Together, so that they share their transactions.
            let failures = await withTaskGroup(of: StoreError?.self) { group in
                for job in unfinished {
                    group.addTask {
                        do throws(StoreError) {
                            _ = try await jobs.cancel(job, of: user, by: .erasure, audit: nil)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.reduce(into: [StoreError]()) { if let failure = $1 { $0.append(failure) } }
            }
            if let failure = failures.first { throw failure }
        }
    }
}
