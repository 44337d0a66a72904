internal import Basics
package import JobQueue

/// The impact of a story by rule: what its headlines report, of whom and how large it is, and how many tell it last.
///
/// A decision of the Federal Reserve weighs the same when one publisher has told it so far, and a museum's opening does
/// not weigh more because eight print it. `docs/stories.md` has the rule.
struct StoryImpact: Sendable, Hashable {
    /// The event that most headlines report; `nil` where they name none.
    var event: ImpactEvent?
    var level: ImpactLevel

    /// - Parameters:
    ///   - readings: The headlines, read.
    ///   - titles: The same headlines, without their publishers' additions.
    ///   - publishers: The number of publishers that tell it.
    init(readings: [HeadlineReading], titles: [String], publishers: Int) {
        let headlines = zip(titles, readings).map { HeadlineImpact(title: $0, reading: $1) }
        // What at least half of the headlines reach.
        let points = headlines.map(\.points).sorted(by: >)
        let middle = points.isEmpty ? 0 : points[(points.count - 1) / 2]
        var counts: [ImpactEvent: Int] = [:]
        for headline in headlines { if let event = headline.event { counts[event, default: 0] += 1 } }
        let most = counts.values.max() ?? 0
        event = 2 * most >= max(headlines.count, 1) ? ImpactEvent.allCases.first { counts[$0] == most } : nil
        let isAside = 2 * headlines.count(where: \.isAside) >= max(headlines.count, 1)
        level =
            isAside
            ? .veryLow
            : ImpactRule.level(middle + ImpactRule.breadth(publishers: publishers, hasEvent: middle >= ImpactRule.low))
    }
}

extension ImpactLevel {
    /// The impact of a story by rule, from its headlines and the number of its publishers.
    package static func byRule(titles: [String], publishers: Int) -> ImpactLevel {
        let recognizer = TickerRecognizer()
        let readings = titles.map {
            HeadlineReading(title: $0, recognizer: recognizer)
        }
        return StoryImpact(readings: readings, titles: titles, publishers: publishers).level
    }
}

/// Words by which a headline says that something may not happen.
enum Hedges {
    static func occur(in words: [Word]) -> Bool {
        words.indices.contains { place in
            guard all.contains(words[place].folded) else { return false }
            // The month.
            return !(words[place].written == "May" && place > 0 && dating.contains(words[place - 1].folded))
        }
    }

    private static let all: Set<String> = [
        "may", "might", "could", "reportedly", "rumor", "rumors", "rumour", "mulls", "considers", "weighs",
    ]
    private static let dating: Set<String> = [
        "in", "on", "of", "since", "by", "until", "from", "to", "late", "early", "for",
    ]
}
