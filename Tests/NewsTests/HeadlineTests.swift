import Foundation
import Testing

@testable import News

/// The file of labelled headlines, which exists beside the repository on some machines.
private let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "shared/data/headlines/headlines.jsonl")

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: file.path), "../shared/data/headlines is not beside the repository"))
struct HeadlineTests {
    struct Headline: Decodable {
        var id: String
        var title: String
        var source: String
        var story: String
        var publishedAt: String

        enum CodingKeys: String, CodingKey {
            case id, title, source, story
            case publishedAt = "published_at"
        }
    }

    /// B-cubed by its definition, article by article, independent of the measuring command's way of counting.
    static func bCubed(_ pairs: [(group: String, label: String)]) -> (precision: Double, recall: Double, f1: Double) {
        var byGroup: [String: [Int]] = [:]
        var byLabel: [String: [Int]] = [:]
        for (place, pair) in pairs.enumerated() {
            byGroup[pair.group, default: []].append(place)
            byLabel[pair.label, default: []].append(place)
        }
        var precision = 0.0
        var recall = 0.0
        for pair in pairs {
            let group = byGroup[pair.group] ?? []
            let label = byLabel[pair.label] ?? []
            let right = Double(group.count { pairs[$0].label == pair.label })
            precision += right / Double(group.count)
            recall += right / Double(label.count)
        }
        let (p, r) = (precision / Double(pairs.count), recall / Double(pairs.count))
        return (p, r, 2 * p * r / (p + r))
    }

    @Test func theScoreIsRightByHand() {
        // Groups {a, a, b} and {b}: precision (2/3 + 2/3 + 1/3 + 1) / 4, recall (1 + 1 + 1/2 + 1/2) / 4.
        let score = Self.bCubed([("1", "a"), ("1", "a"), ("1", "b"), ("2", "b")])
        #expect(abs(score.precision - 2 / 3) < 1e-9)
        #expect(abs(score.recall - 0.75) < 1e-9)
    }

    private static func headlines() throws -> [Headline] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Headline.self, from: Data($0.utf8))
        }
    }

    /// In the given order and not by time: the times of the data follow the labels.
    private static func grouped(_ headlines: [Headline]) -> [(group: String, label: String)] {
        var grouper = StoryGrouper()
        grouper.add(
            headlines.enumerated().map {
                StoryArticle(id: $1.id, title: $1.title, url: "", source: $1.source, publishedAt: Int64($0))
            })
        return headlines.map { (grouper.story(of: $0.id)?.text ?? "", $0.story) }
    }

    /// By day, as the service groups them; `StoryMeasure` has the figures of all days in one.
    @Test func labelledStoriesOfADayAreFound() throws {
        let days = Dictionary(grouping: try Self.headlines()) { $0.publishedAt.prefix(10) }
        #expect(days.count == 3)
        var pairs: [(group: String, label: String)] = []
        for (day, headlines) in days {
            let found = Self.grouped(headlines)
            let score = Self.bCubed(found)
            #expect(score.f1 >= 0.78, "\(day): \(score)")
            pairs += found
        }
        let score = Self.bCubed(pairs)
        #expect(score.f1 >= 0.86, "\(score)")
    }

    /// A day's articles in an order that has nothing to do with their stories.
    @Test func theOrderOfArrivalMattersLittle() throws {
        let day = try Self.headlines().filter { $0.publishedAt.hasPrefix("2014-03-10") }
        let mixed = day.sorted { $0.title.reversed().lexicographicallyPrecedes($1.title.reversed()) }
        let score = Self.bCubed(Self.grouped(mixed))
        #expect(score.f1 >= 0.75, "\(score)")
    }
}
