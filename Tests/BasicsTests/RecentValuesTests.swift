import Testing

@testable import Basics

@Suite struct RecentValuesTests {
    @Test func whatIsAskedForStaysAndTheRestGoes() {
        var values = RecentValues<Int, String>(generation: 3)
        for key in 0..<4 { values.keep("\(key)", of: key) }
        // 0 to 2 are the old generation; the one that is asked for moves into the young one.
        #expect(values.value(of: 1) == "1" && values.count == 4)
        for key in 4..<7 { values.keep("\(key)", of: key) }
        #expect(values.value(of: 0) == nil && values.value(of: 2) == nil)
        #expect(values.value(of: 1) == "1" && values.value(of: 6) == "6")
    }

    @Test func noMoreThanTwoGenerationsAreKept() {
        var values = RecentValues<Int, Int>(generation: 10)
        for key in 0..<1000 {
            values.keep(key, of: key)
            _ = values.value(of: key / 2)
            #expect(values.count <= 20)
        }
        values.keep(-1, of: 999)
        #expect(values.value(of: 999) == -1)
    }
}
