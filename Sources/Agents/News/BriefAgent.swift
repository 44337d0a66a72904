internal import Basics
internal import JobQueue
internal import JSON
internal import News

/// Writes the day's brief: one for all users and one for each user with holdings, ready before the reader's morning.
///
/// Scheduled jobs write those of the time zones in which it has become morning, a few users in each journalled step, so
/// that a run after an interruption continues after the last of them. A user's own job writes only that user's brief. No model is asked: the brief is selected
/// from the stories, with the ratings that models made of articles where there are any.
struct BriefAgent: Agent {
    /// Users in one step, and so in one transaction.
    static let chunk = 25
    /// The hour of the brief in the reader's time zone: half past five in the morning.
    private static let hour = ScheduleTimes.DailyTime(hour: 5, minute: 30)

    private let records: any FeedRecords & BriefRepository

    init(records: any FeedRecords & BriefRepository) { self.records = records }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        // Later stories belong to another brief, so a repeated step writes the same.
        let timestamp = context.job.createdAt
        let writer = BriefWriter(records, at: timestamp)
        context.progress("everybody")
        guard context.job.user == .system else { return try await own(of: context.job.user, writer, in: context) }
        let zones = try await dueZones(in: context)
        guard !zones.isEmpty else {
            return AgentResult(["everybody": false, "holders": 0, "generated_at": JSON(Self.text(timestamp))])
        }
        var (last, written) = (UserID(rawValue: .min), 0)
        while true {
            context.progress("holders", fraction: 1 - 1 / Double(written / Self.chunk + 1))
            let after = last
            let input: JSON = ["after": JSON(after.rawValue)]
            let done = try await step("holders", input, in: context, writer) {
                try await records.holders(in: zones, after: after, limit: Self.chunk)
            }
            guard let next = done["last"]?.integer, next > last.rawValue else { break }
            last = UserID(rawValue: next)
            written += Int(done["count"]?.integer ?? 0)
        }
        context.progress("store")
        // Last, since its time says up to when all mornings have had their briefs.
        _ = try await step("everybody", ["timestamp": JSON(timestamp.milliseconds)], in: context, writer) {
            [.allUsers]
        }
        return AgentResult(["everybody": true, "holders": JSON(written), "generated_at": JSON(Self.text(timestamp))])
    }

    /// The time zones in which the hour of the brief came since the last one for all users, an empty name for users
    /// without a zone, whose hour is that of UTC. A run that was missed is made up for by the next.
    private func dueZones(in context: JobContext) async throws(AgentError) -> [String] {
        let timestamp = context.job.createdAt
        let entry = try await context.journal.step("zones", input: ["timestamp": JSON(timestamp.milliseconds)]) {
            let last = try await records.briefs(of: [Brief.allUsers]).first?.generatedAt
            let zones = Set(try await records.holderZones() + [""])
            let due = zones.filter { zone in
                let hour = Self.hour.latest(at: timestamp, in: ZoneOffsets(named: zone) ?? .utc)
                return last.map { last in hour.map { $0 > last } ?? false } ?? true
            }
            return (JSON(due.sorted()), [])
        }
        return entry.output.array?.compactMap(\.string) ?? []
    }

    /// Writes the brief of the job's user.
    private func own(
        of user: UserID, _ writer: BriefWriter, in context: JobContext
    ) async throws(AgentError) -> AgentResult {
        context.progress("holders")
        let language = context.language
        var input: JSON = ["user": JSON(user.rawValue)]
        input["language"] = language.map { JSON($0.rawValue) }
        _ = try await step("own", input, in: context, writer) {
            var preferences = try await records.preferences(of: user)
            preferences.language = language ?? preferences.language
            return [Holder(user: user, preferences: preferences)]
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
