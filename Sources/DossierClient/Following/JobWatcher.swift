/// Follows jobs for all who want their states: one connection for each fifty jobs.
///
/// 1. A job is in a group while somebody listens and it has not ended; a group has one task, which ends with its last job.
/// 2. Every state goes through ``take(_:)``; listeners drop what they have shown.
/// 3. Trouble of the network never ends a subscription. Only a refusal about the job itself does.
actor JobWatcher {
    static let mostJobs = 50

    struct Group {
        var jobs: Set<Job.ID>
        var task: Task<Void, Never>?
        /// Ends the connection that lacks a job which came later.
        var connection: Task<Void, any Error>?
    }

    let sender: RequestSender
    /// What works now, for all groups.
    var method = FollowingMethod.stream
    /// Seconds that a long poll waits.
    var pollWait = 10
    var groups: [Int: Group] = [:]
    /// The latest state of the jobs that are followed, with its `ETag`.
    private var latest: [Job.ID: Job] = [:]
    private var subscriptions: [Int: (ids: Set<Job.ID>, subscription: JobSubscription)] = [:]
    private var lastID = 0

    var pacing: Pacing { sender.configuration.pacing }

    init(sender: RequestSender) { self.sender = sender }

    // MARK: Listening

    /// The states of jobs until all have ended.
    func states(of ids: [Job.ID], after revision: Job.Revision? = nil) -> UpdatesSource<Job> {
        let ids = Set(ids)
        let subscription = JobSubscription(ids, after: revision)
        guard !ids.isEmpty else { return UpdatesSource(next: { nil }) }
        if subscriptions.isEmpty { method = .stream }
        lastID += 1
        let id = lastID
        subscriptions[id] = (ids, subscription)
        for job in ids.compactMap({ latest[$0] }) { subscription.take(job) }
        follow(ids)
        return UpdatesSource(next: { try await subscription.next() }, end: { Task { await self.leave(id) } })
    }

    private func leave(_ id: Int) {
        guard let left = subscriptions.removeValue(forKey: id) else { return }
        let wanted = subscriptions.values.reduce(into: Set<Job.ID>()) { $0.formUnion($1.ids) }
        drop(left.ids.subtracting(wanted))
    }

    // MARK: Groups

    private func follow(_ ids: Set<Job.ID>) {
        var new = ids.subtracting(groups.values.reduce(into: Set<Job.ID>()) { $0.formUnion($1.jobs) })
        for key in groups.keys.sorted() where !new.isEmpty {
            guard let room = groups[key].map({ Self.mostJobs - $0.jobs.count }), room > 0 else { continue }
            let added = new.prefix(room)
            groups[key]?.jobs.formUnion(added)
            new.subtract(added)
            groups[key]?.connection?.cancel()
        }
        while !new.isEmpty {
            let jobs = Set(new.prefix(Self.mostJobs))
            new.subtract(jobs)
            lastID += 1
            let key = lastID
            groups[key] = Group(jobs: jobs)
            groups[key]?.task = Task { await self.run(key) }
        }
    }

    private func drop(_ ids: Set<Job.ID>) {
        for id in ids { latest[id] = nil }
        for (key, group) in groups where !group.jobs.isDisjoint(with: ids) {
            groups[key]?.jobs.subtract(ids)
            if groups[key]?.jobs.isEmpty == true {
                group.task?.cancel()
                group.connection?.cancel()
                groups[key] = nil
            }
        }
    }

    func jobs(of key: Int) -> [Job.ID] {
        (groups[key]?.jobs ?? []).sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: What has come

    /// Passes a state on to all who listen.
    func take(_ job: Job) {
        if let known = latest[job.id]?.revision, let revision = job.revision, revision < known { return }
        latest[job.id] = job
        for (ids, subscription) in subscriptions.values where ids.contains(job.id) { subscription.take(job) }
        if job.isFinished { drop([job.id]) }
    }

    /// Ends the subscriptions to a job that the server refuses to show.
    func refuse(_ id: Job.ID, _ error: any Error) {
        for (ids, subscription) in subscriptions.values where ids.contains(id) { subscription.fail(error) }
        drop([id])
    }

    func isFollowed(_ id: Job.ID) -> Bool { groups.values.contains { $0.jobs.contains(id) } }

    func latest(_ id: Job.ID) -> Job? { latest[id] }
}

/// The ways to follow a job, the best first.
enum FollowingMethod: Sendable {
    case stream, longPoll, poll

    /// What is tried when this one fails twice in a row; behind the last one, the first one again.
    var next: FollowingMethod {
        switch self {
        case .stream: .longPoll
        case .longPoll: .poll
        case .poll: .stream
        }
    }
}
