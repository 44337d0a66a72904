internal import JSON

/// What a page's JSON-LD says of its article.
struct StructuredArticle: Sendable {
    private(set) var title: String?
    private(set) var byline: String?
    private(set) var site: String?
    private(set) var published: String?
    private(set) var language: String?
    private(set) var summary: String?
    private(set) var image: String?
    private(set) var body: String?

    private static let types: Set<String> = [
        "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle",
        "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "Report",
        "SatiricalArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting",
        "LiveBlogPosting", "DiscussionForumPosting", "TechArticle", "APIReference",
    ]

    /// The first article among the scripts; `nil` when there is none that can be read.
    ///
    /// - Parameter pageTitle: decides between `name` and `headline` where they differ.
    init?(_ scripts: [[UInt8]], pageTitle: String) {
        for script in scripts.prefix(20) {
            guard let json = try? JSON(parsing: Self.tidied(script)), let article = Self.find(in: json, depth: 0) else {
                continue
            }
            read(article, pageTitle)
            return
        }
        return nil
    }

    /// Pages wrap their scripts in comments and write line breaks into strings, which JSON does not allow.
    private static func tidied(_ script: [UInt8]) -> [UInt8] {
        var text = String(decoding: script.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self).trimmed
        for mark in ["<!--", "-->", "<![CDATA[", "]]>", "//<![CDATA[", "//]]>"] {
            if text.hasPrefix(mark) { text = String(text.dropFirst(mark.count)).trimmed }
            if text.hasSuffix(mark) { text = String(text.dropLast(mark.count)).trimmed }
        }
        while text.hasSuffix(";") { text.removeLast() }
        return Array(text.utf8)
    }

    private static func find(in json: JSON, depth: Int) -> JSON? {
        guard depth < 4 else { return nil }
        if let list = json.array { return list.lazy.prefix(200).compactMap { find(in: $0, depth: depth + 1) }.first }
        guard json.object != nil else { return nil }
        let names = json["@type"]?.array?.compactMap(\.string) ?? [json["@type"]?.string].compactMap(\.self)
        if names.contains(where: types.contains) { return json }
        return ["@graph", "mainEntity", "mainEntityOfPage"].lazy.compactMap { key in
            json[key].flatMap { find(in: $0, depth: depth + 1) }
        }.first
    }

    private mutating func read(_ article: JSON, _ pageTitle: String) {
        func text(_ key: String) -> String? { article[key]?.string.map(HTMLEntities.decode)?.nonBlank }
        let (name, headline) = (text("name"), text("headline"))
        if let name, let headline, name != headline {
            // One of the two names the site or the section as a rule.
            let share = { TextSimilarity.share(of: pageTitle, in: $0) }
            title = share(headline) > share(name) ? headline : name
        } else {
            title = name ?? headline
        }
        byline = Self.spoken(article["author"])
        site = Self.spoken(article["publisher"])
        published = text("datePublished") ?? text("dateCreated")
        language = text("inLanguage")
        summary = text("description")
        image = Self.address(article["image"])
        body = article["articleBody"]?.string
    }

    /// One name or several; authors are also written as plain texts.
    private static func spoken(_ json: JSON?) -> String? {
        guard let json else { return nil }
        if let text = json.string { return text.contains("://") ? nil : HTMLEntities.decode(text).nonBlank }
        if let list = json.array {
            let names = list.prefix(20).compactMap { spoken($0) }
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        return json["name"].flatMap { spoken($0) }
    }

    private static func address(_ json: JSON?) -> String? {
        json?.string ?? json?["url"]?.string ?? json?[0].flatMap { address($0) }
    }
}
