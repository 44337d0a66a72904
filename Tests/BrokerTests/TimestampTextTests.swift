import JobQueue
import Testing

@testable import Broker

/// The times of requests.
struct TimestampTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:01z", 1000), ("1970-01-01T00:00:00.5Z", 500),
        ("1970-01-01T00:00:00.1239999Z", 123), ("1970-01-01T01:30:00+01:30", 0), ("1969-12-31T23:00:00-01:00", 0),
        ("2026-11-24T23:59:60Z", 1795564799000), ("0032-11-18T07:47:01-23:11", -61129443719000),
    ])
    func aTimeOfRFC3339IsRead(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-24", "2026-11-24T08:00:00", "2026-02-30T08:00:00Z", "2026-11-24T24:00:00Z", "2026-11-24T08:60:00Z",
        "2026-11-24T08:00:61Z", "2026-11-24T08:00:00.Z", "2026-11-24T08:00:00+24:00", "2026-11-24T08:00:00+0100",
        "2026-11-24T08:00:00Z ", "2026-11-24 08:00:00Z", "２026-11-24T08:00:00Z", "now",
    ])
    func anotherTextIsNone(text: String) { #expect(Timestamp(iso8601: text) == nil) }
}
