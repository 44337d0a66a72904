internal import Basics
package import JobQueue
internal import JSON
internal import Learning

/// Everything that the service keeps of one user, as lines of JSON: a line for the archive, one for each thing in the
/// form of the API, and one with the number of lines.
///
/// What all users share is left out: articles, stories and their explanations. It is read a page at a time.
package struct UserArchive: UserArchiver {
    /// The records that belong to users.
    package typealias Records = AccountRepository & MonthlyCreditRepository & PlanRepository & SessionRepository
        & PreferencesRepository & WatchlistRepository & ConversationRepository & BriefRepository & CreditRepository
        & WebhookRepository & RecallRepository

    /// The kind of the jobs that make archives, whose own content is left out.
    package static let kind = "export"
    private static let version: Int64 = 1
    private static let page = 100
    private static let mostEndpoints = 1000

    private let store: any JobStore
    private let records: any Records
    private let plans: CurrentPlans

    package init(_ store: any JobStore, _ records: any Records, plans: CurrentPlans) {
        (self.store, self.records, self.plans) = (store, records, plans)
    }

    package func archive(
        _ user: UserID, to sink: any ArchiveSink
    ) async throws -> (madeAt: Timestamp, lines: Int)? {
        guard user != .system, let account = try await records.account(id: user) else { return nil }
        let now = try await store.now()
        let begin: JSON = [
            "version": JSON(Self.version), "subject": JSON(account.subject), "made_at": JSON(now.iso8601),
        ]
        try await Self.write("export", begin, to: sink)
        var lines = 1
        lines += try await writeAccount(account, at: now, to: sink)
        lines += try await writeSessions(of: user, at: now, to: sink)
        lines += try await writeReading(of: user, to: sink)
        lines += try await writeJobs(of: user, to: sink)
        lines += try await writeConversations(of: user, to: sink)
        lines += try await writeLedger(of: user, to: sink)
        lines += try await writeEndpoints(of: user, to: sink)
        lines += try await writeCards(of: user, to: sink)
        try await Self.write("end", ["lines": JSON(lines)], to: sink)
        return (now, lines)
    }

    /// Writes a line, which begins with its type. A thing's own member of that name is called `naming`.
    private static func write(
        _ type: String, _ thing: JSON, naming name: String? = nil, to sink: any ArchiveSink
    ) async throws {
        var line: JSONObject = ["type": JSON(type)]
        for (member, value) in thing.object ?? [:] { line[member == "type" ? name ?? member : member] = value }
        try await sink.write(JSON.object(line).compact)
    }

    private func writeAccount(
        _ account: Account, at now: Timestamp, to sink: any ArchiveSink
    ) async throws -> Int {
        let plan = await UserPlans(plans, records: records).plan(of: account.id)
        let balance = try await store.balance(of: account.id, startingCredits: plan.startingCredits)
        let monthly = try await records.monthlyCredits(of: account.id)
        try await Self.write(
            "account", account.json(balance, monthly, plans.named(account.id), at: now), to: sink)
        return 1
    }

    private func writeSessions(of user: UserID, at now: Timestamp, to sink: any ArchiveSink) async throws -> Int {
        var (count, cursor) = (0, SessionCursor?.none)
        while true {
            let sessions = try await records.sessions(of: user, at: now, after: cursor, limit: Self.page)
            for session in sessions { try await Self.write("session", session.json(isCurrent: false), to: sink) }
            count += sessions.count
            guard let last = sessions.last else { return count }
            cursor = SessionCursor(createdAt: last.createdAt, id: last.id)
        }
    }

    /// The preferences with the holdings, the watchlist, and the user's own brief.
    private func writeReading(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        try await Self.write("preferences", try await records.preferences(of: user).json, to: sink)
        let watched = try await records.watchlist(of: user)
        for item in watched { try await Self.write("watchlist", item.json, to: sink) }
        let briefs = try await records.briefs(of: [user])
        for brief in briefs { try await Self.write("brief", brief.json, to: sink) }
        return 1 + watched.count + briefs.count
    }

    private func writeJobs(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        var (count, position) = (0, JobListQuery.Position.page(1))
        while true {
            let list = try await store.jobs(JobListQuery(user: user, position: position, perPage: Self.page))
            for job in list.jobs {
                // A job that was deleted since the page was read is left out.
                guard let (job, result) = try await jobWithResult(job.id, of: user) else { continue }
                var line = job.json
                if job.kind != Self.kind {
                    line["input"] = job.input
                    line["result"] = result.map { job.json(of: $0) } ?? .null
                }
                try await Self.write("job", line, to: sink)
                count += 1
            }
            guard list.hasMore, let last = list.jobs.last else { return count }
            position = .after(last.id)
        }
    }

    private func jobWithResult(_ id: JobID, of user: UserID) async throws -> (job: Job, result: JSON?)? {
        try await store.jobWithResult(id, of: user).map { ($0.job, $0.result) }
    }

    private func writeConversations(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        var (count, place) = (0, "")
        while true {
            let ids = try await records.conversationIDs(of: user, after: place, limit: Self.page)
            for id in ids {
                let turns = try await records.turns(of: id, user: user, last: .max)
                guard let conversation = ConversationRoutes.json(id, turns) else { continue }
                try await Self.write("conversation", conversation, to: sink)
                count += 1
            }
            guard let last = ids.last else { return count }
            place = last
        }
    }

    private func writeLedger(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        var (count, place) = (0, Int64?.none)
        while true {
            let found = try await records.ledger(of: user, LedgerFilter(), before: place, limit: Self.page + 1)
            let entries = found.prefix(Self.page)
            for entry in entries { try await Self.write("ledger", entry.json, naming: "movement", to: sink) }
            count += entries.count
            // The starting credits come last, whatever their number: nothing is asked for after them.
            guard found.count > Self.page, let last = entries.last else { return count }
            place = last.number
        }
    }

    /// The endpoints of webhooks, without what is known of their secrets.
    private func writeEndpoints(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        let endpoints = try await records.webhookEndpoints(of: user, limit: Self.mostEndpoints)
        for endpoint in endpoints {
            var line = endpoint.json.object ?? [:]
            line["secrets"] = nil
            try await Self.write("webhook_endpoint", .object(line), to: sink)
        }
        return endpoints.count
    }

    private func writeCards(of user: UserID, to sink: any ArchiveSink) async throws -> Int {
        var (count, place) = (0, "")
        while true {
            let cards = try await records.recallCards(of: user, after: place, limit: Self.page)
            for card in cards.compactMap(LearningCard.init) {
                try await Self.write("recall_card", card.json, naming: "form", to: sink)
                count += 1
            }
            guard let last = cards.last else { return count }
            place = last.id
        }
    }
}
