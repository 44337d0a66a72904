internal import News
internal import JSON
internal import JobQueue
internal import Observability
internal import Prompts
internal import Synchronization

/// Explanations of stories: what there is, and jobs for what is missing.
///
/// An explanation is made once for each version of a story and each set of holdings that it names, whoever asks. Whoever
/// asks while it is being made follows the same job; who asks later is answered with the record.
struct Explanations: Sendable {
    /// The kind of job that makes them.
    static let kind = "explanation"
    /// Jobs that one request may queue for what it found missing.
    private static let mostQueued = 5

    let store: any JobStore
    let records: any ExplanationRepository
    let stories: any StoryReader
    let bundle: CurrentBundle
    /// What a user holds.
    let holdings: @Sendable (UserID) async throws(StoreError) -> [String]
    /// Micro-dollars that a day's jobs of the service itself may cost before nothing more is queued for readers.
    let spendCap: Int64
    let now: @Sendable () -> Int64
    let logger: Logger
    private let asked = RecentRequests()

    // MARK: For readers

    /// An explanation that a reader can be shown.
    struct Found: Sendable {
        /// The explanation object of the news documents.
        var body: JSON
        /// The holdings that it names; empty for everybody's.
        var holdings: [String]
        /// Whether it was written from the articles that count now.
        var isCurrent: Bool
    }

    /// A story that a reader sees, with the number of the group that shows it.
    struct Shown: Sendable {
        var group: Int64
        var material: StoryMaterial

        init(group: Int64, material: StoryMaterial) {
            self.group = group
            self.material = material
        }

        init(_ group: NewsStoryGroup) { self.init(group: group.id, material: StoryMaterial(group.story)) }
    }

