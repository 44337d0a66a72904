package import JobQueue
package import JSON

/// Reads `/v1/feed/story-groups`: a day's common stories, those of each holding, and both in one list.
package struct StoryGroupsFeed: Sendable {
    private let records: any FeedRecords
    private let explanations: any FeedExplanations

    package init(_ records: any FeedRecords, explanations: any FeedExplanations) {
        self.records = records
        self.explanations = explanations
    }

    /// The request.
    package struct Question: Sendable, Hashable {
        package var user: UserID
        package var day: ReaderDay
        package var globalLimit: Int
        package var tickerLimit: Int

        package init(user: UserID, day: ReaderDay, globalLimit: Int, tickerLimit: Int) {
            self.user = user
            self.day = day
            self.globalLimit = globalLimit
            self.tickerLimit = tickerLimit
        }
    }

    /// The answer as the news documents print it.
    package func answer(_ question: Question, now: Timestamp) async throws(StoreError) -> JSON {
        let tickers = try await records.preferences(of: question.user).holdings.map(\.ticker)
        let global = try await groups(of: question.day, limit: question.globalLimit) { day, limit throws(StoreError) in
            try await records.globalGroups(on: day, limit: limit)
        }
        var held: [NewsStoryGroup] = []
        if !tickers.isEmpty {
            held = try await groups(of: question.day, limit: question.tickerLimit) { day, limit throws(StoreError) in
                try await records.tickerGroups(on: day, tickers: tickers, limit: limit)
            }
        }
        let explained = try await explanations.explanations(
            of: held + global, for: question.user, holdings: tickers)
        func resource(_ group: NewsStoryGroup) -> StoryGroupResource {
            StoryGroupResource(group, on: question.day, explanation: explained[group.id])
        }
        var byTicker: JSONObject = [:]
        for ticker in tickers {
            let groups = held.filter { $0.ticker == ticker }
            if !groups.isEmpty { byTicker[ticker] = .array(groups.map { resource($0).json() }) }
        }
        let groups = Dictionary((held + global).map { ($0.id, $0) }) { first, _ in first }
        var groupsOfTicker: [TickerSymbol: [StoryGroup]] = [:]
        for group in held.map(StoryGroup.init) {
            if let ticker = group.primaryTicker { groupsOfTicker[ticker, default: []].append(group) }
        }
        let merged = MergedFeed.merge(
            global: global.map(StoryGroup.init), byTicker: groupsOfTicker,
            holdings: tickers.compactMap { TickerSymbol($0) })
        return [
            "date": JSON(question.day.date), "user_id": JSON(question.user.rawValue), "user_holdings": JSON(tickers),
            "generated_at": JSON(FeedTimestamp.milliseconds(now)),
            "global": .array(global.map { resource($0).json() }), "by_ticker": .object(byTicker),
            "merged_feed": .array(
                merged.compactMap { item in
                    groups[item.group.id].map { resource($0).json(rankReason: item.reason) }
                }),
        ]
    }
}

extension StoryGroupsFeed {
    /// Groups of a day in UTC that are read where the reader's day is in two of them.
    private static let mostRead = 60

    /// The best groups of a reader's day, at most `limit` of each ticker, the best first. Where the day is none of
    /// UTC's, those stories of two days count that got an article on it.
    private func groups(
        of day: ReaderDay, limit: Int, _ read: (String, Int) async throws(StoreError) -> [NewsStoryGroup]
    ) async throws(StoreError) -> [NewsStoryGroup] {
        guard limit > 0 else { return [] }
        let days = day.storyDays
        if days.count == 1, let only = days.first { return try await read(only, limit) }
        var found: [NewsStoryGroup] = []
        for one in days { found += try await read(one, max(limit, Self.mostRead)) }
        let ranked = found.filter { day.includes($0.story) }.sorted { left, right in
            let (a, b) = (left.story, right.story)
            return (a.impact.rank, a.updatedAt, left.id) > (b.impact.rank, b.updatedAt, right.id)
        }
        var counts: [String?: Int] = [:]
        return ranked.filter { group in
            counts[group.ticker, default: 0] += 1
            return counts[group.ticker, default: 0] <= limit
        }
    }
}

