internal import Articles
internal import DataSources
internal import JobQueue
internal import JSON
internal import Observability

/// The sources of news and the time for which news count, from `settings` in `jobs/ingest.yaml` and a job's input.
struct IngestSettings: Sendable, Hashable {
    struct FeedInput: Sendable, Hashable {
        var url: String
        var category: String?
        /// The name of the publication; `nil` for the feed's own title.
        var source: String?
        /// The largest number of new articles whose pages one run reads, where the feed lacks their texts.
        var pages = 0
    }

    var feeds: [FeedInput] = []
    /// Categories of NewsAPI's top headlines.
    var categories: [String] = []
    /// Two letters.
    var country = "us"
    /// Queries to NewsAPI's `everything`.
    var searches: [String] = []
    /// Symbols whose news is requested from FMP.
    var tickers: [String] = []
    /// The number of held symbols that are added, those of most users first.
    var heldTickers = 0
    /// The largest age at arrival of an article that joins the day's stories.
    var storyAge: Duration = .seconds(72 * 3600)
    /// The time for which articles and stories are kept.
    var kept: Duration = .seconds(30 * 86_400)
    /// The day that the job is for; `nil` for the day on which it runs.
    var day: String?

    private static let words = NewsAPIClient.Category.allCases.map(\.rawValue)

    /// JSON Schema of the settings.
    static let schema: JSON = [
        "type": "object",
        "properties": [
            "feeds": [
                "type": "array", "maxItems": 500,
                "items": [
                    "type": "object",
                    "properties": [
                        "url": ["type": "string", "minLength": 1, "maxLength": 2048, "pattern": "^https?://"],
                        "category": ["enum": JSON(words)],
                        "source": ["type": "string", "minLength": 1, "maxLength": 200],
                        "pages": ["type": "integer", "minimum": 0, "maximum": 50],
                    ],
                    "required": ["url"], "additionalProperties": false,
                ],
            ],
            "categories": ["type": "array", "maxItems": 7, "items": ["enum": JSON(words)]],
            "country": ["type": "string", "pattern": "^[a-z]{2}$"],
            "searches": [
                "type": "array", "maxItems": 50, "items": ["type": "string", "minLength": 1, "maxLength": 500],
            ],
            "tickers": [
                "type": "array", "maxItems": 500, "items": ["type": "string", "minLength": 1, "maxLength": 12],
            ],
            "held_tickers": ["type": "integer", "minimum": 0, "maximum": 500],
            "story_hours": ["type": "integer", "minimum": 1, "maximum": 720],
            "keep_days": ["type": "integer", "minimum": 2, "maximum": 3650],
        ],
        "additionalProperties": false,
    ]

    init() {}

    /// Reads settings and an input that passed their schemas. An input that names sources replaces all sources.
    init(_ settings: JSON, input: JSON) {
        let names = ["feeds", "categories", "tickers"]
        let sources = names.contains { input[$0] != nil } ? input : settings
        feeds = (sources["feeds"]?.array ?? []).compactMap { feed in
            guard let url = feed.string ?? feed["url"]?.string else { return nil }
            return FeedInput(
                url: url, category: feed["category"]?.string, source: feed["source"]?.string,
                pages: Int(feed["pages"]?.integer ?? 0))
        }
        categories = (sources["categories"]?.array ?? []).compactMap(\.string)
        searches = (sources["searches"]?.array ?? []).compactMap(\.string)
        tickers = (sources["tickers"]?.array ?? []).compactMap(\.string)
        heldTickers = Int(sources["held_tickers"]?.integer ?? 0)
        country = settings["country"]?.string ?? country
        storyAge = settings["story_hours"]?.integer.map { .seconds($0 * 3600) } ?? storyAge
        kept = settings["keep_days"]?.integer.map { .seconds($0 * 86_400) } ?? kept
        day = input["date"]?.string
    }

    /// The day of a job that runs now, and the time from which articles' ages are counted: now, or the end of the day
    /// that was asked for.
    func calendar(at now: Timestamp) -> (day: String, asOf: Timestamp) {
        guard let day, let start = PublishedDate(day)?.secondsSinceEpoch else {
            return (.day(of: now), now)
        }
        return (day, min(now, Timestamp(milliseconds: (start + 86_400) * 1000 - 1)))
    }
}

extension String {
    /// The day (`2026-11-21`, UTC) of a timestamp.
    static func day(of timestamp: Timestamp) -> String { String(timestamp.iso8601.prefix(10)) }
}
