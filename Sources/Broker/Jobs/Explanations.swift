internal import Basics
internal import News
internal import JSON
internal import JobQueue
internal import Observability
internal import Prompts
internal import Synchronization

/// Reads the explanations of stories and queues jobs for missing ones.
///
/// An explanation is made once for each version of a story and each set of holdings that it names, for all users.
/// Requests during its run share the job; later requests get the stored record.
struct Explanations: Sendable {
    /// The kind of the jobs.
    static let kind = "explanation"
    /// The most jobs that one request queues for missing explanations.
    private static let maxQueued = 5

    let store: any JobStore
    let records: any ExplanationRepository
    let stories: any StoryReader
    let bundle: CurrentBundle
    /// Reads the tickers that a user holds.
    let holdings: @Sendable (UserID) async throws(StoreError) -> [String]
    /// Nothing is queued for readers once the service has spent what it may.
    let gate: SpendGate
    let allowance: SharedWorkAllowance
    let now: @Sendable () -> Timestamp
    let logger: Logger
    /// The language of the explanations that are read and queued.
    private(set) var language = Language.english
    private let recent = RecentRequests()

    init(
        store: any JobStore, records: any ExplanationRepository, stories: any StoryReader, bundle: CurrentBundle,
        holdings: @escaping @Sendable (UserID) async throws(StoreError) -> [String], gate: SpendGate,
        allowance: SharedWorkAllowance, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.records = records
        self.stories = stories
        self.bundle = bundle
        self.holdings = holdings
        self.gate = gate
        self.allowance = allowance
        self.now = now
        self.logger = logger
    }

    /// The same for readers of another language. No reader gets an explanation in another language than theirs.
    func reading(in language: Language?) -> Explanations {
        var explanations = self
        explanations.language = language ?? .english
        return explanations
    }

    // MARK: For feeds

    /// A stored explanation that fits a reader.
    struct Found: Sendable {
        /// The explanation object of the news documents.
        var body: JSON
        /// The holdings that it names; empty for the common one.
        var holdings: [String]
        /// Whether it was written from the story's present articles.
        var isCurrent: Bool
    }

    /// A story in a feed, with the number of the group that shows it.
    struct ShownStory: Sendable {
        var group: Int64
        var material: StoryContext

        init(group: Int64, material: StoryContext) {
            self.group = group
            self.material = material
        }

        init(_ group: NewsStoryGroup) { self.init(group: group.id, material: StoryContext(group.story)) }
    }

    /// The explanations of stories for a user, by group: the common one with the part that speaks to what the user holds,
    /// or one that was written for just these holdings where it is newer; of the present version, else of an earlier one.
    ///
    /// Queues jobs for missing common ones, a few per request, in the order of the stories, and none that was queued recently
    /// or is beyond the reader's allowance of shared work. The jobs cost the reader no credit, and the read does not
    /// wait for them.
    func find(
        _ shown: [ShownStory], for user: UserID, holdings: [String]
    ) async throws(StoreError) -> [Int64: Found] {
        let wanted = shown.map {
            (
                story: $0, own: $0.material.key(for: holdings, in: language),
                common: $0.material.key(for: [], in: language)
            )
        }
        let keys = wanted.flatMap { $0.own == $0.common ? [$0.common] : [$0.own, $0.common] }
        let made = Dictionary(
            try await records.explanations(keys).map { (VersionlessKey($0.key), $0) },
            uniquingKeysWith: { first, _ in first })
        var found: [Int64: Found] = [:]
        var missing: [(story: ShownStory, key: ExplanationKey)] = []
        for (story, own, common) in wanted {
            let candidates = [made[VersionlessKey(own)], made[VersionlessKey(common)]].compactMap(\.self)
            let current = candidates.first { $0.version == common.version }
            if current == nil { missing.append((story, common)) }
            guard let one = current ?? candidates.max(by: { $0.createdAt < $1.createdAt }),
                let body = try? JSON(parsing: one.body)
            else { continue }
            found[story.group] = Found(
                body: ReaderExplanation(body, holdings: holdings, language).body, holdings: one.key.holdings,
                isCurrent: current != nil)
        }
        await queue(missing, for: user)
        return found
    }

    /// The part of a key that all versions share.
    private struct VersionlessKey: Hashable {
        var story: String
        var holdings: [String]
        var language: Language

        init(_ key: ExplanationKey) { (story, holdings, language) = (key.story, key.holdings, key.language) }
    }

