import Foundation
import JSON
import News

/// Reads articles from JSON lines and says which line is wrong.
enum ArticleLines {
    /// - Returns: the articles in the order of the lines, and the `story` that people put each in, where a line has one.
    static func read(
        _ bytes: some Collection<UInt8>
    ) throws(CommandFailure) -> (articles: [StoryArticle], labels: [String: String]) {
        var articles: [StoryArticle] = []
        var labels: [String: String] = [:]
        var lines: [String: Int] = [:]
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
            let number = index + 1
            let value: JSON
            do {
                value = try JSON(parsing: line)
            } catch {
                throw .failed("line \(number): no JSON: \(error.message), at column \(error.column)")
            }
            let article = try article(value, line: number)
            if let first = lines[article.id] {
                throw .failed("line \(number): 'id' stands in line \(first) already")
            }
            lines[article.id] = number
            labels[article.id] = value["story"]?.string
            articles.append(article)
        }
        return (articles, labels)
    }

    private static func article(_ value: JSON, line: Int) throws(CommandFailure) -> StoryArticle {
        guard value.object != nil else { throw .failed("line \(line): not an object") }
        func text(_ field: String) throws(CommandFailure) -> String {
            guard let member = value[field], !member.isNull else {
                throw .failed("line \(line): '\(field)' is missing")
            }
            guard let text = member.string else { throw .failed("line \(line): '\(field)' is not a string") }
            return text
        }
        let id = try text("id")
        guard !id.isEmpty else { throw .failed("line \(line): 'id' is empty") }
        let published = try text("published_at")
        guard let timestamp = timestamp(published) else {
            throw .failed("line \(line): 'published_at' is no ISO 8601 date and time")
        }
        var description: String?
        if let member = value["description"], !member.isNull {
            guard let text = member.string else { throw .failed("line \(line): 'description' is not a string") }
            description = text
        }
        return StoryArticle(
            id: id, title: try text("title"), description: description, url: try text("url"),
            source: try text("source"), publishedAt: timestamp)
    }

    /// With and without fractions of a second.
    private static func timestamp(_ text: String) -> Int64? {
        let style = Date.ISO8601FormatStyle()
        let date =
            (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
        guard let seconds = date?.timeIntervalSince1970, abs(seconds) < 1e12 else { return nil }
        return Int64((seconds * 1000).rounded())
    }
}
