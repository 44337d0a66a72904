import JSON
import News

/// What `dossier stories --figures` says of a grouping.
struct GroupingFigures {
    var groups = 0
    var moved = 0
    var time = Duration.zero
    var score: BCubed

    /// - Parameters:
    ///   - days: Articles that are grouped apart from those of the others, each one by one in the order of their time.
    ///   - labels: The story that people put an article in, by the article's id.
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
        }
        return .object(json)
    }
}
