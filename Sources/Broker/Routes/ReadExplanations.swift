internal import Feeds
internal import JSON
internal import Records

/// Explanations of stories for feeds.
struct ReadExplanations: FeedExplanations {
    let records: any ExplanationRepository

    func explanations(
        of groups: [NewsStoryGroup], holdings: [String]
    ) async throws(RecordsError) -> [Int64: JSON] {
        let keys = groups.map { ExplanationKey(story: $0.story.key, version: "") }
        if keys.isEmpty { return [:] }
        var found: [String: JSON] = [:]
        for one in try await records.explanations(keys) { found[one.story] = try? JSON(parsing: one.body) }
        return Dictionary(groups.compactMap { group in found[group.story.key].map { (group.id, $0) } }) { first, _ in
            first
        }
    }
}
