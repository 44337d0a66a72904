internal import JobQueue
public import Records

extension PostgresStore: StoryRepository {
    public func globalGroups(on day: String, limit: Int) async throws(RecordsError) -> [NewsStoryGroup] {
        try await groups(on: day, of: [""], limit: limit)
    }

    public func tickerGroups(
        on day: String, tickers: [String], limit: Int
    ) async throws(RecordsError) -> [NewsStoryGroup] {
        let tickers = tickers.wantedTickers
        return tickers.isEmpty ? [] : try await groups(on: day, of: tickers, limit: limit)
    }

    private func groups(
        on day: String, of tickers: [String], limit: Int
    ) async throws(RecordsError) -> [NewsStoryGroup] {
        try Texts.refuseNUL(inRecord: [("story.day", day)] + tickers.map { ("story.tickers", $0) })
        return try await ask(.storyGroupList) { parameters in
            parameters.add(day)
            parameters.add(texts: tickers)
            parameters.add(Int64(limit))
        } read: { rows in
            try rows.map { try NewsStoryGroup(&$0) }
        }
    }

    public func storyGroup(id: Int64) async throws(RecordsError) -> NewsStoryGroup? {
        try await ask(.storyGroupGet) {
            $0.add(id)
        } read: { rows in
            try rows.first { try NewsStoryGroup(&$0) }
        }
    }

    public func globalGroup(ofStory key: String) async throws(RecordsError) -> Int64? {
        try Texts.refuseNUL(inRecord: [("story.key", key)])
        return try await ask(.storyGroupGlobal) {
            $0.add(key)
        } read: { rows in
            rows.first { $0.integer() }
        }
    }

    public func stories(on day: String) async throws(RecordsError) -> [NewsStory] {
        try Texts.refuseNUL(inRecord: [("story.day", day)])
        return try await ask(.storyList) {
            $0.add(day)
        } read: { rows in
            try rows.map { try NewsStory(&$0) }
        }
    }
}

extension PostgresStore: NewsSourceRepository {
    public func newsSources(_ names: [String]) async throws(RecordsError) -> [NewsSourceState] {
        guard !names.isEmpty else { return [] }
        try Texts.refuseNUL(inRecord: names.map { ("news_source.source", $0) })
        return try await ask(.newsSourceList) {
            $0.add(texts: names)
        } read: { rows in
            rows.map { NewsSourceState(&$0) }
        }
    }
}
