internal import DossierAPI
internal import JobQueue
internal import JSON
internal import News
internal import Prompts

/// Judges by a model how much the stories of today and yesterday matter, many stories in a call, within a budget of the
/// day.
///
/// A level is for all users, and holds until its story has twice the articles. A story that was not judged keeps the
/// rule's level, and so does every story while no model answers.
struct ImpactAgent: Agent {
    /// Levels by which a model may differ from the rule: a headline that asks for a level moves its own story no further.
    private static let mostLevelsApart = 2
    /// Failures that say something of these stories and nothing of the next ones.
    private static let faultsOfStories: Set<ErrorCode> = [.generationFailed, .tooLarge, .internal]

    private let models: ModelCalls
    private let records: any FeedRecords & DocumentRepository
    private let now: @Sendable () -> Timestamp

    init(
        models: ModelCalls, records: any FeedRecords & DocumentRepository, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.models, self.records, self.now) = (models, records, now)
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let settings = ImpactSettings(context.kind.settings)
        let prompt = try context.prompt("judge")
        context.progress("choose")
        let chosen = try await context.journal.step("choose", input: [:]) { try await choose(settings) }
        let stories = (chosen.output["stories"]?.array ?? []).compactMap { StoryToRate($0) }
        var day = DaySpend(chosen.output["day"] ?? [:])
        var (rated, failures): (Int, [JSON]) = (0, [])
        var end = "done"
        for start in stride(from: 0, to: stories.count, by: settings.perCall) {
            guard day.microDollars < settings.microDollarsPerDay else {
                end = "budget"
                break
            }
            context.progress("judge", fraction: Double(start) / Double(stories.count))
            let batch = Array(stories[start..<min(start + settings.perCall, stories.count)])
            let outcome = try await rate(batch, &day, prompt, in: context)
            rated += Int(outcome["judged"]?.integer ?? 0)
            if let problem = outcome["problem"], problem != .null { failures.append(problem) }
            if outcome["stops"] == true {
                end = "stopped"
                break
            }
        }
        context.progress("store")
        return AgentResult([
            "chosen": JSON(stories.count), "judged": JSON(rated), "failed": .array(failures), "ended": JSON(end),
            "spent_today_micro_dollars": JSON(day.microDollars),
        ])
    }

    /// The stories to judge, the most important first, and what the day has cost so far.
    private func choose(_ settings: ImpactSettings) async throws -> JSON {
        let time = now()
        let key = "impact-judged:\(FeedTimestamp.date(time))"
        let document = try await records.document(key)
        let day = DaySpend(document.flatMap { try? JSON(parsing: $0.text) } ?? [:], key: key)
        let failed = Set(day.failed)
        var groups: [NewsStoryGroup] = []
        for date in [time, time - .seconds(86_400)].map(FeedTimestamp.date) {
            groups += try await records.globalGroups(on: date, limit: settings.mostPerDay)
        }
        let open = groups.filter { group in
            let isGrown = group.story.ratedArticles.map { group.story.members.count >= 2 * $0 } ?? true
            return isGrown && !failed.contains(StoryToRate.version(of: group.story))
        }
        .sorted { ($0.importance, $0.id) > ($1.importance, $1.id) }.prefix(settings.stories)
        let ids = open.flatMap { $0.shownArticles.prefix(StoryToRate.mostArticles) }
        let articles = ids.isEmpty ? [] : try await records.articles(ids: ids)
        let known = Dictionary(articles.map { ($0.id, $0) }) { first, _ in first }
        let stories = open.compactMap { StoryToRate($0, articles: known)?.json }
        return ["stories": .array(stories), "day": day.json]
    }

    /// Asks about stories and stores their levels, or the reason why there are none. The output has the number of
    /// levels, the problem, and whether the run has to stop.
    private func rate(
        _ stories: [StoryToRate], _ day: inout DaySpend, _ prompt: LoadedPrompt, in context: JobContext
    ) async throws(AgentError) -> JSON {
        var effects: [Effect] = []
        var levels: [Effect] = []
        var problem: String?
        var stops = false
        let before = await context.journal.microDollars
        do throws(AgentError) {
            let entries = stories.enumerated().map { $1.promptInput(id: "s\($0 + 1)") }
            let question = PromptQuestion(
                step: "judge", stage: "judge", prompt: prompt, input: ["stories": .array(entries)],
                expectedCharacters: 45 * Double(stories.count), userMessage: "We could not judge these stories.")
            let answer = try await models.ask(question, in: context)
            let given = Self.levels(of: stories, in: answer.content)
            levels = given.map { .record(.storyImpact($0)) }
            // A story that the answer leaves out is not asked about again on the day.
            let answered = Set(given.map(\.story))
            day.failed += stories.filter { !answered.contains($0.key) }.map(\.version)
        } catch {
            guard case .failed(let failure) = error else { throw error }
            problem = failure.error.message
            effects = failure.effects
            // A provider that is away, or a limit of the day: the next run goes on.
            stops = failure.isTransient || !Self.faultsOfStories.contains(failure.error.code)
            if !stops { day.failed += stories.map(\.version) }
        }
        day.microDollars +=
            await context.journal.microDollars - before
            + effects.modelCalls.reduce(0) { $0 + $1.costMicroDollars }
        let output: JSON = [
            "judged": JSON(levels.count), "problem": JSON(problem), "stops": JSON(stops), "day": day.json,
        ]
        let all = effects + levels + [.record(.document(day.document(at: now())))]
        let input = JSON(stories.map(\.version))
        let entry = try await context.journal.step("judged", input: ["stories": input]) { (output, all) }
        day = DaySpend(entry.output["day"] ?? [:])
        return entry.output
    }

    /// The levels of an answer, each at most two from the rule's; of a story named twice, the first.
    private static func levels(of stories: [StoryToRate], in answer: JSON) -> [StoryImpactRating] {
        let given = Dictionary(
            (answer["impacts"]?.array ?? []).compactMap { entry -> (String, ImpactLevel)? in
                guard let id = entry["id"]?.string, let word = entry["impact"]?.string,
                    let level = ImpactLevel(rawValue: word)
                else { return nil }
                return (id, level)
            }
        ) { first, _ in first }
        return stories.enumerated().compactMap { place, story in
            guard let level = given["s\(place + 1)"] else { return nil }
            let rule = ImpactLevel.byRule(titles: story.titles, publishers: story.publishers).rank
            let rank = min(max(level.rank, rule - mostLevelsApart), rule + mostLevelsApart)
            return StoryImpactRating(
                story: story.key, impact: ImpactLevel.allCases.first { $0.rank == rank } ?? level,
                articles: story.articles)
        }
    }
}

