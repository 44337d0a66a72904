import Foundation
import News

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

    /// The rules chosen on half of the stories, measured on the other half.
    ///
    /// All stories are grouped together and only the figures are taken from a half, since fewer stories on a heap are
    /// fewer to be taken for one another.
    private func crossValidation() {
        var candidates: [GroupingRules] = []
        for join in [0.15, 0.17, 0.2] {
            for merge in [0.14, 0.16, 0.18] {
                for (lead, oneWord) in [(0, 1), (0.6, 1), (0, 0.75), (0.6, 0.75)] as [(Double, Double)] {
                    var rules = GroupingRules()
                    (rules.join, rules.merge, rules.lead, rules.oneWord) = (join, merge, lead, oneWord)
                    candidates.append(rules)
                }
            }
        }
        var shuffle = Shuffle(state: 3)
        let order = headlines.shuffled(using: &shuffle)
        let scores = candidates.map { (whole: score(order, $0), byDay: scoreByDay(order, $0)) }
        let labels = Set(headlines.map(\.label)).sorted()
        var heldOut: (whole: [Double], byDay: [Double]) = ([], [])
        for _ in 0..<100 {
            let half = Set(labels.shuffled(using: &shuffle).prefix(labels.count / 2))
            let others = Set(labels).subtracting(half)
            let best = scores.max {
                $0.whole.limited(to: half).f1 + $0.byDay.limited(to: half).f1
                    < $1.whole.limited(to: half).f1 + $1.byDay.limited(to: half).f1
            }
            guard let best else { continue }
            heldOut.whole.append(best.whole.limited(to: others).f1)
            heldOut.byDay.append(best.byDay.limited(to: others).f1)
        }
        print("held-out F1, 100 halves of the stories")
        print("    whole    \(Self.spread(heldOut.whole))")
        print("    by day   \(Self.spread(heldOut.byDay))")
        otherStories(score(order, GroupingRules()), scoreByDay(order, GroupingRules()))
    }

    /// What to expect of as many other stories of the same kind: stories drawn from these, some twice and some never.
    private func otherStories(_ whole: BCubed, _ byDay: BCubed) {
        let all = whole.labels
        var shuffle = Shuffle(state: 4)
        var drawn: (whole: [Double], byDay: [Double]) = ([], [])
        for _ in 0..<1000 {
            let labels = all.compactMap { _ in all.randomElement(using: &shuffle) }
            drawn.whole.append(whole.limited(to: labels).f1)
            drawn.byDay.append(byDay.limited(to: labels).f1)
        }
        print("F1 of as many stories drawn anew, 1,000 times")
        print("    whole    \(Self.spread(drawn.whole)), 0.8 or more \(drawn.whole.count { $0 >= 0.8 }) times")
        print("    by day   \(Self.spread(drawn.byDay)), 0.8 or more \(drawn.byDay.count { $0 >= 0.8 }) times")
    }

    private static func spread(_ values: [Double]) -> String {
        let mean = values.reduce(0, +) / Double(max(values.count, 1))
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(values.count, 1))
        return "mean \(BCubed.format(mean)), standard deviation \(BCubed.format(variance.squareRoot()))"
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
        var whole = StoryGrouper()
        let together = ContinuousClock().measure { whole.add(articles) }
        var single = StoryGrouper()
        let oneByOne = ContinuousClock().measure { for article in articles { single.add([article]) } }
        func text(_ time: Duration) -> String { time.formatted(.units(allowed: [.milliseconds])) }
        print("\(articles.count) articles in \(text(together)); one by one in \(text(oneByOne))")
    }
}

extension BCubed {
    static func format(_ value: Double) -> String { String(format: "%.3f", value) }

    var text: String { "\(Self.format(precision)) \(Self.format(recall)) \(Self.format(f1))" }
}