    /// The explanations of stories for somebody's holdings, by group: the one that names those that the story is
    /// about, else everybody's; of the present version, else of an earlier one. What is not there is missing in the
    /// answer.
    ///
    /// Jobs are queued for what is missing, a few for a request, in the order of the stories; one that was asked for a
    /// while ago is not asked for again. It costs the reader nothing and waits for no model.
    func find(_ shown: [Shown], holdings: [String]) async throws(StoreError) -> [Int64: Found] {
        let wanted = shown.map { (group: $0.group, key: $0.material.key(for: holdings), material: $0.material) }
        let keys = wanted.flatMap { [$0.key, $0.material.key(for: [])] }
        let made = Dictionary(
            try await records.explanations(keys).map { (Place($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Int64: Found] = [:]
        var missing: [(group: Int64, key: ExplanationKey)] = []
        for (group, key, material) in wanted {
            let best = made[Place(key)]
            if best?.version != key.version { missing.append((group, key)) }
            guard let one = best ?? made[Place(material.key(for: []))], let body = try? JSON(parsing: one.body) else {
                continue
            }
            found[group] = Found(body: body, holdings: one.key.holdings, isCurrent: one.key == key)
        }
        await queue(missing)
        return found
    }

    /// A story and whose holdings: what versions have in common.
    private struct Place: Hashable {
        var story: String
        var holdings: [String]

        init(_ key: ExplanationKey) { (story, holdings) = (key.story, key.holdings) }
    }

    /// Queues jobs of the service itself, which cost nobody a credit.
    private func queue(_ missing: [(group: Int64, key: ExplanationKey)]) async {
        let timestamp = Timestamp(milliseconds: now())
        let fresh = asked.notAsked(missing.map(\.key), at: timestamp.milliseconds, limit: Self.mostQueued)
        var left = fresh
        // A story may be shown by several groups.
        let due = missing.filter { left.remove($0.key) != nil }
        guard !due.isEmpty, let kind = bundle.value.kinds[Self.kind] else { return }
        do throws(StoreError) {
            guard try await store.modelSpend(of: .system, since: timestamp.startOfDay) < spendCap else {
                return logger.warning("the day's spend on explanations is used up; none is queued")
            }
            for (group, key) in due {
                let work = work(group: group, key, kind, at: timestamp)
                var job = NewJob(
                    id: work.id, user: .system, kind: kind.name, input: work.input, bundle: bundle.value.hash, cost: 0,
                    deadline: work.deadline, startingCredits: 0)
                job.queue = kind.queue
                job.maxAttempts = kind.retries.attempts
                job.limits = kind.limits
                job.uniqueKey = work.key
                _ = try await store.submit(job)
            }
        } catch {
            asked.forget(due.map(\.key))
            logger.warning("explanations cannot be queued", ["reason": .string(error.description)])
        }
    }

    // MARK: For who asks for one

    /// What the input of an `explanation` job stands for: for a story, the input with the holdings that are named, and
    /// the record or the work to share; for articles, the input as it is.
    func source(of input: JSON, kind: JobKind, user: UserID) async throws(APIError) -> (input: JSON, source: JobSource)
    {
        guard let group = input["story_id"]?.integer else { return (input, .ownRun) }
        let (key, made) = try await place(group, input["holdings"]?.array?.compactMap(\.string), user)
        let work = work(group: group, key, kind, at: Timestamp(milliseconds: now()))
        if let made, let body = try? JSON(parsing: made.body) {
            let provenance = (try? JSON(parsing: made.provenance)) ?? .null
            return (
                work.input,
                .stored(["explanation": body, "holdings": JSON(key.holdings), "provenance": provenance])
            )
        }
        return (work.input, .shared(work))
    }

    /// What would be made, for the holdings that were given or that the user has, and whether it is there.
    private func place(
        _ group: Int64, _ given: [String]?, _ user: UserID
    ) async throws(APIError) -> (key: ExplanationKey, made: StoryExplanation?) {
        let material: StoryMaterial?
        do throws(StoreError) {
            material = try await stories.material(ofGroup: group)
        } catch {
            throw APIError(error)
        }
        guard let material else { throw .notFound("The story") }
        do throws(StoreError) {
            var held = given ?? []
            if given == nil { held = try await holdings(user) }
            let key = material.key(for: held)
            return (key, try await records.explanation(key))
        } catch {
            throw APIError(error)
        }
    }

    private func work(group: Int64, _ key: ExplanationKey, _ kind: JobKind, at timestamp: Timestamp) -> SharedWork {
        var generator = SystemRandomNumberGenerator()
        return SharedWork(
            id: JobID(at: timestamp, using: &generator),
            key: "explanation/\(key.story)/\(key.version)/\(key.holdings.joined(separator: ","))",
            input: ["story_id": JSON(group), "holdings": JSON(key.holdings)], deadline: timestamp + kind.deadline)
    }
}

extension Explanations: FeedExplanations {
    func explanations(
        of groups: [NewsStoryGroup], holdings: [String]
    ) async throws(StoreError) -> [Int64: JSON] {
        try await find(groups.map { Shown($0) }, holdings: holdings).mapValues(\.body)
    }
}

extension Timestamp {
    /// Midnight in UTC.
    fileprivate var startOfDay: Timestamp {
        let day: Int64 = 86_400_000
        return Timestamp(milliseconds: milliseconds / day * day)
    }
}

/// What was queued a while ago: a story whose explanation fails must not be tried at every look at a feed.
private final class RecentRequests: Sendable {
    /// How long until the same is queued again.
    private static let pause: Int64 = 15 * 60_000
    private static let most = 5000

    private let timestamps = Mutex<[ExplanationKey: Int64]>([:])

    /// The first few keys that were not asked for lately; they count as asked for from now on.
    func notAsked(_ keys: [ExplanationKey], at timestamp: Int64, limit: Int) -> Set<ExplanationKey> {
        timestamps.withLock { timestamps in
            var fresh: Set<ExplanationKey> = []
            for key in keys where fresh.count < limit && (timestamps[key] ?? .min) <= timestamp - Self.pause {
                fresh.insert(key)
            }
            if timestamps.count > Self.most { timestamps = timestamps.filter { $0.value > timestamp - Self.pause } }
            if timestamps.count > Self.most { timestamps = [:] }
            for key in fresh { timestamps[key] = timestamp }
            return fresh
        }
    }

    func forget(_ keys: [ExplanationKey]) {
        timestamps.withLock { timestamps in
            for key in keys { timestamps[key] = nil }
        }
    }
}
