import HTTP
import JobQueue
import TestSupport
import Testing

@testable import LanguageModels

@Suite struct CallQueueTests {
    private func entry(
        _ queue: inout CallQueue<Int>, user: Int64, age: Int64, isInteractive: Bool = false
    ) -> UInt64 {
        let id = queue.makeID()
        queue.add(
            .init(
                id: id, place: CallPlace(user: UserID(rawValue: user), createdAt: Timestamp(milliseconds: age)),
                need: CallNeed(input: 1, output: 1, isInteractive: isInteractive), since: .zero,
                longestWait: .seconds(5), waiter: 0))
        return id
    }

    @Test func interactiveCallsComeFirstAndUsersTakeTurns() {
        var queue = CallQueue<Int>()
        let first = [3, 1, 2].map { entry(&queue, user: 1, age: $0) }
        let second = [9, 8].map { entry(&queue, user: 2, age: $0) }
        let interactive = entry(&queue, user: 3, age: 10, isInteractive: true)
        #expect(
            queue.ordered().map(\.id) == [interactive, first[1], second[1], first[2], second[0], first[0]])
    }

    @Test func aUserThatWasServedComesAfterOneThatWaited() {
        var queue = CallQueue<Int>()
        let one = entry(&queue, user: 1, age: 1)
        _ = queue.begin(one)
        let again = entry(&queue, user: 1, age: 2)
        let other = entry(&queue, user: 2, age: 9)
        #expect(queue.ordered().map(\.id) == [other, again])
        _ = queue.begin(other)
        let third = entry(&queue, user: 2, age: 3)
        #expect(queue.ordered().map(\.id) == [again, third])
    }

    /// Calls come and begin at random: none begins before an earlier one of its user and lane, and a user with many
    /// calls does not delay another one's by more than a turn.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func noCallWaitsBehindALaterOneOfItsUserAndUrgency(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = CallQueue<Int>()
        var age: Int64 = 0
        var begunSince: [UserID?: Int] = [:]
        for _ in 0..<3000 {
            age += 1
            let user = Int64.random(in: 0..<10, using: &random) < 7 ? 1 : Int64.random(in: 2...4, using: &random)
            _ = entry(&queue, user: user, age: age, isInteractive: Int.random(in: 0..<9, using: &random) == 0)
            guard queue.count > 20, let next = queue.ordered().first, let begun = queue.begin(next.id) else { continue }
            let isEarliest = queue.all.allSatisfy { other in
                other.place.user != begun.place.user || other.need.isInteractive != begun.need.isInteractive
                    || other.place.createdAt > begun.place.createdAt
            }
            #expect(isEarliest)
            if begun.need.isInteractive { continue }
            #expect(!queue.all.contains { $0.need.isInteractive })
            let waiting = Set(queue.all.map(\.place.user))
            for user in waiting where user != begun.place.user { begunSince[user, default: 0] += 1 }
            begunSince[begun.place.user] = 0
            for user in waiting { #expect(begunSince[user, default: 0] <= 8, "user \(String(describing: user))") }
        }
    }
}

@Suite struct RateLimitHeaderTests {
    private let now: Int64 = 1_795_219_200_000

    @Test func claudesHeadersTellThreeBuckets() {
        let reading = RateLimitHeaders.read(
            [
                "anthropic-ratelimit-requests-limit": "1000", "anthropic-ratelimit-requests-remaining": "990",
                // In whole seconds, rounded up.
                "anthropic-ratelimit-requests-reset": "2026-11-21T00:00:02Z",
                "anthropic-ratelimit-input-tokens-limit": "2000000",
                "anthropic-ratelimit-input-tokens-remaining": "1996000",
                "anthropic-ratelimit-input-tokens-reset": "2026-11-21T00:00:00.250Z",
                "anthropic-ratelimit-output-tokens-limit": "400000",
                "anthropic-ratelimit-output-tokens-remaining": "400000",
                "anthropic-ratelimit-tokens-limit": "2400000", "anthropic-ratelimit-tokens-remaining": "2396000",
            ], wallMilliseconds: now)
        #expect(
            reading.lines == [
                .requests: .init(limit: 1000, remaining: 990, fullIn: .seconds(1)),
                .input: .init(limit: 2_000_000, remaining: 1_995_500, uncertainty: 1000, fullIn: .milliseconds(250)),
                .output: .init(limit: 400_000, remaining: 400_000, fullIn: nil),
            ])
    }

    @Test(arguments: [
        // In step with this machine: the second has just begun, or is nearly over and the answer took a while.
        ("Sat, 21 Nov 2026 00:00:00 GMT", 10_000), ("Fri, 20 Nov 2026 23:59:58 GMT", 10_000),
        // Seven seconds ahead and behind: the end of the second that is told counts.
        ("Sat, 21 Nov 2026 00:00:07 GMT", 2001), ("Fri, 20 Nov 2026 23:59:53 GMT", 16_001), ("no date", 10_000),
    ])
    func timesAreReadByTheClockOfTheProvider(date: String, wait: Int64) {
        let reading = RateLimitHeaders.read(
            [
                "date": date, "anthropic-ratelimit-requests-limit": "1000",
                "anthropic-ratelimit-requests-remaining": "990",
                "anthropic-ratelimit-requests-reset": "2026-11-21T00:00:10.000Z",
            ], wallMilliseconds: now)
        #expect(reading.lines[.requests]?.fullIn == .milliseconds(wait))
    }

    @Test func headersOfCompatibleServersTellRequestsAndTokensTogether() {
        let reading = RateLimitHeaders.read(
            [
                "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-requests": "1s", "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "6m0s",
            ], wallMilliseconds: now)
        #expect(
            reading.lines == [
                .requests: .init(limit: 60, remaining: 59, fullIn: .seconds(1)),
                .tokens: .init(limit: 150_000, remaining: 149_984, fullIn: .seconds(360)),
            ])
    }

    @Test(arguments: [
        ["anthropic-ratelimit-requests-limit": "many", "anthropic-ratelimit-requests-remaining": "1"],
        ["anthropic-ratelimit-requests-limit": "10"], ["x-ratelimit-limit-requests": "0"],
        ["anthropic-ratelimit-requests-limit": "10", "anthropic-ratelimit-requests-remaining": "-1"], [:],
    ])
    func headersThatSayNothingUsableTellNothing(headers: [String: String]) {
        var all: HTTPHeaders = [:]
        for (name, value) in headers { all[name] = value }
        #expect(RateLimitHeaders.read(all, wallMilliseconds: now).lines.isEmpty)
    }

    @Test(
        arguments: [
            ("12ms", Duration.milliseconds(12)), ("1.5s", .milliseconds(1500)), ("6m0s", .seconds(360)),
            ("7", .seconds(7)),
            ("1h2m", .seconds(3720)), ("", nil), ("soon", nil), ("-3s", nil), ("3x", nil), ("99999999999s", nil),
        ] as [(String, Duration?)])
    func durationsAreReadInTheFormsThatServersUse(text: String, duration: Duration?) {
        #expect(RateLimitHeaders.duration(text) == duration)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21 00:00:00Z", "2026-13-21T00:00:00Z", "2026-11-21T00:00:00", "éééééééééééééééééééZ",
    ])
    func otherTextsAreNoTimes(text: String) { #expect(RateLimitHeaders.time(text) == nil) }
}
