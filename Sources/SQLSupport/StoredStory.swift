package import JobQueue
package import JSON

extension NewsStory {
    /// Reads the columns of the view `story_record`, in their order.
    package init(_ row: inout some StoredRow) throws(StoreError) {
        row.skip()
        let (key, day, title, rank, word) = (row.text(), row.text(), row.text(), row.int(), row.text())
        guard let impact = ImpactLevel.allCases.first(where: { $0.rank == rank }),
            let confidence = ConfidenceLevel(rawValue: word)
        else { throw .unexpected(reason: "a story of impact \(rank) and confidence '\(word)'") }
        let (tickers, members, absorbed) = (row.list(), row.list(), row.list())
        self.init(
            key: key, day: day, title: title, impact: impact, confidence: confidence,
            tickers: tickers.map {
                StoryTicker(symbol: $0["symbol"]?.string ?? "", isSubject: $0["is_subject"]?.bool ?? false)
            },
            members: members.map {
                StoryMember(
                    article: $0[0]?.string ?? "", url: $0[1]?.string ?? "", similarity: Int($0[2]?.integer ?? 0),
                    addedAt: $0[3]?.integer ?? 0)
            },
            absorbed: absorbed.compactMap(\.string), createdAt: row.integer(), updatedAt: row.integer())
    }

    /// The lists of a story as stores keep them.
    package var storedTickers: JSON {
        .array(tickers.map { ["symbol": JSON($0.symbol), "is_subject": JSON($0.isSubject)] })
    }

    package var storedMembers: JSON {
        .array(members.map { [JSON($0.article), JSON($0.url), JSON($0.similarity), JSON($0.addedAt)] })
    }

    /// The tickers of the groups in which the story is shown: none for everybody's, and its subjects.
    package var shownTickers: [String] { [""] + tickers.filter(\.isSubject).map(\.symbol) }
}

extension NewsStoryGroup {
    /// Reads a group's number, its ticker, the number that it was merged into, and the story.
    package init(_ row: inout some StoredRow) throws(StoreError) {
        let (id, ticker, mergedInto) = (row.integer(), row.text(), row.integerIfAny())
        self.init(id: id, ticker: ticker.isEmpty ? nil : ticker, story: try NewsStory(&row), mergedInto: mergedInto)
    }
}

extension StoredRow {
    fileprivate mutating func list() -> [JSON] { (try? JSON(parsing: text()))?.array ?? [] }
}

extension [String] {
    /// The symbols among them, each once.
    package var wantedTickers: [String] {
        var seen: Set<String> = [""]
        return filter { seen.insert($0).inserted }
    }
}
