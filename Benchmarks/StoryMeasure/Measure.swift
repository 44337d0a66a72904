import Foundation
import Stories

/// A headline and the story that people put it in.
struct LabelledHeadline: Sendable {
    var article: StoryArticle
    var label: String
    /// The day of its publication.
    var day: String
}

/// Numbers that are the same in every run (SplitMix64).
struct Shuffle: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The figures of a grouping.
struct Measure {
    var headlines: [LabelledHeadline]

    func run() {
        let stories = Set(headlines.map(\.label))
        print("\(headlines.count) headlines, \(stories.count) stories; B-cubed precision, recall, F1")
        let rules = GroupingRules()
        print("in the order of the file   \(score(headlines, rules).text)")
        print("the same, day by day       \(scoreByDay(headlines, rules).text)")
        var shuffle = Shuffle(state: 1)
        for _ in 0..<5 {
            let order = headlines.shuffled(using: &shuffle)
            print("in a random order          \(score(order, rules).text)")
            print("the same, day by day       \(scoreByDay(order, rules).text)")
        }
        stability()
        crossValidation()
        speed()
    }

    private func grouped(_ headlines: [LabelledHeadline], _ rules: GroupingRules) -> StoryGrouper {
        var grouper = StoryGrouper(rules: rules)
        for (place, headline) in headlines.enumerated() {
            var article = headline.article
            article.publishedAt = Int64(place)
            grouper.add([article])
        }
        return grouper
    }

    private func score(_ headlines: [LabelledHeadline], _ rules: GroupingRules) -> BCubed {
        let grouper = grouped(headlines, rules)
        return BCubed(headlines.map { (grouper.story(of: $0.article.id)?.text ?? "", $0.label) })
    }

    /// As the service groups, which has a grouping for each day.
    private func scoreByDay(_ headlines: [LabelledHeadline], _ rules: GroupingRules) -> BCubed {
        let pairs = Dictionary(grouping: headlines, by: \.day).values.flatMap { day in
            let grouper = grouped(day, rules)
            return day.map { (grouper.story(of: $0.article.id)?.text ?? "", $0.label) }
        }
        return BCubed(pairs)
    }

    /// How many articles have another group at the end than when they arrived.
    private func stability() {
        var shuffle = Shuffle(state: 2)
        var grouper = StoryGrouper()
        var first: [String: StoryID] = [:]
        for (place, headline) in headlines.shuffled(using: &shuffle).enumerated() {
            var article = headline.article
            article.publishedAt = Int64(place)
            grouper.add([article])
            first[article.id] = grouper.story(of: article.id)
        }
        let moved = first.count { grouper.story(of: $0.key) != $0.value }
        print("articles whose group became part of an earlier one: \(moved) of \(first.count)")
    }

    /// Thresholds chosen on half of the stories, measured on the other half.
    private func crossValidation() {
        var shuffle = Shuffle(state: 3)
        let labels = Set(headlines.map(\.label)).sorted()
        var candidates: [GroupingRules] = []
        for join in [0.17, 0.2, 0.23] {
            for merge in [0.18, 0.22, 0.28] {
                for spread in [0.05, 0.15, 0.4] {
                    var rules = GroupingRules()
                    rules.join = join
                    rules.merge = merge
                    rules.spread = spread
                    candidates.append(rules)
                }
            }
        }
        var heldOut: [Double] = []
        for _ in 0..<5 {
            let half = Set(labels.shuffled(using: &shuffle).prefix(labels.count / 2))
            let mixed = headlines.shuffled(using: &shuffle)
            let parts = [mixed.filter { half.contains($0.label) }, mixed.filter { !half.contains($0.label) }]
            for (tuned, held) in [(0, 1), (1, 0)] {
                let scores = candidates.map { ($0, score(parts[tuned], $0).f1) }
                guard let best = scores.max(by: { $0.1 < $1.1 })?.0 else { continue }
                heldOut.append(score(parts[held], best).f1)
            }
        }
        let mean = heldOut.reduce(0, +) / Double(heldOut.count)
        let range = "\(BCubed.format(heldOut.min() ?? 0)) to \(BCubed.format(heldOut.max() ?? 0))"
        print("held-out F1, 5 times two halves of the stories: mean \(BCubed.format(mean)), \(range)")
    }

    /// A day of 5,000 articles: the headlines, and again as many with other words.
    private func speed() {
        var articles = headlines.map(\.article)
        for place in 0..<max(0, 5000 - articles.count) {
            var article = headlines[place % headlines.count].article
            article.id = "again-\(place)"
            article.title = article.title.split(separator: " ").map { "\($0)x" }.joined(separator: " ")
            articles.append(article)
        }
        var grouper = StoryGrouper()
        let elapsed = ContinuousClock().measure { grouper.add(articles) }
        print("\(articles.count) articles in \(elapsed.formatted(.units(allowed: [.milliseconds])))")
    }
}

/// B-cubed: for each article, how much of its group is of its story and how much of its story is in its group, averaged.
struct BCubed {
    var precision = 0.0
    var recall = 0.0

    var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    init(_ pairs: [(group: String, label: String)]) {
        var groups: [String: Double] = [:]
        var labels: [String: Double] = [:]
        var both: [[String]: Double] = [:]
        for (group, label) in pairs {
            groups[group, default: 0] += 1
            labels[label, default: 0] += 1
            both[[group, label], default: 0] += 1
        }
        for (pair, count) in both.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            precision += count * count / (groups[pair[0]] ?? 1)
            recall += count * count / (labels[pair[1]] ?? 1)
        }
        precision /= Double(max(pairs.count, 1))
        recall /= Double(max(pairs.count, 1))
    }

    static func format(_ value: Double) -> String { String(format: "%.3f", value) }

    var text: String { "\(Self.format(precision)) \(Self.format(recall)) \(Self.format(f1))" }
}
