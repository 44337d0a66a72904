import Foundation
import JSON
import Stories

extension Command {
    static let stories = Command(
        path: ["stories"], summary: "Group articles into stories as the service would",
        arguments: [
            .init(name: "FILE", help: "articles as JSON lines; - for standard input")
        ],
        options: [.json],
        notes: """
            Each line is an object {id, title, description?, url, source, published_at}, with published_at in ISO 8601.
            Each line of the output is {"id": …, "group": …}, in the order of the input; a group is named by the id of
            the article that began it. As in the service, a story is one of a day: the day (UTC) of published_at. The
            output is the same with and without --json.
            """
    ) { invocation in
        let name = try invocation.argument("FILE")
        let articles = try ArticleLines.read(try bytes(of: name))
        var groups: [String: String] = [:]
        for day in Dictionary(grouping: articles, by: \.day).values {
            var grouper = StoryGrouper()
            grouper.add(day)
            for article in day { groups[article.id] = grouper.story(of: article.id)?.text }
        }
        var output = ""
        for article in articles {
            output += JSON.object(["id": JSON(article.id), "group": JSON(groups[article.id])]).compact + "\n"
        }
        Terminal.print(output, terminator: "")
    }

    private static func bytes(of name: String) throws(CommandFailure) -> Data {
        do {
            return name == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(fileURLWithPath: name))
        } catch {
            throw .failed("\(name) cannot be read")
        }
    }
}

extension StoryArticle {
    /// The day of its publication in UTC, counted from 1970-01-01.
    fileprivate var day: Int64 { Int64((Double(publishedAt) / 86_400_000).rounded(.down)) }
}

/// Reads articles from JSON lines and says which line is wrong.
enum ArticleLines {
    static func read(_ bytes: some Collection<UInt8>) throws(CommandFailure) -> [StoryArticle] {
        var articles: [StoryArticle] = []
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
            articles.append(article)
        }
        return articles
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
        guard let moment = moment(published) else {
            throw .failed("line \(line): 'published_at' is no ISO 8601 date and time")
        }
        var description: String?
        if let member = value["description"], !member.isNull {
            guard let text = member.string else { throw .failed("line \(line): 'description' is not a string") }
            description = text
        }
        return StoryArticle(
            id: id, title: try text("title"), description: description, url: try text("url"),
            source: try text("source"), publishedAt: moment)
    }

    /// With and without fractions of a second.
    private static func moment(_ text: String) -> Int64? {
        let style = Date.ISO8601FormatStyle()
        let date =
            (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
        guard let seconds = date?.timeIntervalSince1970, abs(seconds) < 1e12 else { return nil }
        return Int64((seconds * 1000).rounded())
    }
}
