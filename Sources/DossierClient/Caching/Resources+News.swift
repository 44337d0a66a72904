extension Resource where Value == StoryGroups {
    /// The stories of a day.
    ///
    /// - Parameters:
    ///   - date: `YYYY-MM-DD`; `nil` for today.
    ///   - limitGlobal: The most stories of all.
    ///   - limitPerTicker: The most stories of each holding.
    /// - Returns: The resource.
    public static func storyGroups(date: String? = nil, limitGlobal: Int = 5, limitPerTicker: Int = 3) -> Self {
        var query = ["limit_global": String(limitGlobal), "limit_per_ticker": String(limitPerTicker)]
        query["date"] = date
        return Resource(path: Paths.storyGroups, query: query)
    }
}

extension Resource where Value == Brief {
    /// The user's own brief of the day, or the common one.
    public static var latestBrief: Self { Resource(path: Paths.latestBrief) }
}

extension Resource where Value == Preferences {
    /// What the user owns and how much other news they want to see.
    public static var preferences: Self { Resource(path: Paths.preferences, freshness: .tenMinutes, isKept: true) }
}

extension Resource where Value == Article {
    /// An article with its text, as far as it is stored.
    public static func article(_ id: Article.ID) -> Self { Resource(path: Paths.article(id), freshness: .hour) }
}

extension Resource where Value == ArticleSummary {
    /// Made once for everybody and free, so it is read like any resource, although the request is a `POST`. A summary
    /// whose source is ``ArticleSummary/Source/original`` is not stored.
    public static func summary(of article: Article.ID, formFactor: FormFactor = .phone) -> Self {
        .posted(
            Paths.article(article) + "/summary", ["form_factor": formFactor.rawValue], serverWait: .seconds(30))
    }
}

extension Resource where Value == NewsAvailability {
    /// Whether summaries and answers can be expected now.
    public static var newsAvailability: Self { Resource(path: "/api/v1/news/availability", freshness: .minute) }
}

extension Resource where Value == Conversation {
    /// A conversation with its messages.
    public static func conversation(_ id: Conversation.ID) -> Self {
        Resource(path: "\(Paths.conversations)/\(Endpoint.escaped(id.rawValue))")
    }
}

extension Listing where Item == Signal {
    /// The news of the day, by what they matter.
    public static func feed(pageSize: Int = 20) -> Self {
        Listing(path: Paths.feed, query: ["limit": String(pageSize)])
    }
}

extension Listing where Item == PersonalizedSignal {
    /// The news of the day for what the user owns.
    public static func personalizedFeed(pageSize: Int = 50) -> Self {
        Listing(path: Paths.personalizedFeed, query: ["limit": String(pageSize)])
    }
}

extension Listing where Item == Article {
    /// The headlines, of all categories or of one.
    public static func headlines(_ category: NewsCategory? = nil, pageSize: Int = 20) -> Self {
        var query = ["page_size": String(pageSize)]
        query["category"] = category?.rawValue
        return Listing(path: "/api/v1/news/top-headlines", query: query)
    }

    /// Articles that hold all of the words.
    public static func newsSearch(_ words: String, category: NewsCategory? = nil, pageSize: Int = 20) -> Self {
        var query = ["q": words, "page_size": String(pageSize)]
        query["category"] = category?.rawValue
        return Listing(path: "/api/v1/news/search", query: query)
    }
}

extension Listing where Item == Conversation {
    /// The user's conversations, those with the newest answers first.
    public static func conversations(pageSize: Int = 20) -> Self {
        Listing(path: Paths.conversations, query: ["per_page": String(pageSize)])
    }
}
