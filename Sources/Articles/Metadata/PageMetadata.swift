/// What a page says of itself outside of its text.
struct PageMetadata: Sendable {
    /// Contents of `meta` elements by name or property in lower case; the first one that is not empty counts.
    private(set) var named: [String: String] = [:]
    /// Those given as a property, which goes before a name.
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
            if let mark = rest.first, mark == "." || mark == "-" || mark == ":" { return "\(prefix):\(rest.dropFirst())" }
        }
        return name
    }
}
