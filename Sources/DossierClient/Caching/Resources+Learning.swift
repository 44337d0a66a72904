extension Resource where Value == Prices {
    /// The prices of a stock over time.
    ///
    /// - Parameters:
    ///   - ticker: The stock.
    ///   - from: `YYYY-MM-DD`; `nil` for a year before the last day.
    ///   - to: `YYYY-MM-DD`; `nil` for the newest bar.
    ///   - interval: The time that each bar is about.
    /// - Returns: The resource.
    public static func prices(
        _ ticker: String, from: String? = nil, to: String? = nil, interval: Prices.Interval = .day
    ) -> Self {
        var query = ["interval": interval.rawValue]
        query["from"] = from
        query["to"] = to
        return Resource(path: "/api/v1/stocks/\(Endpoint.escaped(ticker))/prices", query: query)
    }
}

extension Resource where Value == ReportChanges {
    /// What a report says otherwise than an earlier one on the same company.
    public static func changes(of report: Job.ID, since earlier: Job.ID) -> Self {
        Resource(
            path: "\(Paths.reports)/\(Endpoint.escaped(report.rawValue))/changes",
            query: ["since": earlier.rawValue], freshness: .week)
    }
}

extension Resource where Value == RecallCard {
    /// A card with its answer, its schedule and its reviews.
    public static func recallCard(_ id: RecallCard.ID) -> Self { Resource(path: Paths.recallCard(id)) }
}

extension Resource where Value == RecallExport {
    /// The user's cards; never cached.
    ///
    /// - Parameters:
    ///   - limit: The most cards, up to 500.
    ///   - cursor: ``RecallExport/nextCursor`` of the part before.
    /// - Returns: The resource.
    public static func recallExport(limit: Int = 500, after cursor: String? = nil) -> Self {
        var query = ["limit": String(limit)]
        query["cursor"] = cursor
        return Resource(path: "\(Paths.recall)/export", query: query, freshness: .never)
    }
}

extension Listing where Item == DueCard {
    /// The cards that are due, the longest due first; never cached.
    public static func dueCards(pageSize: Int = 20) -> Self {
        Listing(path: "\(Paths.recall)/due", query: ["per_page": String(pageSize)], freshness: .never)
    }
}

extension Listing where Item == ConceptStanding {
    /// The concepts of answered cards, the latest answered first.
    public static func recallConcepts(pageSize: Int = 20) -> Self {
        Listing(path: Paths.recallConcepts, query: ["per_page": String(pageSize)])
    }
}
