import JobQueue
import Testing

@Suite struct JobIDTests {
    @Test func anIDIsAVersionSevenUUIDThatKnowsItsTime() throws {
        var generator = SystemRandomNumberGenerator()
        let id = JobID(at: Timestamp(milliseconds: 0x0190_1234_5678), using: &generator)
        let text = id.description
        #expect(text.hasPrefix("01901234-5678-7"))
        #expect("89ab".contains(text[text.index(text.startIndex, offsetBy: 19)]))
        #expect(JobID(text) == id)
        #expect(JobID(text.uppercased()) == id)
        #expect(id.createdAt.milliseconds == 0x0190_1234_5678)
    }

    @Test func laterIDsSortAfterEarlierOnes() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<100).map { JobID(at: Timestamp(milliseconds: 1000 + $0), using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
    }

    @Test(arguments: ["", "x", "0190123456787abc8def0123456789ab", "01901234-5678-7abc-8def-0123456789ag"])
    func whatIsNoUUIDIsRefused(text: String) { #expect(JobID(text) == nil) }
}
