package import JSON
package import JobQueue

/// A group of a story as `/v1/feed/story-groups` prints it.
package struct StoryGroupResource: Sendable, Hashable {
    package let group: NewsStoryGroup
    private let explanation: JSON?

    /// The version of the prompts by which explanations are written.
    package static let modelVersion = "v1.0"
    /// The version of the rules by which stories are grouped and ranked.
    package static let pipelineVersion = "v1.0"

    package init(_ group: NewsStoryGroup, explanation: JSON?) {
        self.group = group
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
        body["article_count"] = JSON(story.members.count)
        body["model_version"] = JSON(Self.modelVersion)
        body["pipeline_version"] = JSON(Self.pipelineVersion)
        body["date_bucket"] = JSON(story.day)
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
        for name in ["cause_confidence", "cause_reason", "decision_reasoning"] {
            body[name] = written?[name] ?? .null
        }
        return .object(body)
    }
}
