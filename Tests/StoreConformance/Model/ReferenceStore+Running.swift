import JSON
import JobQueue
import TestSupport

/// What workers say of the jobs that they run. `nil` stands for a lost lease.
extension ReferenceStore {
    func held(_ lease: Lease) -> Int? {
        guard let index = index(of: lease.job), jobs[index].isHeld(by: lease) else { return nil }
        return index
    }

    mutating func report(_ report: ProgressReport) {
        guard let index = held(report.lease) else { return }
        jobs[index].progress = max(jobs[index].progress, min(max(report.progress, 0), 100))
        jobs[index].currentStep = report.currentStep
    }

    /// Journals a step at the place that the store gave it; whether that place is right.
    mutating func append(
        _ step: Step, replacingFrom dropped: Int64?, effects: [Effect], under lease: Lease, at sequence: Int64
    ) -> Bool? {
        guard let index = held(lease) else { return nil }
        jobs[index].deaths = 0
        if let dropped { jobs[index].dropSteps(from: dropped) }
        apply(effects, of: jobs[index])
        let same = jobs[index].steps.first { $0.name == step.name && $0.occurrence == step.occurrence }
        if let same {
            if same.inputHash == step.inputHash { return same.sequence == sequence }
            jobs[index].dropSteps(from: same.sequence)
        }
        let isLast = jobs[index].steps.allSatisfy { $0.sequence < sequence }
        var stored = step
        stored.sequence = sequence
        jobs[index].steps.append(stored)
        return isLast
    }

    mutating func complete(_ lease: Lease, with result: JSON, effects: [Effect]) -> Bool {
        guard let index = index(of: lease.job), jobs[index].epoch == lease.epoch else { return false }
        if jobs[index].status == .completed { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        apply(effects, of: jobs[index])
        jobs[index].result = result
        jobs[index].progress = 100
        jobs[index].currentStep = nil
        end(index, as: .completed, error: nil)
        return true
    }

    mutating func fail(_ lease: Lease, with failure: JobFailure) -> Bool {
        guard let index = index(of: lease.job) else { return false }
        if jobs[index].failedEpoch == lease.epoch { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        apply(failure.effects, of: jobs[index])
        jobs[index].failedEpoch = lease.epoch
        switch failure.next {
        case .retry(let pause):
            if let dropped = failure.dropStepsFrom { jobs[index].dropSteps(from: dropped) }
            jobs[index].error = failure.error
            sendBack(index, after: pause)
        case .giveUp:
            end(index, as: .failed, error: failure.error)
            jobs[index].dropStepsFrom = failure.dropStepsFrom
        }
        return true
    }

    mutating func snooze(_ leases: [Lease], after pause: Duration) {
        for lease in leases {
            if let index = held(lease) { giveBack(index, after: pause, deaths: jobs[index].deaths) }
        }
    }

    /// Back to pending without the cost of an attempt: the next run continues this one.
    mutating func giveBack(_ index: Int, after pause: Duration = .zero, deaths: Int) {
        jobs[index].isInterrupted = true
        jobs[index].deaths = deaths
        sendBack(index, after: pause)
    }

    private mutating func apply(_ effects: [Effect], of job: ModelJob) {
        for case .recordModelCall(let call) in effects where calls[call.id] == nil {
            calls[call.id] = PaidCall(call: call, user: job.user, kind: job.kind, at: now)
        }
    }
}
