internal import DossierAPI
internal import News
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/v1/feed`, `/v1/personalized-feed`, `/v1/feed/story-groups` and `/v1/brief/latest`.
///
/// Each is read in a few questions, whatever its length. None waits for a model: an explanation that is not written yet
/// is null, and asked for.
struct FeedRoutes: Sendable {
    static let limits = 1...100
    static let groupLimits = 0...50

    let records: any BrokerRecords
    let explanations: Explanations
    let now: @Sendable () -> Int64

    func general(_ call: Call) async throws(APIError) -> Reply {
        let limit = try call.queryInteger("limit", in: Self.limits, default: 20)
        let cursor = try call.feedCursor(streams: 1)
        do {
            let page = try await GeneralFeed(records).page(limit: limit, after: cursor, now: now())
            return Reply(Self.json(page.items.map(\.json), page.next))
        } catch {
            throw APIError(error)
        }
    }

    func personalized(_ call: Call) async throws(APIError) -> Reply {
        let limit = try call.queryInteger("limit", in: Self.limits, default: 50)
        let cursor = try call.feedCursor(streams: 2)
        do {
            let page = try await PersonalFeed(records, explanations: explanations).page(
                for: call.user.rawValue, limit: limit, after: cursor, now: now())
            return Reply(Self.json(page.items.map(\.json), page.next))
        } catch {
            throw APIError(error)
        }
    }

    func storyGroups(_ call: Call) async throws(APIError) -> Reply {
        let date = call.request.query("date") ?? FeedTimestamp.date(now())
        guard FeedTimestamp.start(ofDate: date) != nil else {
            throw .invalid("date", "must be a day as in 2026-01-04")
        }
        let question = StoryGroupsFeed.Question(
            user: call.user.rawValue, date: date,
            globalLimit: try call.queryInteger("limit_global", in: Self.groupLimits, default: 5),
            tickerLimit: try call.queryInteger("limit_per_ticker", in: Self.groupLimits, default: 3))
        do {
            let feed = StoryGroupsFeed(records, explanations: explanations)
            return Reply(try await feed.answer(question, now: now()))
        } catch {
            throw APIError(error)
        }
    }

    /// The user's own brief when it is as late as everybody's, else everybody's.
    func latestBrief(_ call: Call) async throws(APIError) -> Reply {
        let briefs: [Brief]
        do {
            briefs = try await records.briefs(of: [call.user.rawValue, Brief.everybody])
        } catch {
            throw APIError(error)
        }
        let latest = briefs.max { ($0.generatedAt, $0.user) < ($1.generatedAt, $1.user) }
        return Reply([
            "items": latest.flatMap { try? JSON(parsing: $0.items) } ?? [],
            "generated_at": JSON(latest.map { FeedTimestamp.milliseconds($0.generatedAt) }),
        ])
    }

    private static func json(_ items: [JSON], _ next: FeedCursor?) -> JSON {
        ["items": .array(items), "next_cursor": JSON(next?.text)]
    }
}

extension Call {
    /// Where the page begins, from the query.
    fileprivate func feedCursor(streams: Int) throws(APIError) -> FeedCursor? {
        guard let text = request.query("cursor"), !text.isEmpty else { return nil }
        guard let cursor = FeedCursor(text, streams: streams) else {
            throw .invalid("cursor", "is not one that this feed has given")
        }
        return cursor
    }
}
