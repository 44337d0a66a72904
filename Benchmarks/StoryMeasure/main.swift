import Foundation
import JSON
import News

// Prints how well the grouping finds labelled stories and how fast it is:
//     swift run -c release StoryMeasure HEADLINES.jsonl
// Times within a day are withheld: in the labelled set they follow the labels, so they would give the answer away.

guard CommandLine.arguments.count == 2,
    let text = try? String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
else {
    FileHandle.standardError.write(Data("usage: StoryMeasure HEADLINES.jsonl\n".utf8))
    exit(2)
}
let headlines = text.split(separator: "\n").enumerated().compactMap { place, line -> LabelledHeadline? in
    guard let value = try? JSON(parsing: String(line)), let id = value["id"]?.string,
        let title = value["title"]?.string, let label = value["story"]?.string
    else { return nil }
    let article = StoryArticle(
        id: id, title: title, url: "", source: value["source"]?.string ?? "", publishedAt: Int64(place))
    let day = String(value["published_at"]?.string?.prefix(10) ?? "")
    return LabelledHeadline(article: article, label: label, day: day)
}
Measure(headlines: headlines).run()
