package import JobQueue
package import JSON

extension RecordDatabase {
    package func globalGroups(on day: String, limit: Int) async throws(StoreError) -> [NewsStoryGroup] {
        try await groups(on: day, of: [""], limit: limit)
    }

    package func tickerGroups(
        on day: String, tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup] {
        // The common group has an empty ticker.
        var seen: Set<String> = [""]
        let tickers = tickers.filter { seen.insert($0).inserted }
        return tickers.isEmpty ? [] : try await groups(on: day, of: tickers, limit: limit)
    }

    private func groups(
        on day: String, of tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup] {
        try await all(
            .storyGroupList, .text(day, of: "story.day"), .texts(tickers, of: "story.tickers"), .integer(limit)
        ) { try NewsStoryGroup(&$0) }
    }

    package func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup? {
        try await first(.storyGroupGet, .integer(id)) { try NewsStoryGroup(&$0) }
    }

    package func globalGroup(ofStory key: String) async throws(StoreError) -> Int64? {
        try await first(.storyGroupGlobal, .text(key, of: "story.key")) { $0.integer() }
    }

    package func stories(on day: String) async throws(StoreError) -> [NewsStory] {
        try await all(.storyList, .text(day, of: "story.day")) { try NewsStory(&$0) }
    }

    package func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation] {
        let keys = Set(keys)
        return try await all(
            .explanationGet, .texts(keys.map(\.story), of: "explanation.story"),
            .texts(keys.map(\.holdingsText), of: "explanation.holdings"),
            .texts(keys.map(\.version), of: "explanation.version")
        ) { StoryExplanation(&$0) }
    }

    package func deleteExplanations(createdBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.explanationDelete, .timestamp(timestamp), .integer(limit)) { $0.int() }.first ?? 0
    }
}

extension NewsStory {
    /// Reads the columns of the view `story_record`, in their order.
    fileprivate init(_ row: inout some StoredRow) throws(StoreError) {
        row.skip()
        let (key, day, title, rank, word) = (row.text(), row.text(), row.text(), row.int(), row.text())
        guard let impact = ImpactLevel.allCases.first(where: { $0.rank == rank }),
            let confidence = ConfidenceLevel(rawValue: word)
        else { throw .unexpected(reason: "a story of impact \(rank) and confidence '\(word)'") }
        let (tickers, members, absorbed) = (row.list(), row.list(), row.list())
        let (absorbedKeys, createdAt, updatedAt) = (absorbed.compactMap(\.string), row.timestamp(), row.timestamp())
        row.skip()
        self.init(
            key: key, day: day, title: title, impact: impact, confidence: confidence,
            tickers: tickers.map {
                StoryTicker(symbol: $0["symbol"]?.string ?? "", isSubject: $0["is_subject"]?.bool ?? false)
            },
            members: members.map {
                StoryMember(
                    article: $0[0]?.string ?? "", url: $0[1]?.string ?? "", similarity: Int($0[2]?.integer ?? 0),
                    addedAt: Timestamp(milliseconds: $0[3]?.integer ?? 0))
            },
            absorbed: absorbedKeys, createdAt: createdAt, updatedAt: updatedAt,
            ratedArticles: row.integerIfAny().map { Int($0) })
    }

    /// The tickers in the form in which both stores keep them.
    package var storedTickers: JSON {
        .array(tickers.map { ["symbol": JSON($0.symbol), "is_subject": JSON($0.isSubject)] })
    }

    /// The members as lists of article, address, similarity and time.
    package var storedMembers: JSON {
        .array(members.map { [JSON($0.article), JSON($0.url), JSON($0.similarity), JSON($0.addedAt.milliseconds)] })
    }

    /// The tickers of the groups that show the story: none for the common group, and its subjects.
    package var shownTickers: [String] { [""] + tickers.filter(\.isSubject).map(\.symbol) }
}

extension NewsStoryGroup {
    /// Reads a group's number, its ticker, the number that it was merged into, and the story.
    fileprivate init(_ row: inout some StoredRow) throws(StoreError) {
        let (id, ticker, mergedInto) = (row.integer(), row.text(), row.integerIfAny())
        self.init(id: id, ticker: ticker.isEmpty ? nil : ticker, story: try NewsStory(&row), mergedInto: mergedInto)
    }
}

extension StoryExplanation {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            story: row.text(), version: row.text(), holdings: row.text(), body: row.text(), provenance: row.text(),
            createdAt: row.timestamp())
    }
}

extension StoredRow {
    fileprivate mutating func list() -> [JSON] { (try? JSON(parsing: text()))?.array ?? [] }
}
