internal import Basics
internal import JSON

/// A page's metadata.
struct PageMetadata: Sendable {
    /// Contents of `meta` elements by name or property in lower case; the first one that is not empty counts.
    private(set) var named: [String: String] = [:]
    /// The values given as a property, which takes precedence over a name.
    private var stated: Set<String> = []
    private(set) var language: String?
    /// As written: it may be relative.
    private(set) var canonical: String?
    /// As written.
    private(set) var base: String?
    private(set) var contentLanguage: String?
    /// `itemprop="datePublished"` or, less sure, the first `time` element.
    private(set) var visibleDate: String?
    /// The page's headings of the first level.
    private(set) var headings: [String] = []
    /// The page's headings of the first two levels.
    private(set) var titles: [String] = []

    init(_ tree: HTMLTree) {
        var firstTime: String?
        language = tree.attribute(.lang, of: HTMLTree.root)?.nonBlank
        tree.walk(HTMLTree.root) { index, node in
            switch node.tag {
            case .meta: read(meta: index, in: tree)
            case .link:
                if canonical == nil, tree.attribute(.rel, of: index)?.lowercased() == "canonical" {
                    canonical = tree.attribute(.href, of: index)?.nonBlank
                }
            case .base: base = base ?? tree.attribute(.href, of: index)?.nonBlank
            case .body: language = language ?? tree.attribute(.lang, of: index)?.nonBlank
            case .h1, .h2:
                let line = tree.line(index, limit: 1000)
                if node.tag == .h1 { headings.append(line) }
                titles.append(line)
            case .time: firstTime = firstTime ?? tree.attribute(.datetime, of: index)?.nonBlank
            default: break
            }
            if node.tag != .textNode, node.count > 0, visibleDate == nil,
                tree.attribute(.itemprop, of: index)?.lowercased().contains("datepublished") == true
            {
                visibleDate =
                    (tree.attribute(.datetime, of: index) ?? tree.attribute(.content, of: index))?.nonBlank
                    ?? tree.line(index, limit: 100).nonBlank
            }
            return true
        }
        visibleDate = visibleDate ?? firstTime
    }

    /// The first of the names that the page has a value for.
    func first(_ names: String...) -> String? { names.lazy.compactMap { named[$0] }.first }

    private mutating func read(meta index: HTMLTree.Index, in tree: HTMLTree) {
        guard let content = tree.attribute(.content, of: index).map(HTMLEntities.decode)?.nonBlank else { return }
        if tree.attribute(.httpEquiv, of: index)?.lowercased() == "content-language" { contentLanguage = content }
        let properties = tree.attribute(.property, of: index)?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
        let name = tree.attribute(.name, of: index)?.lowercased().filter { !$0.isWhitespace }
        for key in properties.map(String.init) where !stated.contains(key) {
            stated.insert(key)
            named[key] = content
        }
        if let key = name.map(Self.canonical), named[key] == nil { named[key] = content }
    }

    /// Prefixes are written with a dot, a hyphen or a colon: `dc.title`, `parsely-title`.
    private static func canonical(name: String) -> String {
        for prefix in ["dc", "dcterm", "dcterms", "og", "twitter", "parsely", "sailthru"] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            if let mark = rest.first, mark == "." || mark == "-" || mark == ":" {
                return "\(prefix):\(rest.dropFirst())"
            }
        }
        return name
    }
}

/// Makes the title of an article from the title of its page, which as a rule names the site too.
enum TitleReader {
    private static let separators: Set<String> = ["|", "-", "–", "—", "\\", "/", ">", "»", "·", "•"]
    private static let hierarchical: Set<String> = ["\\", "/", ">", "»"]

    /// - `page`: the text of the `title` element.
    /// - `headings`: the headings of the first two levels, which prove that a title with a colon is whole.
    /// - `firstLevel`: only headings of the first level.
    static func title(of page: String, headings: [String], firstLevel: [String]) -> String {
        let words = page.split(separator: " ").map(String.init)
        var title = page
        let places = words.indices.filter { $0 > 0 && $0 < words.count - 1 && separators.contains(words[$0]) }
        if let last = places.last, let first = places.first {
            title = words[..<last].joined(separator: " ")
            if last < 3 { title = words[(first + 1)...].joined(separator: " ") }
        } else if page.contains(": "), !headings.contains(page) {
            if let colon = page.lastIndex(of: ":") {
                title = page[page.index(after: colon)...].trimmed
                if wordCount(title) < 3, let first = page.firstIndex(of: ":") {
                    title = page[page.index(after: first)...].trimmed
                } else if let first = page.firstIndex(of: ":"), wordCount(String(page[..<first])) > 5 {
                    title = page
                }
            }
        } else if page.count > 150 || page.count < 15, firstLevel.count == 1, let heading = firstLevel.first?.nonBlank {
            title = heading
        }
        // A short rest is no title, unless it is the end of a path of sections.
        let isPath = words.contains { hierarchical.contains($0) }
        let bare = words.filter { !separators.contains($0) }.count
        if wordCount(title) <= 4, !isPath || wordCount(title) != bare - 1 { title = page }
        return title.collapsed
    }

    private static func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }
}

/// Reads an article's author from a line on the page.
enum BylineReader {
    /// The name marked within the line, when one is, or else the whole line.
    static func line(at index: HTMLTree.Index, in tree: HTMLTree) -> String? {
        var name: String?
        tree.walk(index) { inner, node in
            if name == nil, node.tag != .textNode, tree.attribute(.itemprop, of: inner)?.contains("name") == true {
                name = tree.line(inner, limit: 400).nonBlank
            }
            return name == nil
        }
        return name ?? tree.line(index, limit: 400).nonBlank
    }
}

/// The article in a page's JSON-LD.
struct StructuredArticle: Sendable {
    private(set) var title: String?
    private(set) var byline: String?
    private(set) var site: String?
    private(set) var published: String?
    private(set) var language: String?
    private(set) var summary: String?
    private(set) var image: String?
    private(set) var body: String?
    /// `isAccessibleForFree`; `nil` where the page does not say.
    private(set) var isFree: Bool?

    private static let types: Set<String> = [
        "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle",
        "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "Report",
        "SatiricalArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting",
        "LiveBlogPosting", "DiscussionForumPosting", "TechArticle", "APIReference",
    ]

    /// The first article among the scripts; `nil` when there is none that can be read.
    ///
    /// `pageTitle`: decides between `name` and `headline` where they differ.
    init?(_ scripts: [[UInt8]], pageTitle: String) {
        for script in scripts.prefix(20) {
            guard let json = try? JSON(parsing: Self.tidied(script)).mapStrings(\.sanitized),
                let article = Self.find(in: json, depth: 0)
            else {
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
            let share = { WordCoverage.share(of: pageTitle, in: $0) }
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
        isFree = Self.truth(article["isAccessibleForFree"])
        // A page may mark only the part of it that is for subscribers.
        let parts = article["hasPart"]?.array ?? article["hasPart"].map { [$0] } ?? []
        if parts.prefix(20).contains(where: { Self.truth($0["isAccessibleForFree"]) == false }) { isFree = false }
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

    /// Pages write truth as a value, as a word or as schema.org's address of it.
    private static func truth(_ json: JSON?) -> Bool? {
        if let value = json?.bool { return value }
        guard let word = json?.string?.lowercased().split(separator: "/").last else { return nil }
        return word == "false" ? false : word == "true" ? true : nil
    }

    private static func address(_ json: JSON?) -> String? {
        json?.string ?? json?["url"]?.string ?? json?[0].flatMap { address($0) }
    }
}
