internal import Basics
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import News
internal import Prompts

/// Explains stories before anybody reads them: those about holdings and the day's most important ones, the most wanted
/// first, within a budget of the day, and each in the languages that readers chose.
///
/// A scheduled job does one after the other; each explanation is stored in a step of its own, so that a run after an
/// interruption goes on behind the last one. A story whose explanation fails is left to its readers.
struct AheadAgent: Agent {
    /// Failures that say something of one story and nothing of the next one.
    private static let faultsOfStories: Set<ErrorCode> = [.generationFailed, .notFound, .tooLarge, .internal]

    private let stories: StoryExplainer
    private let explanations: any ExplanationRepository
    private let wanted: WantedStories
    private let records: any FeedRecords & DocumentRepository
    private let now: @Sendable () -> Timestamp

    init(
        stories: StoryExplainer, explanations: any ExplanationRepository, records: any FeedRecords & DocumentRepository,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.stories, self.explanations, self.records, self.now) = (stories, explanations, records, now)
        wanted = WantedStories(records)
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let settings = AheadSettings(context.kind.settings)
        context.progress("choose")
        let chosen = try await context.journal.step("choose", input: [:]) { try await choose(settings) }
        let stories = chosen.output["stories"]?.array?.compactMap(WantedExplanation.init) ?? []
        var day = DaySpend(chosen.output["day"] ?? [:])
        var (explained, failures): (Int, [JSON]) = (0, [])
        var end = "done"
        for (place, story) in stories.enumerated() {
            guard day.microDollars < settings.microDollarsPerDay else {
                end = "budget"
                break
            }
            context.progress("explain", fraction: Double(place) / Double(stories.count))
            let outcome = try await explain(story, &day, in: context)
            if outcome["problem"] == .null { explained += 1 } else { failures.append(outcome) }
            if outcome["stops"] == true {
                end = "stopped"
                break
            }
        }
        context.progress("store")
        return AgentResult([
            "chosen": JSON(stories.count), "explained": JSON(explained), "failed": .array(failures), "ended": JSON(end),
            "spent_today_micro_dollars": JSON(day.microDollars),
        ])
    }

    /// The explanations to write, the most wanted first and the languages in turn, and what was done on the day so far.
    private func choose(_ settings: AheadSettings) async throws -> JSON {
        let time = now()
        let key = AheadDay.key(at: time)
        let document = try await records.document(key)
        let day = DaySpend(document.flatMap { try? JSON(parsing: $0.text) } ?? [:], key: key)
        let chosen = try await records.readerLanguages()
        var lists: [[WantedExplanation]] = []
        for language in chosen.contains(.english) ? chosen : chosen + [.english] {
            let groups = try await open(in: language, at: time, settings, without: day.failed)
            lists.append(groups.prefix(settings.stories).map { WantedExplanation(group: $0, language: language) })
        }
        let turns = 0..<(lists.map(\.count).max() ?? 0)
        let inTurn = turns.flatMap { turn in lists.compactMap { turn < $0.count ? $0[turn] : nil } }
        return ["stories": .array(inTurn.prefix(settings.stories).map(\.json)), "day": day.json]
    }

    /// The groups whose stories have no explanation in a language, the most wanted by its readers first.
    private func open(
        in language: Language, at time: Timestamp, _ settings: AheadSettings, without failed: [String]
    ) async throws -> [Int64] {
        let held =
            settings.heldTickers > 0
            ? try await records.heldTickers(by: language, limit: settings.heldTickers) : []
        let groups = try await wanted.groups(at: time, held: held, perTicker: settings.perTicker, top: settings.top)
        let keys = groups.map { StoryContext($0.story).key(for: [], in: language) }
        let made = Set(try await explanations.explanations(keys).map(\.key))
        return zip(groups, keys).filter { !made.contains($1) && !failed.contains(AheadDay.name(of: $1)) }.map(\.0.id)
    }

    private func key(of story: WantedExplanation) async throws(StoreError) -> ExplanationKey? {
        try await stories.key(ofGroup: story.group, in: story.language)
    }

    /// Explains a story and stores the explanation, or the reason why there is none. The output has the problem, and
    /// whether the run has to stop.
    private func explain(
        _ story: WantedExplanation, _ day: inout DaySpend, in context: JobContext
    ) async throws(AgentError) -> JSON {
        var changes: [RecordChange] = []
        var effects: [Effect] = []
        var problem: String?
        var stops = false
        let before = await context.journal.microDollars
        var cost: Int64 = 0
        do throws(AgentError) {
            // Without a language of their own, the prompts are those of a reader who chose none.
            let language = story.language == .english ? nil : story.language
            let made = try await stories.explain(
                group: story.group, holdings: [], stage: "story", in: context.writing(in: language))
            (changes, cost) = (made.records, made.result["provenance"]?["cost_micro_dollars"]?.integer ?? 0)
            // Somebody's reading may have had it written in the meantime.
            if made.records.isEmpty { cost = 0 }
        } catch {
            guard case .failed(let failure) = error else { throw error }
            problem = failure.error.message
            effects = failure.effects
            cost =
                await context.journal.microDollars - before
                + failure.effects.modelCalls.reduce(0) {
                    $0 + $1.costMicroDollars
                }
            // A provider that is away, or a limit of the day: the next run goes on.
            stops = failure.isTransient || !Self.faultsOfStories.contains(failure.error.code)
            if !stops, let key = try await AgentError.mapping({ try await key(of: story) }) {
                day.failed.append(AheadDay.name(of: key))
            }
        }
        day.microDollars += cost
        var output = story.json
        output["problem"] = JSON(problem)
        output["stops"] = JSON(stops)
        output["day"] = day.json
        let records = changes + [.document(day.document(at: now()))]
        let all = effects + records.map { Effect.record($0) }
        let entry = try await context.journal.step("explained", input: story.json) { [output] in (output, all) }
        day = DaySpend(entry.output["day"] ?? [:])
        return entry.output
    }
}

