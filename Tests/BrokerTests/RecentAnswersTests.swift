import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import Broker

@Suite struct RecentAnswersTests {
    @Test func anAnswerIsRememberedForAnHour() async throws {
        let time = Mutex<Int64>(0)
        let recent = RecentAnswers(documents: MemoryDocuments()) { Timestamp(milliseconds: time.withLock(\.self)) }
        var generator = SystemRandomNumberGenerator()
        let job = JobID(at: Timestamp(milliseconds: 0), using: &generator)
        #expect(await recent.job(of: "a") == nil)
        await recent.note(job, for: "a")
        #expect(await recent.job(of: "a") == job)
        #expect(await recent.job(of: "b") == nil)
        time.withLock { $0 = 3_599_999 }
        #expect(await recent.job(of: "a") == job)
        time.withLock { $0 = 3_600_000 }
        #expect(await recent.job(of: "a") == nil)
    }
}
