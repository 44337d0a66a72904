import SQLSupport
package import JobQueue

extension PostgresStore: StoryRepository {
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
        return try await ask(.storyGroupList) { parameters in
            parameters.add(day)
            parameters.add(texts: tickers)
            parameters.add(Int64(limit))
        } read: { rows in
            try rows.map { try NewsStoryGroup(&$0) }
        }
    }

    package func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup? {
        try await ask(.storyGroupGet) {
            $0.add(id)
        } read: { rows in
            try rows.first { try NewsStoryGroup(&$0) }
        }
    }

    package func globalGroup(ofStory key: String) async throws(StoreError) -> Int64? {
        try Texts.rejectNUL([("story.key", key)])
        return try await ask(.storyGroupGlobal) {
            $0.add(key)
        } read: { rows in
            rows.first { $0.integer() }
        }
    }

    package func stories(on day: String) async throws(StoreError) -> [NewsStory] {
        try Texts.rejectNUL([("story.day", day)])
        return try await ask(.storyList) {
            $0.add(day)
        } read: { rows in
            try rows.map { try NewsStory(&$0) }
        }
    }
}

extension PostgresStore: NewsSourceRepository {
    package func newsSources(_ names: [String]) async throws(StoreError) -> [NewsSourceState] {
        guard !names.isEmpty else { return [] }
        try Texts.rejectNUL(names.map { ("news_source.source", $0) })
        return try await ask(.newsSourceList) {
            $0.add(texts: names)
        } read: { rows in
            rows.map { NewsSourceState(&$0) }
        }
    }
}
