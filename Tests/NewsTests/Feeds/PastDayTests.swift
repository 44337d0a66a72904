import Basics
import JobQueue
import TestSupport
import Testing

@testable import News

/// The day of a reader to which stories of past days belong.
@Suite struct PastDayTests {
    /// A story of 15 November whose articles arrived at a time.
    private func story(arrived: Timestamp) -> NewsStory {
        NewsStory(
            key: "a", day: "2026-11-15", title: "A story", impact: .low, confidence: .low,
            members: [StoryMember(article: "a", url: "https://example.com/a", similarity: 9000, addedAt: arrived)],
            createdAt: arrived, updatedAt: arrived)
    }

    /// The dates from 14 to 17 November that show the story to a reader of the zone.
    private func dates(of story: NewsStory, in zone: String) throws -> [String] {
        let offsets = try #require(ZoneOffsets(named: zone))
        return try (14...17).map { "2026-11-\($0)" }.filter { try #require(ReaderDay($0, in: offsets)).includes(story) }
    }

    @Test(arguments: ["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"])
    func aStoryThatWasTakenInLaterForAPastDateBelongsToThatDate(zone: String) throws {
        // 2026-11-22, 12:00 in UTC.
        #expect(try dates(of: story(arrived: 1_795_348_800_000), in: zone) == ["2026-11-15"])
    }

    @Test func aStoryThatArrivedOnItsDayBelongsToTheReadersDayOfItsArrival() throws {
        // 2026-11-15, 02:00 in UTC.
        let night = story(arrived: 1_794_708_000_000)
        #expect(try dates(of: night, in: "UTC") == ["2026-11-15"])
        #expect(try dates(of: night, in: "America/New_York") == ["2026-11-14"])
        #expect(try dates(of: night, in: "Asia/Tokyo") == ["2026-11-15"])
        // 2026-11-15, 20:00 in UTC.
        #expect(try dates(of: story(arrived: 1_794_772_800_000), in: "Asia/Tokyo") == ["2026-11-16"])
    }
}
