import JSON
import JobQueue
import TestSupport
import Testing

@testable import Broker

@Suite struct ForecastInputTests {
    /// Monday 2026-11-23 at noon in UTC.
    private static let now = Timestamp(milliseconds: 1_795_435_200_000)

    @Test func equalRequestsAreOneInOneSpelling() throws {
        let short = try ForecastInput(JSONField(["symbol": " brk.b ", "horizon": .null]), lookback: 90)
        let long = try ForecastInput(
            JSONField(["lookbackDays": 90, "timeframe": "d1", "horizon": "1D", "symbol": "BRK-B"]), lookback: 1095)
        #expect(short.json == long.json)
        #expect(short.documentKey(at: Self.now) == "forecast:2:BRK-B:d1:1D:90:2026-11-20")
        #expect(short.sharedKey(of: "training", at: Self.now) != short.sharedKey(of: "forecast", at: Self.now))
        // After Monday's close there is another bar.
        #expect(long.documentKey(at: Self.now + .seconds(10 * 3600)).hasSuffix(":2026-11-23"))
    }

    @Test(
        arguments: [
            ([:], "symbol is required"), (["symbol": .null], "symbol is required"),
            (["symbol": 7], "symbol must be a string, not a number"),
            (["symbol": "../etc"], "symbol is not a ticker such as AAPL or BRK-B"),
            (["symbol": "A", "timeframe": "m15"], "timeframe must be one of d1, h1"),
            (["symbol": "A", "lookbackDays": 90.5], "lookbackDays must be a whole number from 60 to 3650"),
            (["symbol": "A", "lookbackDays": 3651], "lookbackDays must be a whole number from 60 to 3650"),
        ] as [(JSON, String)])
    func whatIsWrongIsNamed(input: JSON, message: String) {
        do {
            _ = try ForecastInput(JSONField(input), lookback: 90)
            Issue.record("accepted")
        } catch {
            #expect(error.message == message)
        }
    }

    @Test func aUserMayTrainTwentyDifferentModelsADay() throws {
        let allowance = TrainingAllowance()
        func input(_ days: Int, _ symbol: String = "A") throws -> ForecastInput {
            try ForecastInput(JSONField(["symbol": JSON(symbol), "lookbackDays": JSON(days)]), lookback: 90)
        }
        for index in 1...TrainingAllowance.limit {
            #expect(allowance.count(try input(60 + index), of: 1, at: Self.now, isNew: true) == index)
            #expect(allowance.count(try input(60 + index), of: 1, at: Self.now, isNew: true) == index)
        }
        #expect(allowance.count(try input(200), of: 1, at: Self.now, isNew: true) == nil)
        #expect(allowance.count(try input(61), of: 1, at: Self.now, isNew: true) == 20)
        #expect(allowance.total(of: 1, at: Self.now) == TrainingAllowance.limit)
        // A training that could not be made is given back.
        allowance.giveBack(try input(61), of: 1)
        #expect(allowance.count(try input(61, "B"), of: 1, at: Self.now, isNew: true) == 1)
        #expect(allowance.count(try input(300, "B"), of: 1, at: Self.now, isNew: true) == nil)
        allowance.giveBack(try input(61, "B"), of: 1)
        #expect(allowance.count(try input(61), of: 1, at: Self.now, isNew: true) == 20)
        // An answer that exists is given; other users and days have counts of their own.
        #expect(allowance.count(try input(200), of: 1, at: Self.now, isNew: false) == 21)
        #expect(allowance.count(try input(200), of: 2, at: Self.now, isNew: true) == 1)
        #expect(allowance.count(try input(200), of: 1, at: Self.now + .seconds(86_400), isNew: true) == 1)
    }
}