/// A group of a story as `/v1/feed/story-groups` prints it.
package struct StoryGroupResource: Sendable, Hashable {
    package let group: NewsStoryGroup
    private let day: ReaderDay
    private let explanation: JSON?

    /// The version of the prompts by which explanations are written.
    package static let modelVersion = "v1.0"
    /// The version of the rules by which stories are grouped and ranked.
    package static let pipelineVersion = "v1.0"

    package init(_ group: NewsStoryGroup, on day: ReaderDay, explanation: JSON?) {
        self.group = group
        self.day = day
        self.explanation = explanation
    }

    /// The group; with a reason as a part of the merged feed.
    package func json(rankReason: String? = nil) -> JSON {
        let story = group.story
        var body: JSONObject = [
            "id": JSON(group.id), "scope": JSON((group.ticker == nil ? StoryScope.global : .ticker).rawValue),
            "primary_ticker": JSON(group.ticker),
            "group_title": JSON(story.title), "impact_level": JSON(story.impact.rawValue),
        ]
        if let rankReason { body["rank_reason"] = JSON(rankReason) }
        body["confidence_level"] = JSON(story.confidence.rawValue)
        body["judged_by"] = JSON(story.ratedBy)
        body["article_count"] = JSON(story.members.count)
        body["model_version"] = JSON(Self.modelVersion)
        body["pipeline_version"] = JSON(Self.pipelineVersion)
        // The reader's day, which near midnight is another one than UTC's, by which the story is kept.
        body["date_bucket"] = JSON(day.date)
        body["created_at"] = JSON(FeedTimestamp.database(story.createdAt))
        body["updated_at"] = JSON(FeedTimestamp.database(story.updatedAt))
        body["explanation"] = Self.explanation(explanation)
        body["articles"] = .array(
            story.membersBySimilarity.map { article in
                [
                    "article_id": JSON(article.url),
                    "similarity_score": JSON(Double(article.similarity) / 10_000),
                    "added_at": JSON(FeedTimestamp.database(article.addedAt)),
                ]
            })
        body["related_tickers"] = .array(
            story.tickers.filter { $0.symbol != group.ticker }.map { ticker in
                let relationship: TickerRelationship = ticker.isSubject ? .subject : .mentioned
                return ["ticker": JSON(ticker.symbol), "relationship_type": JSON(relationship.rawValue)]
            })
        return .object(body)
    }

    /// The members that every explanation has; all null, and no sources, where there is none yet.
    private static func explanation(_ written: JSON?) -> JSON {
        var body: JSONObject = [:]
        for name in ["what_happened", "why_it_happened", "why_it_matters_now", "what_to_watch_next"] {
            body[name] = written?[name] ?? .null
        }
        body["what_this_does_not_mean"] = written?["what_this_does_not_mean"] ?? .null
        body["sources_summary"] = written?["sources_summary"] ?? []
        for name in ["cause_confidence", "cause_reason", "decision_reasoning", "for_your_holdings"] {
            body[name] = written?[name] ?? .null
        }
        body["not_known_yet"] = written?["not_known_yet"] ?? []
        return .object(body)
    }
}

extension StoryGroup {
    /// A group as stored.
    init(_ group: NewsStoryGroup) {
        let story = group.story
        self.init(
            id: group.id, story: StoryID(story.key), scope: group.ticker == nil ? .global : .ticker,
            primaryTicker: group.ticker.flatMap { TickerSymbol($0) }, title: story.title, impact: story.impact,
            confidence: story.confidence,
            articles: story.membersBySimilarity.map {
                .init(url: $0.url, similarity: Double($0.similarity) / 10_000, addedAt: $0.addedAt.milliseconds)
            },
            relatedTickers: story.tickers.compactMap { ticker in
                TickerSymbol(ticker.symbol).map {
                    .init(ticker: $0, relationship: ticker.isSubject ? .subject : .mentioned)
                }
            }, createdAt: story.createdAt.milliseconds, updatedAt: story.updatedAt.milliseconds)
    }
}
