internal import DossierAPI

/// The attempts and waits of a job, told from its row and from the events that a store keeps for it.
package struct JobHistory: Hashable, Sendable {
    package private(set) var attempts: [JobAttempt] = []
    /// The present one, which has no end, is the last.
    package private(set) var waits: [JobWait] = []

    /// The wait that goes on at the present event.
    private var wait: JobWait?
    private var isRunning = false

    /// Reads the lines of a store. Lines of another form are left out.
    ///
    /// - Parameters:
    ///   - job: The job as it is now.
    ///   - epoch: The epoch of its last run, 0 for none.
    ///   - lines: The events, one a line.
    ///   - worker: The worker that ran it last.
    package init(of job: Job, epoch: Int64, lines: String, worker: WorkerID?) {
        self.init(
            of: job, epoch: epoch, events: lines.split(separator: "\n").compactMap { JobEvent(line: $0) },
            worker: worker)
    }

    init(of job: Job, epoch: Int64, events: [JobEvent], worker: WorkerID?) {
        if !Self.isCut(events) { wait = JobWait(.why(.queue), from: job.createdAt) }
        for event in events { add(event) }
        // A first claim of a job that was ready at once has no event.
        if epoch > 0, attempts.last?.epoch != epoch, let startedAt = job.startedAt {
            begin(max(job.attempt, 1), epoch, worker, at: startedAt)
        }
        end(with: job)
    }

    /// Whether the first events are gone: those that are left begin in the middle of a life.
    private static func isCut(_ events: [JobEvent]) -> Bool {
        guard let run = events.first(where: { [.claimed, .returned, .restarted].contains($0.name) }) else {
            return false
        }
        return (run.epoch ?? 1) > 1
    }

    // MARK: Events

    private mutating func add(_ event: JobEvent) {
        switch event.name {
        case .ready: enter(.queue, event)
        case .scheduled: enter(event.code.flatMap(WhyCode.init(rawValue:)) ?? .scheduled, event)
        case .waiting: enter(.slot, event)
        case .blocked: enter(.serial, event)
        case .shared: enter(.shared, event)
        case .claimed:
            begin(event.attempt ?? 1, event.epoch ?? 1, event.worker, at: event.at, steps: event.steps ?? 0)
        case .returned:
            if !isRunning, event.epoch == 1, let began = event.began {
                begin(event.attempt ?? 1, 1, event.worker, at: began)
            }
            if event.outcome == .interrupted, let seen = event.seen, seen < event.at {
                waits.append(JobWait(.death, from: seen, until: event.at))
            }
            endAttempt(event.outcome ?? .interrupted, at: event.at, event)
            wait = JobWait(.why(.queue), from: event.at)
        case .restarted:
            let ended = event.ended ?? event.at
            if !isRunning, attempts.isEmpty, event.epoch == 1, let began = event.began {
                begin(event.attempt ?? 1, 1, event.worker, at: began)
            }
            let hasExpired = event.outcome == .failed && event.code == JobError.deadlinePassed.code.rawValue
            endAttempt(hasExpired ? .expired : event.outcome ?? .failed, at: ended, event)
            leave(at: ended)
            wait = JobWait(.why(.queue), from: event.at)
        }
    }

    private mutating func enter(_ code: WhyCode, _ event: JobEvent) {
        leave(at: event.at)
        wait = JobWait(.why(code), from: event.at, planned: event.until)
    }

    /// Ends the wait; what follows a pause of known length was a wait for a worker.
    private mutating func leave(at time: Timestamp) {
        guard var last = wait else { return }
        wait = nil
        if let planned = last.planned, planned < time {
            last.until = planned
            append(last)
            last = JobWait(.why(.queue), from: planned)
        }
        last.until = time
        append(last)
    }

    /// Waits without a length are left out.
    private mutating func append(_ wait: JobWait) {
        if let until = wait.until, until <= wait.from { return }
        waits.append(wait)
    }

    private mutating func begin(
        _ number: Int, _ epoch: Int64, _ worker: WorkerID?, at time: Timestamp, steps: Int = 0
    ) {
        leave(at: time)
        attempts.append(
            JobAttempt(number: number, epoch: epoch, worker: worker, startedAt: time, stepsReused: steps))
        isRunning = true
    }

    private mutating func endAttempt(_ outcome: JobAttempt.Outcome, at time: Timestamp, _ event: JobEvent? = nil) {
        guard isRunning, let last = attempts.indices.last else { return }
        isRunning = false
        attempts[last].outcome = outcome
        attempts[last].endedAt = time
        attempts[last].lastSeenAt = outcome == .interrupted ? event?.seen ?? time : nil
        attempts[last].error = event?.code.map { ($0, event?.message ?? "") }
    }

    // MARK: The present

    private mutating func end(with job: Job) {
        guard let completedAt = job.completedAt else {
            guard job.status == .pending, var present = wait else { return }
            if let planned = present.planned, job.blockedBy == nil {
                leave(at: planned)
                present = JobWait(.why(.queue), from: planned)
            }
            waits.append(present)
            return
        }
        leave(at: completedAt)
        let outcome: JobAttempt.Outcome =
            switch job.status {
            case .completed: .completed
            case .cancelled: .cancelled
            default: job.error?.code == JobError.deadlinePassed.code ? .expired : .failed
            }
        endAttempt(outcome, at: completedAt)
        guard let last = attempts.indices.last, attempts[last].endedAt == completedAt, let error = job.error else {
            return
        }
        attempts[last].error = (error.code.rawValue, error.message)
    }
}
