import JobQueue
import Testing

@testable import LanguageModels

@Suite struct CallsUnderWayTests {
    @Test func outputIsReportedAsItIsWrittenAndOnce() {
        var calls = CallsUnderWay()
        let (first, second) = (
            calls.begin(1, CallNeed(input: 1, output: 900), at: .zero),
            calls.begin(2, CallNeed(input: 1, output: 600), at: .zero)
        )
        #expect(calls.count == 2 && calls.expectedOutput == 1500)
        #expect(calls.takeWritten(at: .zero) == 0)
        first.add(400)
        second.add(40)
        #expect(calls.takeWritten(at: .zero) == 110)
        #expect(calls.takeWritten(at: .zero) == 0)
        first.add(100)
        #expect(calls.takeWritten(at: .zero) == 25)
        #expect(calls.end(1, output: 120, after: nil, at: .zero) == -5)
        #expect(calls.end(1, output: 120, after: nil, at: .zero) == 0)
        #expect(calls.count == 1 && calls.expectedOutput == 600)
    }

    @Test func anAnswerTellsTheTokensOfAByte() {
        var calls = CallsUnderWay()
        calls.begin(1, CallNeed(input: 1, output: 900), at: .zero).add(1000)
        #expect(calls.end(1, output: 500, after: nil, at: .zero) == 500)
        calls.begin(2, CallNeed(input: 1, output: 900), at: .zero).add(1000)
        #expect(calls.takeWritten(at: .zero) == 500)
    }

    @Test func aCallWithoutAToldUseKeepsWhatWasCounted() {
        var calls = CallsUnderWay()
        let content = calls.begin(1, CallNeed(input: 1, output: 900), at: .zero)
        content.add(400)
        #expect(calls.takeWritten(at: .zero) == 100)
        content.add(40)
        #expect(calls.end(1, output: nil, after: nil, at: .zero) == 10)
        _ = calls.begin(2, CallNeed(input: 1, output: 900), at: .zero)
        #expect(calls.end(2, output: nil, after: nil, at: .zero) == 0)
    }
}
