internal import Basics
internal import DataSources
internal import Filings
internal import JSON
internal import JobQueue
internal import LanguageModels
internal import Prompts
internal import Synchronization

/// The readings of annual reports, each made once for everybody by a job of the service itself.
///
/// A report that finds none submits the jobs, which are unique, and lets its own job wait for a while. The choice of
/// readings is journalled: a report that went without them stays without.
struct FilingReadings: Sendable {
    /// Submits a job of the service itself.
    typealias Submit = @Sendable (NewJob) async throws(StoreError) -> Void

    /// The kind of the jobs.
    static let kind = "filing-reading"
    static let items = ["1", "1A", "7"]

    /// A report needs this long once it has its readings.
    private static let timeOfReport = Duration.seconds(115)
    private static let pause = Duration.seconds(1)
    private static let batchPause = Duration.seconds(60)
    /// The shortest time within which model calls go by batch.
    private static let shortestBatch = Duration.seconds(3600)
    /// A process submits a reading again when this long has passed without one.
    private static let submittedFor = Duration.seconds(120)

    private let documents: any DocumentRepository
    /// `nil` where journals are gone through again.
    private let submit: Submit?
    private let now: @Sendable () -> Timestamp
    private let submitted = Submitted()

    private final class Submitted: Sendable {
        let times = Mutex<[String: ContinuousClock.Instant]>([:])
    }

    init(documents: any DocumentRepository, submit: Submit?, now: @escaping @Sendable () -> Timestamp) {
        (self.documents, self.submit, self.now) = (documents, submit, now)
    }

    /// The name of a reading: it changes with the parser, by which paragraphs have their ids, and with the prompt.
    static func key(_ accession: String, item: String, prompt: LoadedPrompt) -> String {
        let plain = try? prompt.render(input: ["item": "", "passages": []])
        let version = plain.map { SHA256.hex(ModelRequest($0, userLabel: nil).encoded.canonical).prefix(12) } ?? ""
        return "filing_reading:\(Filings.Filing.parser):\(version):\(accession):\(item)"
    }

    /// The readings of the items of an annual report that were found.
    ///
    /// - Throws: `snoozed` while they are made and the report has time to wait.
    func readings(of text: FilingText, in context: JobContext) async throws(AgentError) -> [FilingReading] {
        guard context.kind.settings["filing_readings"]?.bool == true, let kind = context.bundle.kinds[Self.kind],
            let prompt = kind.prompts["read"].flatMap({ context.bundle.prompts[$0] })
        else { return [] }
        let items = Self.items.filter { text.filing[$0]?.status == .found }
        let keys = items.map { Self.key(text.entry.accession, item: $0, prompt: prompt) }
        let entry = try await context.journal.step("filing-readings", input: ["keys": JSON(keys)]) {
            let made = Set(try await documents.documents(keys).map(\.key))
            if made.count < keys.count, let submit {
                for (item, key) in zip(items, keys) where !made.contains(key) && begins(key) {
                    try await submit(job(of: kind, text.entry.accession, item: item, key: key, for: context.job))
                }
                if let pause = await pause(of: context) {
                    throw AgentError.snoozed(
                        for: pause, reason: "the annual report is being read for all reports on it",
                        waitingFor: WaitCause(.sharedWork))
                }
            }
            return ["keys": JSON(keys.filter(made.contains))]
        }
        let chosen = (entry.output["keys"]?.array ?? []).compactMap(\.string)
        guard !chosen.isEmpty else { return [] }
        let stored = try await AgentError.mapping { try await documents.documents(chosen) }
        let byKey = Dictionary(stored.map { ($0.key, $0.text) }) { first, _ in first }
        return chosen.compactMap { key in
            byKey[key].flatMap { try? JSON(parsing: $0) }.flatMap { FilingReading($0) }
        }
    }

    /// How long the report waits before it looks again; `nil` when it has no time left for that.
    private func pause(of context: JobContext) async -> Duration? {
        let left = await context.timeLeft()
        if let within = context.job.within, within >= Self.shortestBatch {
            return (left ?? within) > within / 2 ? Self.batchPause : nil
        }
        guard let left else { return Self.pause }
        return left > Self.timeOfReport ? Self.pause : nil
    }

    /// Whether this process submits the reading now: not when it has just done so, since one that fails is not to be
    /// bought again by each report that waits.
    private func begins(_ key: String) -> Bool {
        let time = ContinuousClock.now
        return submitted.times.withLock { times in
            times = times.filter { time - $0.value < Self.submittedFor }
            guard times[key] == nil else { return false }
            times[key] = time
            return true
        }
    }

    private func job(
        of kind: JobKind, _ accession: String, item: String, key: String, for report: ClaimedJob
    ) -> NewJob {
        let time = now()
        var generator = SystemRandomNumberGenerator()
        // A report that has hours has its filings read by batch, too, in the first half of its time.
        let within = report.within.map { $0 / 2 }.flatMap { $0 >= Self.shortestBatch ? $0 : nil }
        var job = kind.jobOfService(
            JobID(at: time, using: &generator), input: ["accession": JSON(accession), "item": JSON(item)],
            bundle: report.bundle, deadline: time + (within ?? kind.deadline))
        job.uniqueKey = key
        job.within = within
        // The calls count for the day of the user whose report began it.
        job.billedUser = report.user
        return job
    }
}
