import Testing

@testable import Articles

@Suite struct PublishedDateTests {
    @Test(arguments: [
        ("2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
        ("2026-11-20T08:00:00.123+01:00", "2026-11-20T08:00:00+01:00"),
        ("2026-11-20T08:00:00-0530", "2026-11-20T08:00:00-05:30"), ("2026-11-20 08:00:00", "2026-11-20T08:00:00Z"),
        ("2026-11-20T08:00", "2026-11-20T08:00:00Z"), ("20261120080005", "2026-11-20T08:00:05Z"),
        ("2026-11-20", "2026-11-20"), ("20261120", "2026-11-20"), ("2026-11", "2026-11-01"),
        ("2026/11/20", "2026-11-20"),
        ("Fri, 20 Nov 2026 08:00:00 GMT", "2026-11-20T08:00:00Z"), ("20 Nov 26 08:00 EST", "2026-11-20T08:00:00-05:00"),
        ("Fri, 20 Nov 2026 08:00:00 +0200", "2026-11-20T08:00:00+02:00"),
        ("Friday, 20-Nov-26 08:00:00 GMT", "2026-11-20T08:00:00Z"),
        ("Fri Nov 20 08:00:00 2026", "2026-11-20T08:00:00Z"),
        ("Sat, 07 Sep 2002 0:0:1 GMT", "2002-09-07T00:00:01Z"), ("November 20, 2026 8:05 PM", "2026-11-20T20:05:00Z"),
        ("12:30 a.m. Nov. 20, 2026", "2026-11-20T00:30:00Z"), ("20 November 2026", "2026-11-20"),
        ("20. März 2026, 08:00 Uhr", "2026-03-20T08:00:00Z"), ("20 juillet 2026", "2026-07-20"),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"), ("2024-02-29", "2024-02-29"),
    ])
    func datesAreReadAsTheyAreWritten(text: String, expected: String) {
        #expect(PublishedDate(text)?.description == expected)
    }

    @Test(arguments: [
        "", "yesterday", "2026-02-30", "2025-02-29", "32 Nov 2026", "2026-13-01", "2026-11-20T25:00:00Z", "11",
        "99999999",
        "Ïáû, 29 Éïýë 2004 12:53:00 GMT", String(repeating: "1", count: 10_000),
    ])
    func otherTextsAreNoDate(text: String) {
        #expect(PublishedDate(text) == nil)
    }

    @Test func theZoneDoesNotChangeTheInstant() {
        #expect(PublishedDate("2026-11-20T08:00:00+01:00")?.secondsSinceEpoch == 1_795_158_000)
        #expect(PublishedDate("Fri, 20 Nov 2026 07:00:00 GMT")?.secondsSinceEpoch == 1_795_158_000)
        #expect(PublishedDate("2026-11-20")?.secondsSinceEpoch == 1_795_132_800)
    }
}
