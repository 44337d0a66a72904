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
/// A report that finds none submits the jobs, which are unique, and lets its own job wait for a while. Of many reports on
/// one filing few look for its readings each second, and the first that finds them lets the others go on. The choice of
/// readings is journalled: a report that went without them stays without.
struct FilingReadings: Sendable {
    /// The kind of the jobs.
    static let kind = "filing-reading"
    static let items = ["1", "1A", "7"]

    /// A report needs this long once it has its readings.
    private static let timeOfReport = Duration.seconds(115)
    private static let pause = Duration.seconds(1)
    /// The pause of further reports on a filing that a report of this process has just looked for.
    private static let pauseOfOthers = Duration.seconds(10)
    private static let batchPause = Duration.seconds(60)
    /// The time after which reports go on with the readings that are there: one of three that is written slowly, or fails and
    /// is asked for again, would keep all of them waiting.
    private static let longestWaitForAll = Duration.seconds(20)
    /// The reports that one transaction lets go on.
    private static let wokenAtOnce = 500
    /// The shortest time within which model calls go by batch.
    private static let shortestBatch = Duration.seconds(3600)

    private let documents: any DocumentRepository
    /// `nil` where journals are gone through again.
    private let jobs: (any JobStore)?
    private let now: @Sendable () -> Timestamp
    private let looks = FilingLooks()

    init(documents: any DocumentRepository, jobs: (any JobStore)?, now: @escaping @Sendable () -> Timestamp) {
        (self.documents, self.jobs, self.now) = (documents, jobs, now)
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
            let cause = WaitCause(.sharedWork, work: "annual report \(text.entry.accession)")
            if made.count < keys.count, let jobs {
                for (item, key) in zip(items, keys) where !made.contains(key) && looks.begins(key) {
                    _ = try await jobs.submit(
                        job(of: kind, text.entry.accession, item: item, key: key, for: context.job))
                }
                if let pause = await pause(of: context, for: text.entry.accession, hasSome: !made.isEmpty) {
                    throw AgentError.snoozed(
                        for: pause, reason: "the annual report is being read for all reports on it", waitingFor: cause)
                }
            }
            if let jobs, !made.isEmpty, looks.isNews(text.entry.accession) {
                while try await jobs.wake(waitingFor: cause, within: Self.batchPause, limit: Self.wokenAtOnce)
                    == Self.wokenAtOnce
                {}
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

    /// How long the report waits before it looks again, unless another one finds the readings first; `nil` when it has no
    /// time left for that, or has some of them and has waited for long.
    private func pause(of context: JobContext, for accession: String, hasSome: Bool) async -> Duration? {
        let left = await context.timeLeft()
        if let within = context.job.within, within >= Self.shortestBatch {
            guard (left ?? within) > within / 2 else { return nil }
            looks.waits(for: accession)
            return Self.batchPause
        }
        if let left, left <= Self.timeOfReport { return nil }
        if looks.wait(for: accession, at: now()) >= Self.longestWaitForAll, hasSome { return nil }
        let pause = looks.waits(for: accession) ? Self.pause : Self.pauseOfOthers
        return left.map { min(pause, max(Self.pause, $0 - Self.timeOfReport)) } ?? pause
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

/// What the reports of this process have asked about readings of late.
private final class FilingLooks: Sendable {
    /// A process submits a reading again when this long has passed without one.
    private static let submittedFor = Duration.seconds(120)
    /// Filings that are remembered, with reports that wait or not.
    private static let mostFilings = 4096

    private struct State {
        var submitted: [String: ContinuousClock.Instant] = [:]
        /// By filing: the last look of a report that looks again after a second.
        var looked: [String: ContinuousClock.Instant] = [:]
        /// By filing: the time since which reports wait for its readings.
        var awaited: [String: Timestamp] = [:]
        /// Filings whose readings were found, and that no report has waited for since.
        var found: Set<String> = []
    }

    private let state = Mutex(State())

    /// Whether this process submits the reading now: not when it has just done so, since one that fails is not to be
    /// bought again by each report that waits.
    func begins(_ key: String) -> Bool {
        let time = ContinuousClock.now
        return state.withLock { state in
            state.submitted = state.submitted.filter { time - $0.value < Self.submittedFor }
            guard state.submitted[key] == nil else { return false }
            state.submitted[key] = time
            return true
        }
    }

    /// How long reports have waited for the readings of a filing, of which one waits now. It counts anew when readings may
    /// be submitted again.
    func wait(for filing: String, at now: Timestamp) -> Duration {
        state.withLock { state in
            state.awaited = state.awaited.filter { now - $0.value < Self.submittedFor && $0.value <= now }
            let begin = state.awaited[filing] ?? now
            if state.awaited.count < Self.mostFilings { state.awaited[filing] = begin }
            return now - begin
        }
    }

    /// Notes that a report waits for the readings of a filing. Returns whether it is the one that looks again soon, as
    /// one in each second does.
    @discardableResult
    func waits(for filing: String) -> Bool {
        let time = ContinuousClock.now
        return state.withLock { state in
            state.found.remove(filing)
            if let last = state.looked[filing], time - last < .milliseconds(900) { return false }
            if state.looked.count >= Self.mostFilings { state.looked = [:] }
            state.looked[filing] = time
            return true
        }
    }

    /// Whether reports may still wait for the readings of a filing that are there.
    func isNews(_ filing: String) -> Bool {
        state.withLock { state in
            if state.found.count >= Self.mostFilings { state.found = [] }
            return state.found.insert(filing).inserted
        }
    }
}
