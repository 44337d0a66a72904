import JobQueue
import Testing

@testable import Worker

@Suite struct WorkerConfigurationTests {
    private func slots(
        _ concurrency: Int, reserve: Int, interactive: Int = 0, background: Int = 0
    ) -> String {
        var configuration = WorkerConfiguration()
        configuration.concurrency = concurrency
        configuration.interactiveReserve = reserve
        let slots = configuration.slots(running: [.interactive: interactive, .background: background])
        return "\(slots[.interactive, default: -1]) interactive, \(slots[.background, default: -1]) background"
    }

    @Test func backgroundJobsLeaveTheReserveAlone() {
        #expect(slots(10, reserve: 4) == "4 interactive, 6 background")
        #expect(slots(10, reserve: 4, background: 6) == "4 interactive, 0 background")
        #expect(slots(10, reserve: 4, interactive: 1, background: 6) == "3 interactive, 0 background")
        #expect(slots(10, reserve: 4, interactive: 2, background: 3) == "2 interactive, 3 background")
    }

    @Test func oneSlotStaysFreeForInteractiveJobsBeyondTheReserve() {
        #expect(slots(10, reserve: 4, interactive: 4) == "1 interactive, 5 background")
        #expect(slots(10, reserve: 4, interactive: 4, background: 5) == "1 interactive, 0 background")
        #expect(slots(10, reserve: 0) == "1 interactive, 9 background")
    }

    @Test func aFullWorkerClaimsNothing() {
        #expect(slots(10, reserve: 4, interactive: 4, background: 6) == "0 interactive, 0 background")
        #expect(slots(10, reserve: 4, interactive: 11, background: 6) == "0 interactive, 0 background")
    }

    @Test func neitherQueueStarvesInASmallWorker() {
        #expect(slots(1, reserve: 0) == "1 interactive, 1 background")
        #expect(slots(1, reserve: 20) == "1 interactive, 1 background")
        #expect(slots(1, reserve: 0, background: 1) == "1 interactive, 0 background")
        #expect(slots(4, reserve: 20) == "3 interactive, 1 background")
    }

    @Test(arguments: [1, 2, 3, 10, 200], [0, 1, 5, 20, 300])
    func claimsNeverExceedTheFreeSlots(concurrency: Int, reserve: Int) {
        var configuration = WorkerConfiguration()
        configuration.concurrency = concurrency
        configuration.interactiveReserve = reserve
        let total = max(2, concurrency)
        for interactive in 0...min(total, 12) {
            for background in 0...min(total, 12) {
                let slots = configuration.slots(running: [.interactive: interactive, .background: background])
                #expect(slots.values.allSatisfy { $0 >= 0 })
                #expect(slots.values.reduce(0, +) == max(0, total - interactive - background))
            }
        }
    }
}
