import JobQueue
import Testing

@Suite struct LivenessMonitorTests {
    private let worker = WorkerID(rawValue: "w")

    private func observe(_ readings: [(seconds: Int, count: Int64)]) -> [Int] {
        var monitor = LivenessMonitor()
        return readings.compactMap { seconds, count in
            monitor.observe([WorkerHeartbeat(worker: worker, count: count)], at: .seconds(seconds)).isEmpty ? nil : seconds
        }
    }

    @Test func aSilentWorkerIsDeadAfterTwelveSecondsAndNotBefore() {
        #expect(observe([(0, 7), (3, 7), (6, 7), (9, 7), (11, 7), (12, 7)]) == [12])
    }

    @Test func aBeatStartsTheWindowAgain() {
        #expect(observe([(0, 7), (3, 7), (6, 7), (9, 8), (12, 8), (15, 8), (18, 8), (21, 8)]) == [21])
    }

    @Test func aWatcherThatWasBlindStartsOver() {
        #expect(observe([(0, 7), (3, 7), (30, 7), (33, 7), (36, 7), (39, 7), (42, 7)]) == [42])
    }

    /// Nobody can write, so every counter stands still, and reading goes on.
    @Test func aWatcherThatIsNotHeardItselfJudgesNobody() {
        var monitor = LivenessMonitor()
        let beats = [WorkerHeartbeat(worker: worker, count: 1)]
        for second in stride(from: 0, through: 30, by: 3) {
            #expect(monitor.observe(beats, at: .seconds(second), isHeard: second < 9).isEmpty, "after \(second) s")
        }
        // Once it is heard again, the others get the whole time to be heard, too.
        for second in [33, 36, 39, 42] { #expect(monitor.observe(beats, at: .seconds(second)).isEmpty) }
        #expect(monitor.observe(beats, at: .seconds(45)) == beats)
    }

    @Test func aWorkerThatLeftIsForgotten() {
        var monitor = LivenessMonitor()
        for second in [0, 4, 8] { _ = monitor.observe([WorkerHeartbeat(worker: worker, count: 1)], at: .seconds(second)) }
        #expect(monitor.observe([], at: .seconds(12)).isEmpty)
        #expect(monitor.observe([WorkerHeartbeat(worker: worker, count: 1)], at: .seconds(13)).isEmpty)
    }
}
