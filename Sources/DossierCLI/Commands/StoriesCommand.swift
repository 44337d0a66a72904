import Foundation
import JSON
import News

extension Command {
    static let stories = Command(
        path: ["stories"], summary: "Group articles into stories as the service would",
        arguments: [
            .init(name: "FILE", help: "Articles as JSON lines; - for standard input")
        ],
        options: [
            Option("--figures", nil, "Print the speed of the grouping and, where lines have a 'story', its quality"),
            .json,
        ],
        notes: """
            Each line is an object {id, title, description?, url, source, published_at}, with published_at in ISO 8601.
            Each line of the output is {"id": …, "group": …}, in the order of the input; a group has the id of its first
            article. As in the service, a story belongs to one day: the day (UTC) of published_at. The output is the
            same with and without --json.

            With --figures, the output is one object: the number of articles and days; then for each day separately
            (by_day) and for all days together (whole) the number of groups, the seconds, the articles whose group was
            merged into an earlier one (moved), and B-cubed precision, recall and F1 over the articles with a 'story',
            which names their true story, and the precision and recall of pairs of articles (pairs). Articles without one are grouped with the others and not scored.
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

/// Reads articles from JSON lines. An error names the line.
enum ArticleLines {
    /// - Returns: The articles in the order of the lines, and the labels: the `story` of each line that has one.
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
                throw .failed("line \(number): not JSON: \(error.message), at column \(error.column)")
            }
            let article = try article(value, line: number)
            if let first = lines[article.id] {
                throw .failed("line \(number): 'id' is the same as in line \(first)")
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
            throw .failed("line \(line): 'published_at' is not an ISO 8601 date and time")
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

/// The figures that `dossier stories --figures` prints.
struct GroupingFigures {
    var groups = 0
    var moved = 0
    var time = Duration.zero
    var score: BCubed
    var pairs: PairAgreement

    /// - Parameters:
    ///   - days: Articles by day. Each day is grouped separately, one article at a time, by publication time.
    ///   - labels: The true story of an article, by the article's id.
    init(of days: [[StoryArticle]], labels: [String: String]) {
        var pairs: [(group: String, label: String)] = []
        for day in days {
            var grouper = StoryGrouper()
            var first: [String: StoryID] = [:]
            let articles = day.sorted { ($0.publishedAt, $0.id) < ($1.publishedAt, $1.id) }
            time += ContinuousClock().measure {
                for article in articles {
                    grouper.add([article])
                    first[article.id] = grouper.story(of: article.id)
                }
            }
            groups += grouper.stories.count
            moved += articles.count { grouper.story(of: $0.id) != first[$0.id] }
            for article in articles {
                if let label = labels[article.id], let story = grouper.story(of: article.id) {
                    pairs.append((story.text, label))
                }
            }
        }
        score = BCubed(pairs)
        self.pairs = PairAgreement(pairs)
    }

    var json: JSON {
        let rounded = { (value: Double) in JSON((value * 10_000).rounded() / 10_000) }
        var json: JSONObject = [
            "groups": JSON(groups), "moved": JSON(moved), "seconds": rounded(time / .seconds(1)),
        ]
        if !score.labels.isEmpty {
            json["precision"] = rounded(score.precision)
            json["recall"] = rounded(score.recall)
            json["f1"] = rounded(score.f1)
            json["pairs"] = ["precision": rounded(pairs.precision), "recall": rounded(pairs.recall)]
        }
        return .object(json)
    }
}
