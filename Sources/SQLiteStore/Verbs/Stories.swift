import SQLSupport
internal import JSON
package import JobQueue

extension SQLiteStore: StoryRepository {
    package func globalGroups(on day: String, limit: Int) async throws(StoreError) -> [NewsStoryGroup] {
        try await groups(on: day, of: [""], limit: limit)
    }

    package func tickerGroups(
        on day: String, tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup] {
        let tickers = tickers.wantedTickers
        return tickers.isEmpty ? [] : try await groups(on: day, of: tickers, limit: limit)
    }

    private func groups(
        on day: String, of tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup] {
        try Texts.rejectNUL([("story.day", day)] + tickers.map { ("story.tickers", $0) })
        return try await ask { database in
            try database.all(.storyGroupList, .text(day), .list(tickers), .integer(limit)) { try NewsStoryGroup(&$0) }
        }
    }

    package func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup? {
        try await ask { try $0.first(.storyGroupGet, .integer(id)) { try NewsStoryGroup(&$0) } }
    }

    package func globalGroup(ofStory key: String) async throws(StoreError) -> Int64? {
        try Texts.rejectNUL([("story.key", key)])
        return try await ask { try $0.first(.storyGroupGlobal, .text(key)) { $0.integer() } }
    }

    package func stories(on day: String) async throws(StoreError) -> [NewsStory] {
        try Texts.rejectNUL([("story.day", day)])
        return try await ask { try $0.all(.storyList, .text(day)) { try NewsStory(&$0) } }
    }
}

extension SQLiteStore: NewsSourceRepository {
    package func newsSources(_ names: [String]) async throws(StoreError) -> [NewsSourceState] {
        guard !names.isEmpty else { return [] }
        try Texts.rejectNUL(names.map { ("news_source.source", $0) })
        return try await ask { try $0.all(.newsSourceList, .list(names)) { NewsSourceState(&$0) } }
    }
}

extension SQLiteConnection {
    /// Stores a story as it now is, and takes the articles and the place in lists of those that it absorbed.
    func put(_ story: NewsStory) throws {
        let number = try first(
            .storyPut, .text(story.key), .text(story.day), .text(story.title), .integer(story.impact.rank),
            .text(story.confidence.rawValue), .text(story.storedTickers.compact), .integer(story.createdAt),
            .integer(story.updatedAt)
        ) { $0.integer() }
        if !story.absorbed.isEmpty { try run(.storyAbsorb, .integer(number), .list(story.absorbed)) }
        try run(.storyMembersDrop, .integer(number))
        try run(.storyMembersPut, .integer(number), .text(story.storedMembers.compact))
        try run(.storyGroupsHide, .integer(number))
        try run(.storyGroupsPut, .integer(number), .text(story.day), .list(story.shownTickers))
    }

    func put(_ source: NewsSourceState) throws {
        try run(
            .newsSourcePut, .text(source.source), .text(source.etag), .text(source.lastModified),
            .integer(source.askedAt), .integer(source.failures), .text(source.problem))
    }
}