/// A story as the model gets it.
private struct StoryToRate: Sendable {
    /// Articles whose headlines the model reads.
    static let mostArticles = 4
    private static let longestTitle = 220

    var key: String
    /// The articles of the story when it was chosen.
    var articles: Int
    var publishers: Int
    /// Never empty.
    var titles: [String]

    /// The story and the number of its articles: it is tried once on a day.
    var version: String { "\(key)/\(articles)" }

    static func version(of story: NewsStory) -> String { "\(story.key)/\(story.members.count)" }

    init?(_ group: NewsStoryGroup, articles known: [String: NewsArticle]) {
        let shown = group.shownArticles.prefix(Self.mostArticles).compactMap { known[$0] }
        guard !shown.isEmpty else { return nil }
        (key, articles) = (group.story.key, group.story.members.count)
        publishers = Set(shown.map { $0.source.lowercased() }.filter { !$0.isEmpty }).count
        var seen: Set<String> = []
        titles = shown.map { String($0.title.prefix(Self.longestTitle)) }.filter { seen.insert($0).inserted }
    }

    init?(_ json: JSON) {
        let given = json["titles"]?.array?.compactMap(\.string) ?? []
        guard let key = json["key"]?.string, !given.isEmpty else { return nil }
        self.key = key
        titles = given
        articles = Int(json["articles"]?.integer ?? 1)
        publishers = Int(json["publishers"]?.integer ?? 1)
    }

    var json: JSON {
        [
            "key": JSON(key), "articles": JSON(articles), "publishers": JSON(publishers), "titles": JSON(titles),
        ]
    }

    func promptInput(id: String) -> JSON {
        var input: JSON = ["id": JSON(id), "name": JSON(titles.first), "publishers": JSON(publishers)]
        if titles.count > 1 { input["more"] = JSON(Array(titles.dropFirst())) }
        return input
    }
}

/// The number of stories and the budget of `impact`, from `settings` in its file.
struct ImpactSettings: Sendable, Hashable {
    /// The most stories that one run judges.
    var stories = 120
    var perCall = 20
    /// What the model calls of a UTC day may cost, in micro-dollars. A call that was begun is finished.
    var microDollarsPerDay: Int64 = 1_000_000
    /// Stories of a day that are considered, those of the highest impact by rule first.
    let mostPerDay = 500

    /// JSON Schema of the settings.
    static let schema: JSON = [
        "type": "object",
        "properties": [
            "stories": ["type": "integer", "minimum": 1, "maximum": 500],
            "stories_per_call": ["type": "integer", "minimum": 1, "maximum": 40],
            "dollars_per_day": ["type": "number", "minimum": 0, "maximum": 10_000],
        ],
        "additionalProperties": false,
    ]

    /// Reads settings that passed their schema.
    init(_ settings: JSON) {
        stories = settings["stories"]?.integer.map(Int.init) ?? stories
        perCall = settings["stories_per_call"]?.integer.map(Int.init) ?? perCall
        microDollarsPerDay =
            settings["dollars_per_day"]?.double.map { Int64(($0 * 1_000_000).rounded()) } ?? microDollarsPerDay
    }
}
