/// Makes the title of an article from the title of its page, which as a rule names the site too.
enum TitleReader {
    private static let separators: Set<String> = ["|", "-", "–", "—", "\\", "/", ">", "»", "·", "•"]
    private static let hierarchical: Set<String> = ["\\", "/", ">", "»"]

    /// - Parameters:
    ///   - page: the text of the `title` element.
    ///   - headings: the headings of the first two levels, which prove that a title with a colon is whole.
    ///   - firstLevel: those of the first level alone.
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
        // A short rest is no title, unless it is what remains of a path of sections.
        let isPath = words.contains { hierarchical.contains($0) }
        let bare = words.filter { !separators.contains($0) }.count
        if wordCount(title) <= 4, !isPath || wordCount(title) != bare - 1 { title = page }
        return title.collapsed
    }

    private static func wordCount(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }
}
