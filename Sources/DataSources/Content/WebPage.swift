/// The text of an HTML page: what stands in its paragraphs, headings and lists, without navigation, scripts and forms.
struct WebPage {
    private static let skipped: Set<String> = [
        "script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "svg", "iframe", "button",
    ]
    private static let blocks: Set<String> = [
        "p", "div", "section", "article", "main", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote",
        "pre", "td", "tr", "table", "br", "hr", "figure", "figcaption", "dt", "dd", "body", "title",
    ]
    private static let shortestText = 40

    private var title = ""
    private var site: String?
    private var language: String?
    private var publishedAt: String?
    private var lines: [String] = []
    private var line = ""

    init(_ html: String) { read(Substring(html)) }

    func content(at url: String) throws(ContentError) -> Content {
        let text = lines.joined(separator: "\n")
        guard text.utf8.count >= Self.shortestText else { throw .noText }
        return Content(
            url: url, kind: .article, title: title.isEmpty ? nil : title, site: site, language: language,
            publishedAt: publishedAt, text: text)
    }

    // MARK: Reading

    private mutating func read(_ html: Substring) {
        var rest = html
        var skipping: String?
        var isTitle = false
        while let open = rest.firstIndex(of: "<") {
            if skipping == nil { add(rest[..<open], isTitle: isTitle) }
            rest = rest[open...]
            if rest.hasPrefix("<!--") {
                rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { break }
            let tag = rest[rest.index(after: open)..<end]
            rest = rest[rest.index(after: end)...]
            let isClosing = tag.first == "/"
            let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
            if let skipped = skipping {
                if isClosing, name == skipped { skipping = nil }
                continue
            }
            if Self.blocks.contains(name) { endLine() }
            switch name {
            case "title": isTitle = !isClosing && title.isEmpty
            case "html" where !isClosing: language = Self.attribute("lang", of: tag)
            case "meta": readMeta(tag)
            case _ where Self.skipped.contains(name) && !isClosing && tag.last != "/": skipping = name
            default: break
            }
        }
        if skipping == nil { add(rest, isTitle: false) }
        endLine()
    }

    private mutating func add(_ text: Substring, isTitle: Bool) {
        if isTitle {
            title = Self.plain(String(text))
        } else {
            line += text
        }
    }

    private mutating func endLine() {
        let text = Self.plain(line)
        line = ""
        if !text.isEmpty { lines.append(text) }
    }

    private mutating func readMeta(_ tag: Substring) {
        guard let content = Self.attribute("content", of: tag), !content.isEmpty else { return }
        switch Self.attribute("property", of: tag) ?? Self.attribute("name", of: tag) ?? "" {
        case "og:site_name": site = content
        case "og:title": title = content
        case "article:published_time": publishedAt = content
        default: break
        }
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=") else { return nil }
        let rest = tag[start.upperBound...]
        guard let quote = rest.first else { return nil }
        let value =
            quote == "\"" || quote == "'" ? rest.dropFirst().prefix { $0 != quote } : rest.prefix { !$0.isWhitespace }
        return plain(String(value))
    }

    // MARK: Characters

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "euro": "€", "pound": "£",
    ]

    /// Entities as their characters, white space as single spaces.
    private static func plain(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[rest.index(after: start)...]
            let name = rest.prefix(10).prefix { $0 != ";" }
            guard rest.dropFirst(name.count).first == ";", let character = character(String(name)) else {
                result += "&"
                continue
            }
            result += character
            rest = rest.dropFirst(name.count + 1)
        }
        result += rest
        return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func character(_ name: String) -> String? {
        guard name.first == "#" else { return entities[name] }
        let digits = name.dropFirst()
        let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
