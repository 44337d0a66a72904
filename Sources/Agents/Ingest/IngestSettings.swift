internal import Articles
internal import DataSources
internal import JSON
internal import Observability

/// Where news come from and how long they count, as `settings` in `jobs/ingest.yaml` and a job's input say.
struct IngestSettings: Sendable, Hashable {
    struct FeedInput: Sendable, Hashable {
        var url: String
        var category: String?
        /// What the publication is called; else the feed's own title.
        var source: String?
        /// How many new articles' pages are read at most in one run, where the feed has not their texts.
        var pages = 0
    }

    var feeds: [FeedInput] = []
    /// Categories of NewsAPI's top headlines.
    var categories: [String] = []
    /// Two letters.
    var country = "us"
    /// Questions to NewsAPI's `everything`.
    var searches: [String] = []
    /// Symbols whose news FMP is asked for.
    var tickers: [String] = []
    /// How many symbols that users hold are asked for beside them, those of most users first.
    var heldTickers = 0
    /// How old an article may be when it arrives to count among the day's stories, in milliseconds.
    var storyAge: Int64 = 72 * 3_600_000
    /// How long articles and stories are kept, in milliseconds.
    var kept: Int64 = 30 * 86_400_000
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

    /// `settings` and `input` passed their schemas. An input that names sources takes the place of all sources.
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
        storyAge = settings["story_hours"]?.integer.map { $0 * 3_600_000 } ?? storyAge
        kept = settings["keep_days"]?.integer.map { $0 * 86_400_000 } ?? kept
        day = input["date"]?.string
    }

    /// The day for which a job at a moment works, and the moment by which articles' ages are judged: now, or the end of
    /// the day that was asked for.
    func calendar(at now: Int64) -> (day: String, judged: Int64) {
        guard let day, let start = PublishedDate(day)?.secondsSinceEpoch else {
            return (.day(of: now), now)
        }
        return (day, min(now, (start + 86_400) * 1000 - 1))
    }
}

extension String {
    /// The day (`2026-11-21`, UTC) on which a moment lies, in milliseconds since 1970.
    static func day(of timestamp: Int64) -> String { String(ISO8601.text(milliseconds: timestamp).prefix(10)) }
}