    /// Queues jobs of the service itself, which cost no credits.
    private func queue(_ missing: [(story: ShownStory, key: ExplanationKey)], for user: UserID) async {
        let timestamp = now()
        let fresh = recent.add(missing.map(\.key), at: timestamp, limit: Self.maxQueued)
        var left = fresh
        // Several groups may show one story.
        let due = missing.filter { left.remove($0.key) != nil }
        guard !due.isEmpty, let kind = bundle.value.kinds[Self.kind] else { return }
        do throws(StoreError) {
            guard try await gate.pause() == nil else {
                return logger.warning("the day's spend on work without credits is used up; queueing no explanations")
            }
            let works = due.map { work(group: $0.story.group, $0.key, kind, at: timestamp) }
            let allowed = try await allowance.counted(works.map(\.key), of: user)
            for (work, one) in zip(works, due) where allowed.contains(work.key) {
                var job = kind.jobOfService(
                    work.id, input: work.input, bundle: bundle.value.hash, deadline: work.deadline,
                    known: [.storyTitle: one.story.material.title])
                job.uniqueKey = work.key
                job.billedUser = user
                _ = try await store.submit(job)
            }
        } catch {
            recent.remove(due.map(\.key))
            logger.warning("cannot queue explanations", ["reason": .string(error.description)])
        }
    }

    // MARK: For a submit

    /// The source of an `explanation` job: for a story, the input with the holdings that it names, and the stored
    /// record or the work to share, and its title; for articles, a run of its own with the unchanged input.
    func source(
        of input: JSON, kind: JobKind, user: UserID
    ) async throws(APIError) -> (input: JSON, source: JobSource, title: String?) {
        guard let group = input["story_id"]?.integer else { return (input, .ownRun, nil) }
        let language = input["language"]?.string.flatMap { Language(tag: $0) } ?? .english
        let (key, made, title) = try await explanation(
            of: group, in: language, input["holdings"]?.array?.compactMap(\.string), user)
        let work = work(group: group, key, kind, at: now())
        if let made, let body = try? JSON(parsing: made.body) {
            let provenance = (try? JSON(parsing: made.provenance)) ?? .null
            return (
                work.input,
                .stored([
                    "explanation": body, "holdings": JSON(key.holdings), "provenance": provenance,
                    "language": JSON(key.language.rawValue),
                ]), title
            )
        }
        return (work.input, .shared(work), title)
    }

    /// The key of the explanation for the given holdings, or else for the user's, its record if it exists, and the
    /// story's title.
    private func explanation(
        of group: Int64, in language: Language, _ given: [String]?, _ user: UserID
    ) async throws(APIError) -> (key: ExplanationKey, made: StoryExplanation?, title: String) {
        let material: StoryContext?
        do throws(StoreError) {
            material = try await stories.story(ofGroup: group)
        } catch {
            throw APIError(error)
        }
        guard let material else { throw .notFound("The story") }
        do throws(StoreError) {
            var held = given ?? []
            if given == nil { held = try await holdings(user) }
            let key = material.key(for: held, in: language)
            return (key, try await records.explanation(key), material.title)
        } catch {
            throw APIError(error)
        }
    }

    private func work(group: Int64, _ key: ExplanationKey, _ kind: JobKind, at timestamp: Timestamp) -> SharedWork {
        var generator = SystemRandomNumberGenerator()
        var input: JSON = ["story_id": JSON(group), "holdings": JSON(key.holdings)]
        if key.language != .english { input["language"] = JSON(key.language.rawValue) }
        return SharedWork(
            id: JobID(at: timestamp, using: &generator),
            key: "explanation/\(key.story)/\(key.version)/\(key.holdingsText)", input: input,
            deadline: timestamp + kind.deadline)
    }
}

extension Explanations: FeedExplanations {
    func explanations(
        of groups: [NewsStoryGroup], for user: UserID, holdings: [String]
    ) async throws(StoreError) -> [Int64: JSON] {
        try await find(groups.map { ShownStory($0) }, for: user, holdings: holdings).mapValues(\.body)
    }
}

/// The explanations that were queued recently. A story whose explanation fails is not queued at every read of a feed.
private final class RecentRequests: Sendable {
    /// The time until the same explanation may be queued again.
    private static let pause: Duration = .seconds(15 * 60)
    private static let capacity = 5000

    private let timestamps = Mutex<[ExplanationKey: Timestamp]>([:])

    /// Adds the first keys, up to a limit, that were not added recently, and returns them.
    func add(_ keys: [ExplanationKey], at timestamp: Timestamp, limit: Int) -> Set<ExplanationKey> {
        timestamps.withLock { timestamps in
            var fresh: Set<ExplanationKey> = []
            for key in keys where fresh.count < limit && (timestamps[key].map { $0 <= timestamp - Self.pause } ?? true)
            {
                fresh.insert(key)
            }
            if timestamps.count > Self.capacity { timestamps = timestamps.filter { $0.value > timestamp - Self.pause } }
            if timestamps.count > Self.capacity { timestamps = [:] }
            for key in fresh { timestamps[key] = timestamp }
            return fresh
        }
    }

    func remove(_ keys: [ExplanationKey]) {
        timestamps.withLock { timestamps in
            for key in keys { timestamps[key] = nil }
        }
    }
}
