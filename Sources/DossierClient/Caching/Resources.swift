extension FreshnessPolicy {
    static let minute = FreshnessPolicy(lifetime: .seconds(60))
    static let tenMinutes = FreshnessPolicy(lifetime: .seconds(600))
    static let hour = FreshnessPolicy(lifetime: .seconds(3600))
    static let day = FreshnessPolicy(lifetime: .seconds(86_400))
    static let week = FreshnessPolicy(lifetime: .seconds(7 * 86_400))
}

/// The addresses that several parts of the library name.
enum Paths {
    static let jobs = "/api/v1/jobs"
    static let reports = "/api/v1/research/reports"
    static let credits = "/api/v1/credits"
    static let watchlist = "/api/v1/watchlist"
    static let preferences = "/v1/preferences"
    static let feed = "/v1/feed"
    static let personalizedFeed = "/v1/personalized-feed"
    static let storyGroups = "/v1/feed/story-groups"
    static let latestBrief = "/v1/brief/latest"
    static let conversations = "/api/v1/conversations"
    static let recall = "/api/v1/recall"
    static let recallConcepts = "/api/v1/recall/concepts"
    static let account = "/api/v1/users/me"
    static let export = "/api/v1/users/me/export"
    static let deletions = "/api/v1/deletions"

    static func job(_ id: Job.ID) -> String { "\(jobs)/\(Endpoint.escaped(id.rawValue))" }
    static func recallCard(_ id: RecallCard.ID) -> String { "\(recall)/\(Endpoint.escaped(id.rawValue))" }
    static func article(_ id: Article.ID) -> String { "/api/v1/news/articles/\(Endpoint.escaped(id.rawValue))" }
}

extension Resource where Value == Stock {
    /// Profile, price and head figures of a stock. Fresh for a minute.
    public static func stock(_ ticker: String) -> Self {
        Resource(path: "/api/v1/stocks/\(Endpoint.escaped(ticker))", freshness: .minute)
    }
}

extension Resource where Value == [Fundamentals] {
    /// What a company has reported, the newest period first.
    public static func fundamentals(_ ticker: String, period: FundamentalsPeriod = .annual, limit: Int? = nil) -> Self {
        var query = ["period": period.rawValue]
        query["limit"] = limit.map(String.init)
        return Resource(
            path: "/api/v1/stocks/\(Endpoint.escaped(ticker))/fundamentals", query: query, freshness: .day)
    }
}

/// Which periods of a company are asked for.
public struct FundamentalsPeriod: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Fiscal years.
    public static let annual: FundamentalsPeriod = "annual"
    /// Fiscal quarters.
    public static let quarter: FundamentalsPeriod = "quarter"
    /// The last twelve months.
    public static let ttm: FundamentalsPeriod = "ttm"
    /// All of them.
    public static let all: FundamentalsPeriod = "all"
}

extension Resource where Value == [ListedFiling] {
    /// The filings that a report on a company reads.
    public static func filings(_ ticker: String) -> Self {
        Resource(path: "/api/v1/stocks/\(Endpoint.escaped(ticker))/filings", freshness: .day)
    }
}

extension Resource where Value == FiledText {
    /// The items of a filing that was listed before, and their paragraphs or those of one item.
    public static func filing(_ accession: String, item: String? = nil, from: Int? = nil, limit: Int? = nil) -> Self {
        var query: [String: String] = [:]
        query["item"] = item
        query["from"] = from.map(String.init)
        query["limit"] = limit.map(String.init)
        return Resource(path: "/api/v1/filings/\(Endpoint.escaped(accession))", query: query, freshness: .day)
    }
}

extension Resource where Value == [StockMatch] {
    /// Companies by ticker or name, best matches first.
    public static func stockSearch(_ text: String, limit: Int = 20) -> Self {
        Resource(path: "/api/v1/stocks/search", query: ["q": text, "limit": String(limit)], freshness: .day)
    }
}

extension Resource where Value == [WatchlistItem] {
    /// The stocks that the user watches, the latest first.
    public static var watchlist: Self { Resource(path: Paths.watchlist, isKept: true) }
}

extension Resource where Value == [Persona] {
    /// The investors in whose voice reports are written.
    public static var personas: Self { Resource(path: "/api/v1/personas", freshness: .day, isKept: true) }
}

extension Resource where Value == Report {
    /// A finished report never changes: fresh for seven days and kept. An unfinished one is not stored.
    public static func report(_ id: Job.ID) -> Self {
        Resource(path: "\(Paths.reports)/\(Endpoint.escaped(id.rawValue))", freshness: .week, isKept: true)
    }
}

extension Resource where Value == TrainingResult {
    /// `POST /train-model`: free and the same for everybody until the next bar closes.
    public static func training(_ input: TrainingInput) -> Self {
        .posted("/train-model", input, serverWait: .seconds(30))
    }
}

extension Resource where Value == ForecastQuality {
    /// `POST /forecast-quality`.
    public static func forecastQuality(_ input: ForecastInput) -> Self {
        .posted("/forecast-quality", input, serverWait: .seconds(30))
    }
}

extension Resource where Value == Credits {
    /// Read again after every job that this client sees end.
    public static var credits: Self { Resource(path: Paths.credits, freshness: .minute) }
}

extension Listing where Item == LedgerEntry {
    /// The movements of the user's credits, newest first.
    public static func ledger(pageSize: Int = 50) -> Self {
        Listing(path: "\(Paths.credits)/ledger", query: ["per_page": String(pageSize)])
    }
}

extension Resource where Value == CreditStatement {
    /// The sums of a month such as `2026-11`; `nil` for this month.
    public static func statement(month: String? = nil) -> Self {
        Resource(path: "\(Paths.credits)/statement", query: month.map { ["month": $0] } ?? [:], freshness: .minute)
    }
}

extension Resource where Value == Receipt {
    /// What a job cost.
    public static func receipt(of job: Job.ID) -> Self {
        Resource(path: "\(Paths.job(job))/receipt", freshness: .minute)
    }
}

extension Resource where Value == User {
    /// Who the server takes the user for.
    public static var currentUser: Self { Resource(path: "/api/v1/users/me", freshness: .tenMinutes) }
}

extension Resource where Value == Health {
    /// Never cached, like the two that follow.
    public static var health: Self { Resource(path: "/health", freshness: .never) }
}

extension Resource where Value == Readiness {
    /// Whether the service can do work.
    public static var readiness: Self { Resource(path: "/ready", freshness: .never) }
}

extension Resource where Value == String {
    /// Prometheus's text format.
    public static var metrics: Self { Resource(path: "/metrics", freshness: .never) }
}

extension Resource where Value == JSONValue {
    /// The description of the API.
    public static var openAPI: Self { Resource(path: "/openapi.json", freshness: .never) }
}

extension Listing where Item == Job {
    /// Newest first; never cached.
    public static func jobs(status: Job.Status? = nil, kind: Job.Kind? = nil, pageSize: Int = 20) -> Self {
        var query = ["per_page": String(pageSize)]
        query["status"] = status?.rawValue
        query["kind"] = kind?.rawValue
        return Listing(path: Paths.jobs, query: query, freshness: .never)
    }
}

extension Listing where Item == Report {
    /// The user's reports without their results.
    public static func reports(pageSize: Int = 20) -> Self {
        Listing(path: Paths.reports, query: ["per_page": String(pageSize)])
    }
}
