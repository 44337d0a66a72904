internal import Feeds
internal import JSON
internal import Records

extension Explanations: FeedExplanations {
    func explanations(
        of groups: [NewsStoryGroup], holdings: [String]
    ) async throws(RecordsError) -> [Int64: JSON] {
        if groups.isEmpty { return [:] }
        return try await explanations(of: groups.map { Shown($0) }, holdings: holdings).mapValues(\.body)
    }
}