/// An explanation to write: the story of a group, in a language.
private struct WantedExplanation {
    var group: Int64
    var language: Language

    init(group: Int64, language: Language) { (self.group, self.language) = (group, language) }

    init?(_ json: JSON) {
        guard let group = json["group"]?.integer else { return nil }
        self.init(group: group, language: json["language"]?.string.flatMap { Language(rawValue: $0) } ?? .english)
    }

    /// English is not written out.
    var json: JSON {
        var json: JSON = ["group": JSON(group)]
        if language != .english { json["language"] = JSON(language.rawValue) }
        return json
    }
}

/// The number of stories, the holdings and the budget of `explain-ahead`, from `settings` in its file.
struct AheadSettings: Sendable, Hashable {
    /// The most stories that one run explains.
    var stories = 60
    /// General stories that are explained, those of the highest rank.
    var top = 50
    /// Tickers whose stories are explained, those of most users first.
    var heldTickers = 200
    /// Stories of a day about one of them.
    var perTicker = 3
    /// What the model calls of a UTC day may cost, in micro-dollars. A story that was begun is finished.
    var microDollarsPerDay: Int64 = 5_000_000

    /// JSON Schema of the settings.
    static let schema: JSON = [
        "type": "object",
        "properties": [
            "stories": ["type": "integer", "minimum": 1, "maximum": 150],
            "top": ["type": "integer", "minimum": 0, "maximum": 200],
            "held_tickers": ["type": "integer", "minimum": 0, "maximum": 1000],
            "stories_per_ticker": ["type": "integer", "minimum": 1, "maximum": 50],
            "dollars_per_day": ["type": "number", "minimum": 0, "maximum": 10_000],
        ],
        "additionalProperties": false,
    ]

    /// Reads settings that passed their schema.
    init(_ settings: JSON) {
        stories = settings["stories"]?.integer.map(Int.init) ?? stories
        top = settings["top"]?.integer.map(Int.init) ?? top
        heldTickers = settings["held_tickers"]?.integer.map(Int.init) ?? heldTickers
        perTicker = settings["stories_per_ticker"]?.integer.map(Int.init) ?? perTicker
        microDollarsPerDay =
            settings["dollars_per_day"]?.double.map { Int64(($0 * 1_000_000).rounded()) } ?? microDollarsPerDay
    }
}

/// The names under which the work of a day is kept.
private enum AheadDay {
    static func key(at time: Timestamp) -> String { "explained-ahead:\(FeedTimestamp.date(time))" }

    static func name(of key: ExplanationKey) -> String {
        let name = "\(key.story)/\(key.version)"
        return key.language == .english ? name : name + "/" + key.language.rawValue
    }
}
