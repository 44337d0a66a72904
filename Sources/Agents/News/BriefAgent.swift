internal import JobQueue
internal import JSON
package import News
package import Prompts

/// Puts the day's brief together: one for everybody and one for each user with holdings.
///
/// A job of a schedule writes them all, a few users in each journalled step, so that a run that was interrupted goes on
/// behind the last of them. A user's own job writes that user's brief and nobody else's. No model is asked: what is
/// worth knowing follows from the stories, and what models made of articles is used where it is there.
package struct BriefAgent: Agent {
    package let name = "brief"

    /// What `jobs/brief.yaml` must give.
    package static let requirements = BundleRules.Agent(prompts: [], stages: ["everybody", "holders", "store"])

    /// Users in one step: what is written in one transaction.
    static let chunk = 25

    private let records: any FeedRecords

    package init(records: any FeedRecords) { self.records = records }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        // Stories that came later are another day's; so a repeated step writes the same.
        let timestamp = context.job.createdAt.milliseconds
        let writer = BriefWriter(records, at: timestamp)
        context.progress("everybody")
        guard context.job.user == .system else { return try await own(of: context.job.user, writer, in: context) }
        _ = try await step("everybody", ["moment": JSON(timestamp)], in: context, writer) {
            () async throws(StoreError) in
            [.everybody]
        }
        var (last, written) = (Int64.min, 0)
        while true {
            context.progress("holders", fraction: 1 - 1 / Double(written / Self.chunk + 1))
            let after = last
            let done = try await step("holders", ["after": JSON(after)], in: context, writer) {
                () async throws(StoreError) in
                try await records.holders(after: after, limit: Self.chunk)
            }
            guard let next = done["last"]?.integer, next > last else { break }
            last = next
            written += Int(done["count"]?.integer ?? 0)
        }
        context.progress("store")
        return AgentResult(["everybody": true, "holders": JSON(written), "generated_at": JSON(Self.text(timestamp))])
    }

    /// The brief of the user who asked for it.
    private func own(
        of user: UserID, _ writer: BriefWriter, in context: JobContext
    ) async throws(AgentError) -> AgentResult {
        context.progress("holders")
        _ = try await step("own", ["user": JSON(user.rawValue)], in: context, writer) { () async throws(StoreError) in
            [Holder(user: user.rawValue, preferences: try await records.preferences(of: user.rawValue))]
        }
        context.progress("store")
        let timestamp = context.job.createdAt.milliseconds
        return AgentResult(["everybody": false, "holders": 1, "generated_at": JSON(Self.text(timestamp))])
    }

    /// Writes the briefs of the users whom `holders` finds; the output says who was the last of them and how many.
    private func step(
        _ name: String, _ input: JSON, in context: JobContext, _ writer: BriefWriter,
        holders: @escaping @Sendable () async throws(StoreError) -> [Holder]
    ) async throws(AgentError) -> JSON {
        let entry = try await context.journal.step(name, input: input) { () async throws(AgentError) in
            let found: [Holder]
            let briefs: [Brief]
            do throws(StoreError) {
                found = try await holders()
                briefs = found.isEmpty ? [] : try await writer.briefs(of: found)
            } catch {
                throw AgentError(error)
            }
            let output: JSON = ["last": JSON(found.last?.user), "count": JSON(found.count)]
            return (output, briefs.map { .record(.brief($0)) })
        }
        return entry.output
    }

    private static func text(_ timestamp: Int64) -> String { FeedTimestamp.milliseconds(timestamp) }
}
