internal import JobQueue
internal import JSON
internal import News

/// Writes the day's brief: one for all users and one for each user with holdings.
///
/// A scheduled job writes them all, a few users in each journalled step, so that a run after an interruption continues
/// after the last of them. A user's own job writes only that user's brief. No model is asked: the brief is selected
/// from the stories, with the ratings that models made of articles where there are any.
struct BriefAgent: Agent {
    /// Users in one step, and so in one transaction.
    static let chunk = 25

    private let records: any FeedRecords

    init(records: any FeedRecords) { self.records = records }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        // Later stories belong to another brief, so a repeated step writes the same.
        let timestamp = context.job.createdAt
        let writer = BriefWriter(records, at: timestamp)
        context.progress("everybody")
        guard context.job.user == .system else { return try await own(of: context.job.user, writer, in: context) }
        _ = try await step("everybody", ["timestamp": JSON(timestamp.milliseconds)], in: context, writer) {
            [.allUsers]
        }
        var (last, written) = (UserID(rawValue: .min), 0)
        while true {
            context.progress("holders", fraction: 1 - 1 / Double(written / Self.chunk + 1))
            let after = last
            let done = try await step("holders", ["after": JSON(after.rawValue)], in: context, writer) {
                try await records.holders(after: after, limit: Self.chunk)
            }
            guard let next = done["last"]?.integer, next > last.rawValue else { break }
            last = UserID(rawValue: next)
            written += Int(done["count"]?.integer ?? 0)
        }
        context.progress("store")
        return AgentResult(["everybody": true, "holders": JSON(written), "generated_at": JSON(Self.text(timestamp))])
    }

    /// Writes the brief of the job's user.
    private func own(
        of user: UserID, _ writer: BriefWriter, in context: JobContext
    ) async throws(AgentError) -> AgentResult {
        context.progress("holders")
        _ = try await step("own", ["user": JSON(user.rawValue)], in: context, writer) {
            [Holder(user: user, preferences: try await records.preferences(of: user))]
        }
        context.progress("store")
        let timestamp = context.job.createdAt
        return AgentResult(["everybody": false, "holders": 1, "generated_at": JSON(Self.text(timestamp))])
    }

    /// Writes the briefs of the users that `holders` returns; the output has the last of them and their number.
    private func step(
        _ name: String, _ input: JSON, in context: JobContext, _ writer: BriefWriter,
        holders: @escaping @Sendable () async throws -> [Holder]
    ) async throws(AgentError) -> JSON {
        let entry = try await context.journal.step(name, input: input) {
            let found = try await holders()
            let briefs = found.isEmpty ? [] : try await writer.briefs(of: found)
            let output: JSON = ["last": JSON(found.last?.user.rawValue), "count": JSON(found.count)]
            return (output, briefs.map { .record(.brief($0)) })
        }
        return entry.output
    }

    private static func text(_ timestamp: Timestamp) -> String { timestamp.iso8601 }
}
