package import JobQueue
package import JSON

/// The stories of the last days as of the time of the first page.
struct FeedWindows: Sendable {
    /// The number of stories of a day that feeds consider: those of the highest impact.
    static let mostOfDay = 500
    /// Stories of a day about one holding.
    static let mostOfTicker = 50

    let records: any FeedRecords
    /// The time of the first page.
    let begun: Timestamp

    /// The common stories of a window.
    func common(_ window: Int) async throws(StoreError) -> [NewsStoryGroup] {
        var found: [NewsStoryGroup] = []
        for day in days(window) {
            found += try await asBegun(try await records.globalGroups(on: day, limit: Self.mostOfDay), of: day)
        }
        return found
    }

    /// The stories of a window that are about these tickers, each once: as the group of the first such ticker.
    func held(_ window: Int, tickers: [String]) async throws(StoreError) -> [NewsStoryGroup] {
        if tickers.isEmpty { return [] }
        var found: [NewsStoryGroup] = []
        for day in days(window) {
            let groups = try await records.tickerGroups(on: day, tickers: tickers, limit: Self.mostOfTicker)
            found += try await asBegun(groups, of: day)
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0.story.key).inserted }
    }

    /// Window 0 is the day of the first page and the day before, each further one a day.
    private func days(_ window: Int) -> [String] {
        let first = begun.milliseconds / FeedTimestamp.day
        let numbers = window == 0 ? [first, first - 1] : [first - 1 - Int64(window)]
        return numbers.map { FeedTimestamp.date(Timestamp(milliseconds: $0 * FeedTimestamp.day)) }
    }

    /// The groups without later articles, so that none changes its place between pages.
    private func asBegun(_ groups: [NewsStoryGroup], of day: String) async throws(StoreError) -> [NewsStoryGroup] {
        let present = groups.filter { $0.story.createdAt <= begun }
        guard present.contains(where: { $0.story.updatedAt > begun }) else { return present }
        let articles = try await records.arrivals(on: day)
        let known = Dictionary(articles.map { ($0.id, $0) }) { first, _ in first }
        return present.map { $0.story.updatedAt > begun ? $0.asOf(begun, articles: known) : $0 }
    }
}

extension NewsStoryGroup {
    /// The group as of an earlier time, computed from the articles of that time.
    fileprivate func asOf(_ timestamp: Timestamp, articles: [String: NewsArticle]) -> NewsStoryGroup {
        let then = story.members.filter { $0.addedAt <= timestamp }
        let members = then.compactMap { member in
            articles[member.article].map {
                Story.Member(article: $0.storyArticle, similarity: Double(member.similarity) / 10_000)
            }
        }
        guard !members.isEmpty else { return self }
        var copy = self
        let profile = StoryProfile(of: Story(id: StoryID(story.key), members: members))
        copy.story.members = then
        copy.story.title = profile.title
        // A model judged the story and not its present articles.
        if story.ratedArticles == nil { copy.story.impact = profile.impact }
        return copy
    }
}

extension NewsArticle {
    fileprivate var storyArticle: News.StoryArticle {
        News.StoryArticle(
            id: id, title: title, description: description, url: url, source: source,
            publishedAt: publishedAt.milliseconds)
    }
}

/// All that feeds are read from, but explanations.
package typealias FeedRecords = StoryRepository & ArticleRepository & PreferencesRepository & ArticleSignalRepository

/// Finds explanations of stories, and requests missing ones.
package protocol FeedExplanations: Sendable {
    /// The explanations of stories for a user's holdings, else the common ones, by the number of the group. An
    /// explanation not written yet is missing and requested: this waits for no model and costs the user no credit, but
    /// counts against the work for all users that the user's reading may set off.
    func explanations(
        of groups: [NewsStoryGroup], for user: UserID, holdings: [String]
    ) async throws(StoreError) -> [Int64: JSON]
}
