import Basics
import JobQueue
import Testing

@testable import Worker

@Suite struct UnwrittenProgressTests {
    private let start = ContinuousClock.now
    private let pause: Duration = .seconds(1)
    private let lease: Lease

    init() {
        var generator = SystemRandomNumberGenerator()
        lease = Lease(job: JobID(at: Timestamp(milliseconds: 0), using: &generator), epoch: 1)
    }

    private func report(_ percent: Int, _ step: String, of run: Lease? = nil) -> ProgressReport {
        ProgressReport(lease: run ?? lease, progress: percent, currentStep: step)
    }

    @Test func aStepIsWrittenAtOnceAndItsPercentageOnceInThePause() {
        var unwritten = UnwrittenProgress()
        var written: [Int] = []
        // Seven pieces of an answer a second, looked at four times a second, for ten seconds.
        for look in 0..<280 {
            let now = start + .milliseconds(look * 1000 / 28)
            if look % 4 == 0 { _ = unwritten.add(report(30 + look / 8, "Writing the report")) }
            if look % 7 == 0 { written += unwritten.takeDue(at: now, withinStep: pause).due.map(\.progress) }
        }
        #expect(written.count == 10, "\(written)")
        _ = unwritten.add(report(80, "Checking every figure"))
        let next = unwritten.takeDue(at: start + .seconds(10), withinStep: pause)
        #expect(next.due.map(\.currentStep) == ["Checking every figure"] && !next.isMoreWaiting)
    }

    @Test func thePercentageThatWaitsIsTheLatestAndIsWrittenAfterThePause() {
        var unwritten = UnwrittenProgress()
        _ = unwritten.add(report(30, "Writing"))
        let first = unwritten.takeDue(at: start, withinStep: pause)
        for percent in [31, 32, 33] { _ = unwritten.add(report(percent, "Writing")) }
        let early = unwritten.takeDue(at: start + .milliseconds(250), withinStep: pause)
        #expect(first.due.map(\.progress) == [30] && early.due.isEmpty && early.isMoreWaiting)
        let late = unwritten.takeDue(at: start + pause, withinStep: pause)
        #expect(late.due.map(\.progress) == [33] && !late.isMoreWaiting)
    }

    @Test func aReportThatSaysNothingNewWakesNobody() {
        var unwritten = UnwrittenProgress()
        var isNew = [unwritten.add(report(30, "Writing")), unwritten.add(report(30, "Writing"))]
        _ = unwritten.takeDue(at: start, withinStep: pause)
        isNew.append(unwritten.add(report(30, "Writing")))
        #expect(isNew == [true, false, false])
    }

    @Test func aJobThatEndsGivesItsLastReportBackAndOneThatRunsAgainIsWrittenAtOnce() {
        var unwritten = UnwrittenProgress()
        _ = unwritten.add(report(30, "Writing"))
        _ = unwritten.takeDue(at: start, withinStep: pause)
        _ = unwritten.add(report(31, "Writing"))
        let left = [unwritten.remove(lease.job), unwritten.remove(lease.job)]
        #expect(left.map { $0?.progress } == [31, nil])
        let again = Lease(job: lease.job, epoch: lease.epoch + 1)
        _ = unwritten.add(report(30, "Writing"))
        _ = unwritten.takeDue(at: start, withinStep: pause)
        _ = unwritten.add(report(0, "Writing", of: again))
        let due = unwritten.takeDue(at: start, withinStep: pause).due
        #expect(due.map(\.lease) == [again])
    }
}
