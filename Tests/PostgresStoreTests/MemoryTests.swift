import SQLSupport
import Testing

@testable import PostgresStore

/// The scans of claims, and the windows of checks for passed deadlines.
@Suite struct MemoryTests {
    private let start = ContinuousClock.now

    @Test func claimsScanFromThePositionOfTwoSecondsAgoAndOnceASecondFromThatOfTenSecondsAgo() {
        let memory = ClaimMemory()
        var begins: [Int: [Int64]] = [:]
        // A claim every 100 ms, while the queue advances by one position a millisecond.
        for milliseconds in stride(from: 0, through: 30_000, by: 100) {
            let now = start + .milliseconds(milliseconds)
            begins[milliseconds / 1000, default: []].append(memory.scanStart(at: now).positions.background)
            memory.note(interactive: 0, background: Int64(milliseconds), at: now)
        }
        // In its first two seconds a process scans from the beginning a few times a second.
        #expect(begins[0]?.count { $0 == 0 } ?? 0 >= 5)
        let late = (begins[29] ?? []).sorted()
        #expect(late.count == 10 && late[0] >= 18_000 && late[0] <= 19_900)
        #expect(late.dropFirst().allSatisfy { $0 >= 26_000 && $0 <= 27_900 })
    }

    @Test func claimsScanFromTheBeginningOnceAMinute() {
        let memory = ClaimMemory()
        var beginnings: [Int] = []
        for second in 0..<300 {
            let now = start + .seconds(second)
            if memory.scanStart(at: now).positions.background == 0, second > 15 { beginnings.append(second) }
            memory.note(interactive: 0, background: Int64(1000 * second + 1), at: now)
        }
        #expect(beginnings.count == 4, "\(beginnings)")
    }

    /// The worker claims again soon, and then scans farther back.
    @Test func aShortScanIsFollowedByALongOne() {
        let memory = ClaimMemory()
        for second in 0..<100 {
            let now = start + .seconds(10 * second)
            _ = memory.scanStart(of: 1, at: now)
            memory.note(interactive: 0, background: Int64(second), at: now)
            #expect(!memory.hadShortScan(1), "the first scan after a quiet time is long")
            _ = memory.scanStart(of: 2, at: now + .milliseconds(20))
            #expect(memory.hadShortScan(2))
            _ = memory.scanStart(of: 3, at: now + .milliseconds(20) + ClaimMemory.timeout)
            #expect(!memory.hadShortScan(3))
        }
    }

    @Test func checksForPassedDeadlinesGoBackToTheLastOneAndOnceAMinuteToTheBeginning() throws {
        let memory = DeadlineMemory()
        #expect(memory.window(at: start) == nil)
        memory.note(foundAll: true, at: start)
        #expect(try #require(memory.window(at: start + .seconds(3))) >= .seconds(3))
        // A check that left jobs over does not move the window.
        memory.note(foundAll: false, at: start + .seconds(3))
        #expect(try #require(memory.window(at: start + .seconds(40))) >= .seconds(40))
        memory.note(foundAll: true, at: start + .seconds(40))
        #expect(memory.window(at: start + .seconds(61)) == nil)
    }
}
