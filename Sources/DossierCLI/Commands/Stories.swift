import Foundation
import JSON
import News

extension Command {
    static let stories = Command(
        path: ["stories"], summary: "Group articles into stories as the service would",
        arguments: [
            .init(name: "FILE", help: "articles as JSON lines; - for standard input")
        ],
        options: [
            Option("--figures", nil, "Print how fast and, where lines have a 'story', how well they were grouped"),
            .json,
        ],
        notes: """
            Each line is an object {id, title, description?, url, source, published_at}, with published_at in ISO 8601.
            Each line of the output is {"id": …, "group": …}, in the order of the input; a group is named by the id of
            the article that began it. As in the service, a story is one of a day: the day (UTC) of published_at. The
            output is the same with and without --json.

            With --figures, the output is one object: the articles and days, for the days apart (by_day) and for all in
            one (whole) the groups, the seconds, and the articles whose group became part of an earlier one (moved); and
            precision, recall and F1 by B-cubed over the articles that have a 'story', the name that people gave to
            theirs. Articles without one are grouped with the others and not counted.
            """
    ) { invocation in
        let name = try invocation.argument("FILE")
        let (articles, labels) = try ArticleLines.read(try bytes(of: name))
        let days = Dictionary(grouping: articles, by: \.day).values.map { $0 }
        if invocation.has("--figures") {
            let figures: JSON = [
                "articles": JSON(articles.count), "days": JSON(days.count),
                "labelled": JSON(labels.count), "labels": JSON(Set(labels.values).count),
                "by_day": GroupingFigures(of: days, labels: labels).json,
                "whole": GroupingFigures(of: [articles], labels: labels).json,
            ]
            return Terminal.print(figures.pretty)
        }
        var groups: [String: String] = [:]
        for day in days {
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
