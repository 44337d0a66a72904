import Basics
import Testing

@Suite struct CalendarDateTests {
    @Test(arguments: ["1970-01-01", "2000-02-29", "2024-02-29", "2024-12-31", "1999-03-01", "2100-02-28", "1600-02-29"])
    func aDateIsWrittenAsItWasRead(text: String) throws {
        #expect("\(try #require(CalendarDate(text)))" == text)
    }

    @Test(arguments: [
        "2023-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-1-01", "20240101", "2024-01-0a", "",
    ])
    func aDayThatDoesNotExistIsNoDate(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func datesCountDays() throws {
        let start = try #require(CalendarDate("2023-10-01"))
        let end = try #require(CalendarDate("2024-09-28"))
        #expect(end - start == 363)
        #expect(start + 363 == end)
        #expect(start < end)
        #expect(CalendarDate("1970-01-01")?.dayNumber == 0)
        #expect(CalendarDate("1969-12-31")?.dayNumber == -1)
    }

    @Test(arguments: [
        (0, "1970-01-01"), (1_795_219_199, "2026-11-20"), (1_795_219_200, "2026-11-21"), (1_798_761_599, "2026-12-31"),
        (1_798_761_600, "2027-01-01"), (951_782_400, "2000-02-29"), (-1, "1969-12-31"),
    ])
    func secondsBelongToTheirDayInUTC(seconds: Int64, day: String) throws {
        #expect(CalendarDate(secondsSinceEpoch: seconds) == (try #require(CalendarDate(day))))
    }

    @Test(arguments: ["2026-02-29", "2026-1-1", "yesterday", "2026-12-31T00:00:00Z"])
    func otherTextIsNoDate(text: String) { #expect(CalendarDate(text) == nil) }
}
