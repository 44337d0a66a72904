import JobQueue
import Testing

@testable import LanguageModels

@Suite struct CallsUnderWayTests {
    @Test func outputIsReportedAsItIsWrittenAndOnce() {
        var calls = CallsUnderWay()
        let (first, second) = (
            calls.begin(1, CallNeed(input: 1, output: 900)), calls.begin(2, CallNeed(input: 1, output: 600))
        )
        #expect(calls.count == 2 && calls.expectedOutput == 1500)
        #expect(calls.takeWritten() == 0)
        first.add(400)
        second.add(40)
        #expect(calls.takeWritten() == 110)
        #expect(calls.takeWritten() == 0)
        first.add(100)
        #expect(calls.takeWritten() == 25)
        #expect(calls.end(1, output: 120) == -5)
        #expect(calls.end(1, output: 120) == 0)
        #expect(calls.count == 1 && calls.expectedOutput == 600)
    }

    @Test func anAnswerTellsTheTokensOfAByte() {
        var calls = CallsUnderWay()
        calls.begin(1, CallNeed(input: 1, output: 900)).add(1000)
        #expect(calls.end(1, output: 500) == 500)
        calls.begin(2, CallNeed(input: 1, output: 900)).add(1000)
        #expect(calls.takeWritten() == 500)
    }

    @Test func aCallWithoutAToldUseKeepsWhatWasCounted() {
        var calls = CallsUnderWay()
        let content = calls.begin(1, CallNeed(input: 1, output: 900))
        content.add(400)
        #expect(calls.takeWritten() == 100)
        content.add(40)
        #expect(calls.end(1, output: nil) == 10)
        _ = calls.begin(2, CallNeed(input: 1, output: 900))
        #expect(calls.end(2, output: nil) == 0)
    }
}
