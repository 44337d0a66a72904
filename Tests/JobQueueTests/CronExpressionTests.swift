import Foundation
import JobQueue
import Testing

@Suite struct CronExpressionTests {
    // MARK: Times in UTC

    @Test(arguments: [
        ("* * * * *", "2026-11-21T12:00:00Z", "2026-11-21T12:01:00Z"),
        ("* * * * *", "2026-11-21T12:00:59Z", "2026-11-21T12:01:00Z"),
        ("*/15 * * * *", "2026-11-21T12:07:00Z", "2026-11-21T12:15:00Z"),
        ("*/15 * * * *", "2026-11-21T23:45:00Z", "2026-11-22T00:00:00Z"),
        ("5-20/5 * * * *", "2026-11-21T12:20:00Z", "2026-11-21T13:05:00Z"),
        ("0,30 8-10 * * *", "2026-11-21T08:30:00Z", "2026-11-21T09:00:00Z"),
        ("0,30 8-10 * * *", "2026-11-21T10:30:00Z", "2026-11-22T08:00:00Z"),
        ("0 7 * * mon-fri", "2026-11-20T07:00:00Z", "2026-11-23T07:00:00Z"),
        ("0 7 * * MON,Wed", "2026-11-23T07:00:00Z", "2026-11-25T07:00:00Z"),
        ("0 0 * * 0", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("0 0 * * 7", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("0 0 * * 5-7", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("0 0 1 jan,JUL *", "2026-11-21T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("0 0 31 * *", "2026-11-21T00:00:00Z", "2026-12-31T00:00:00Z"),
        ("0 0 31 4-6 *", "2026-11-21T00:00:00Z", "2027-05-31T00:00:00Z"),
        ("0 0 29 2 *", "2026-11-21T00:00:00Z", "2028-02-29T00:00:00Z"),
        ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
        ("59 23 31 12 *", "2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"),
        ("@hourly", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z"),
        ("@daily", "2026-11-21T12:00:00Z", "2026-11-22T00:00:00Z"),
        ("@weekly", "2026-11-21T12:00:00Z", "2026-11-22T00:00:00Z"),
        ("@monthly", "2026-11-21T12:00:00Z", "2026-12-01T00:00:00Z"),
        ("@yearly", "2026-11-21T12:00:00Z", "2027-01-01T00:00:00Z"),
        ("  0\t0  *  * * ", "2026-11-21T12:00:00Z", "2026-11-22T00:00:00Z"),
    ])
    func theNextTimeIs(_ text: String, after: String, next: String) throws {
        let expression = try CronExpression(parsing: text)
        #expect(expression.next(after: try timestamp(after), in: .utc) == (try timestamp(next)))
        #expect(expression.latest(at: try timestamp(next), in: .utc) == (try timestamp(next)))
    }

    /// With two restricted day fields one match is enough. A field that begins with `*` does not restrict the day.
    @Test(arguments: [
        ("0 0 13 * fri", ["2026-11-27", "2026-12-04", "2026-12-11", "2026-12-13", "2026-12-18"]),
        ("0 0 13 * *", ["2026-12-13", "2027-01-13"]),
        ("0 0 * * fri", ["2026-11-27", "2026-12-04"]),
        ("0 0 */2 * mon", ["2026-11-23", "2026-12-07"]),
        ("0 0 31 2 mon", ["2027-02-01", "2027-02-08"]),
    ])
    func bothDayFieldsTogether(_ text: String, days: [String]) throws {
        let expression = try CronExpression(parsing: text)
        var time = try timestamp("2026-11-21T12:00:00Z")
        for day in days {
            time = try #require(expression.next(after: time, in: .utc))
            #expect(time == (try timestamp(day + "T00:00:00Z")))
        }
    }

    // MARK: Zones

    /// Clocks in Berlin went from 2:00 to 3:00 on 2026-03-29, and from 3:00 back to 2:00 on 2026-10-25.
    @Test(arguments: [
        // A skipped time runs once, at the change.
        ("30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
        ("*/20 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
        ("0 3 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"]),
        // A repeated time runs the first time.
        ("30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        ("0 2,3 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"]),
        // An expression for every hour follows elapsed time.
        ("30 * * * *", "2026-03-29T00:00:00Z", ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"]),
        (
            "30 * * * *", "2026-10-25T00:00:00Z",
            ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"]
        ),
        ("0 7 * * *", "2026-11-21T05:00:00Z", ["2026-11-21T06:00:00Z"]),
        ("0 7 * * *", "2026-07-21T04:00:00Z", ["2026-07-21T05:00:00Z"]),
    ])
    func clocksThatChange(_ text: String, after: String, times: [String]) throws {
        try expect(text, in: "Europe/Berlin", after: after, times)
    }

    @Test func changesOfHalfAnHourAndAtMidnightAreFollowed() throws {
        // Lord Howe: from 2:00 to 2:30 on 2026-10-04, UTC+10:30 to +11.
        try expect("15 2 * * *", in: "Australia/Lord_Howe", after: "2026-10-03T00:00:00Z", ["2026-10-03T15:30:00Z"])
        // Beirut: from 0:00 to 1:00 on 2026-03-29, UTC+2 to +3.
        try expect(
            "0 0 * * *", in: "Asia/Beirut", after: "2026-03-28T00:00:00Z",
            ["2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z"])
        // Samoa had no 2011-12-30: its jobs ran when the 31st began.
        try expect("0 12 30 * *", in: "Pacific/Apia", after: "2011-12-29T00:00:00Z", ["2011-12-30T10:00:00Z"])
    }

    @Test func zonesAheadOfAndBehindUTCHaveTheirOwnDays() throws {
        try expect("0 1 * * mon", in: "Pacific/Kiritimati", after: "2026-11-21T00:00:00Z", ["2026-11-22T11:00:00Z"])
        try expect("0 23 * * sun", in: "America/Los_Angeles", after: "2026-11-21T00:00:00Z", ["2026-11-23T07:00:00Z"])
    }

    /// In every zone the times grow, and the latest time at each of them is the time itself.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "Africa/Casablanca"])
    func forwardAndBackwardAgree(_ zone: String) throws {
        let offsets = try offsets(zone)
        for text in ["17 */3 * * *", "*/30 1-3 * * *", "0 0 * * *", "45 * * * *"] {
            let expression = try CronExpression(parsing: text)
            var time = try #require(expression.latest(at: timestamp("2026-03-01T00:00:00Z"), in: offsets))
            let end = try timestamp("2026-04-08T00:00:00Z")
            while time < end {
                let next = try #require(expression.next(after: time, in: offsets))
                #expect(next > time)
                #expect(expression.latest(at: next, in: offsets) == next)
                let before = try #require(expression.latest(at: next - .seconds(1), in: offsets))
                #expect(before <= time)
                time = next
            }
        }
    }

    // MARK: Refused expressions

    @Test(arguments: [
        ("", "five fields"), ("* * * *", "five fields"), ("* * * * * *", "five fields"), ("@often", "five fields"),
        ("60 * * * *", "minute '60' must be from 0 to 59"), ("* 24 * * *", "hour '24'"),
        ("* * 0 * *", "day of month '0'"), ("* * 32 * *", "day of month '32'"), ("* * * 13 *", "month '13'"),
        ("* * * * 8", "day of week '8'"), ("* * * foo *", "a name such as jan"), ("* * * * mo", "day of week 'mo'"),
        ("-1 * * * *", "minute ''"), ("+1 * * * *", "minute '+1'"), ("1.5 * * * *", "minute '1.5'"),
        ("1, * * * *", "minute ''"), ("10-5 * * * *", "runs backwards"), ("* * * * fri-mon", "runs backwards"),
        ("*/0 * * * *", "step '0'"), ("*/60 * * * *", "step '60'"), ("5/10 * * * *", "needs a range"),
        ("*/ * * * *", "step ''"), ("*-5 * * * *", "minute '*'"), ("0x1 * * * *", "minute '0x1'"),
        ("٣ * * * *", "minute '٣'"), ("0 0 30 2 *", "never comes"), ("0 0 31 4,6,9,11 *", "never comes"),
        ("100000000000000000000 * * * *", "minute"),
    ])
    func aWrongExpressionIsRefusedInWords(_ text: String, says: String) {
        let error = #expect(throws: CronError.self) { _ = try CronExpression(parsing: text) }
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    // MARK: Intervals

    @Test func theTimesOfAnIntervalAreTheSameForAllWorkers() throws {
        let times = ScheduleTimes.every(.seconds(900))
        #expect(times.next(after: try timestamp("2026-11-21T12:07:31Z")) == (try timestamp("2026-11-21T12:15:00Z")))
        #expect(times.latest(at: try timestamp("2026-11-21T12:07:31Z")) == (try timestamp("2026-11-21T12:00:00Z")))
        #expect(times.latest(at: try timestamp("2026-11-21T12:15:00Z")) == (try timestamp("2026-11-21T12:15:00Z")))
        #expect(times.next(after: try timestamp("2026-11-21T12:15:00Z")) == (try timestamp("2026-11-21T12:30:00Z")))
    }

    // MARK: Help

    private func expect(_ text: String, in zone: String, after: String, _ times: [String]) throws {
        let expression = try CronExpression(parsing: text)
        var time = try timestamp(after)
        for expected in times {
            time = try #require(expression.next(after: time, in: offsets(zone)))
            #expect(
                time == (try timestamp(expected)),
                "\(text) in \(zone): \(Date(timeIntervalSince1970: Double(time.milliseconds / 1000)))")
        }
    }

    private func offsets(_ name: String) throws -> ZoneOffsets {
        let zone = try #require(TimeZone(identifier: name))
        return ZoneOffsets(name: name) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }

    private func timestamp(_ text: String) throws -> Timestamp {
        Timestamp(milliseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1000)
    }
}
