import JobQueue
import Testing

/// The cost of prefixes that were written to a provider's cache and not read again.
@Suite struct UnreadMarkTests {
    private func call(
        _ second: Int64, _ text: String, wrote microDollars: Int64 = 0, life: Duration = .seconds(300),
        prompt: String? = "p"
    ) -> MarkedCall {
        MarkedCall(
            id: "\(second)", createdAt: Timestamp(milliseconds: second * 1000), model: "claude/m", prompt: prompt,
            kind: "research", user: UserID(rawValue: 7), job: JobID(high: 1, low: 2), marks: [CallMark](text: text),
            writeMicroDollars: microDollars, life: life)
    }

    private func unread(_ calls: [MarkedCall], until second: Int64, by grouping: CostGrouping = .prompt) -> [String:
        Int64]
    {
        var marks = UnreadMarks(by: grouping)
        for call in calls { marks.add(call) }
        marks.close(before: Timestamp(milliseconds: second * 1000))
        return marks.microDollars
    }

    @Test func aMarkThatALaterCallReadsIsNotLost() {
        let calls = [call(0, "a:100", wrote: 50), call(10, "+a:100")]
        #expect(unread(calls, until: 10_000).isEmpty)
    }

    @Test func aWriteIsDividedAmongItsMarksByTheirTokens() {
        let calls = [call(0, "a:300 b:400", wrote: 80), call(10, "+a:300 c:500", wrote: 20)]
        #expect(unread(calls, until: 10_000) == ["p": 40], "20 for b and 20 for c")
    }

    @Test func aMarkThatCanStillBeReadIsNotLostYet() {
        #expect(unread([call(0, "a:100", wrote: 50)], until: 300).isEmpty)
        #expect(unread([call(0, "a:100", wrote: 50)], until: 301) == ["p": 50])
        #expect(unread([call(0, "a:100", wrote: 50, life: .seconds(3600))], until: 3600).isEmpty)
    }

    @Test func aMarkThatIsWrittenAgainWasLost() {
        let calls = [call(0, "a:100", wrote: 50, prompt: "first"), call(10, "a:100", wrote: 50), call(20, "+a:100")]
        #expect(unread(calls, until: 10_000) == ["first": 50])
    }

    @Test func aPrefixThatTheProviderDidNotKeepCostsNothing() {
        #expect(unread([call(0, "a:100")], until: 10_000).isEmpty)
    }

    @Test(arguments: zip(CostGrouping.allCases, ["1970-01-01", "research", "claude/m", "7", "job", "p"]))
    func groupsAreThoseOfTheCosts(_ grouping: CostGrouping, _ group: String) {
        let lost = unread([call(0, "a:100", wrote: 50)], until: 10_000, by: grouping)
        #expect(lost == [grouping == .job ? "\(JobID(high: 1, low: 2))" : group: 50])
    }

    @Test func marksKeepTheirTextAndPassOverWhatTheyCannotRead() {
        let text = "+0123456789abcdef:8012 90817263544f5e6d:11200"
        #expect([CallMark](text: text).text == text)
        #expect([CallMark](text: "a b:x +:9 :1 c:3").text == "c:3")
    }
}
