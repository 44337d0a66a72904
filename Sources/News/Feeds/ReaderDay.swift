internal import Basics
package import JobQueue

/// A day of a reader: from midnight to midnight in the reader's time zone.
package struct ReaderDay: Sendable, Hashable {
    /// `2026-01-04`
    package let date: String
    package let start: Timestamp
    package let end: Timestamp

    /// `nil` for what is no date from 1970 on.
    package init?(_ date: String, in zone: ZoneOffsets) {
        guard let start = FeedTimestamp.start(ofDate: date) else { return nil }
        self.date = date
        self.start = Self.midnight(start, in: zone)
        end = Self.midnight(start + .seconds(86_400), in: zone)
    }

    /// The date on which it is this time in a zone.
    package static func date(at timestamp: Timestamp, in zone: ZoneOffsets) -> String {
        let seconds = timestamp.milliseconds / 1000
        return FeedTimestamp.date(timestamp + .seconds(zone.offset(seconds)))
    }

    /// The days in UTC, by which stories are kept, that the day is in: one in UTC, else two.
    var storyDays: [String] {
        let (first, last) = (FeedTimestamp.date(start), FeedTimestamp.date(end - .milliseconds(1)))
        return first == last ? [first] : [first, last]
    }

    /// Whether a story got an article on this day. One that was taken in on another day than its own, for a past date,
    /// belongs to the reader's day of that date.
    func includes(_ story: NewsStory) -> Bool {
        story.members.contains {
            $0.addedAt >= start && $0.addedAt < end && FeedTimestamp.date($0.addedAt) == story.day
        }
            || story.day == date && !story.members.contains { FeedTimestamp.date($0.addedAt) == story.day }
    }

    /// The time at which the clocks of a zone show this midnight. The offset in force then decides, which on the days of
    /// a change is not the one of half a day before.
    private static func midnight(_ utc: Timestamp, in zone: ZoneOffsets) -> Timestamp {
        let seconds = utc.milliseconds / 1000
        let guess = seconds - zone.offset(seconds)
        return Timestamp(milliseconds: (seconds - zone.offset(guess)) * 1000)
    }
}
