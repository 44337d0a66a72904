internal import Basics
internal import DossierAPI
internal import News
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/v1/feed`, `/v1/personalized-feed`, `/v1/feed/story-groups` and `/v1/brief/latest`.
///
/// Each takes a few queries, independent of its length. None waits for a model: a missing explanation is null, and a
/// job for it is queued.
struct FeedRoutes: Sendable {
    static let limits = 1...100
    static let groupLimits = 0...50

    let records: any BrokerRecords
    let explanations: Explanations
    let readers: Readers
    let now: @Sendable () -> Timestamp

    func general(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let limit = try context.queryInteger("limit", in: Self.limits, default: 20)
        let cursor = try context.feedCursor(streams: 1)
        let language = context.header("Accept-Language").flatMap { Language(acceptLanguage: $0) }
        do {
            let page = try await GeneralFeed(records).page(
                for: context.user, limit: limit, after: cursor, now: now(), in: language)
            return APIResponse(Self.json(page.items.map(\.json), page.next))
        } catch {
            throw APIError(error)
        }
    }

    func personalized(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let limit = try context.queryInteger("limit", in: Self.limits, default: 50)
        let cursor = try context.feedCursor(streams: 2)
        let explanations = explanations.reading(in: try await readers.language(context))
        do {
            let page = try await PersonalFeed(records, explanations: explanations).page(
                for: context.user, limit: limit, after: cursor, now: now())
            return APIResponse(Self.json(page.items.map(\.json), page.next))
        } catch {
            throw APIError(error)
        }
    }

    func storyGroups(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let reader = try await readers.reader(context)
        let date = context.query("date") ?? ReaderDay.date(at: now(), in: reader.zone)
        guard let day = ReaderDay(date, in: reader.zone) else {
            throw .invalid("date", "must be a date such as 2026-01-04")
        }
        let question = StoryGroupsFeed.Question(
            user: context.user, day: day,
            globalLimit: try context.queryInteger("limit_global", in: Self.groupLimits, default: 5),
            tickerLimit: try context.queryInteger("limit_per_ticker", in: Self.groupLimits, default: 3))
        do {
            let feed = StoryGroupsFeed(records, explanations: explanations.reading(in: reader.language))
            return APIResponse(try await feed.answer(question, now: now()))
        } catch {
            throw APIError(error)
        }
    }

    /// The user's own brief, unless the common one is a day newer.
    func latestBrief(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let briefs: [Brief]
        do {
            briefs = try await records.briefs(of: [context.user, Brief.allUsers])
        } catch {
            throw APIError(error)
        }
        // The common brief is written anew in the morning of every zone; a reader's own holds for that reader's day.
        let own = briefs.first { $0.user == context.user }
        let common = briefs.first { $0.user == Brief.allUsers }
        let latest =
            own.map { own in common.map { $0.generatedAt - .seconds(86_400) > own.generatedAt } ?? false } ?? true
            ? common : own
        return APIResponse(latest?.json ?? ["items": [], "generated_at": .null])
    }

    private static func json(_ items: [JSON], _ next: FeedCursor?) -> JSON {
        ["items": .array(items), "next_cursor": JSON(next?.text)]
    }
}

extension Brief {
    var json: JSON {
        [
            "items": (try? JSON(parsing: items)) ?? [],
            "generated_at": JSON(FeedTimestamp.milliseconds(generatedAt)),
        ]
    }
}

extension RequestContext {
    /// The query's cursor, after which the page begins.
    fileprivate func feedCursor(streams: Int) throws(APIError) -> FeedCursor? {
        // As it came: what is left of a cursor without its harmful characters may be another one.
        guard let text = request.query("cursor"), !text.isEmpty else { return nil }
        guard let cursor = FeedCursor(text, streams: streams) else {
            throw .invalid("cursor", "is not a cursor of this feed")
        }
        return cursor
    }
}
