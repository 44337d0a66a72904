internal import JobQueue
internal import Observability
internal import Prompts

/// The schedules of the current bundle. Every worker runs all of them; the store enqueues each scheduled run once.
extension Worker {
    func runSchedulesForever() async {
        var plan: SchedulePlan?
        for await observation in duties.schedules {
            guard let hash = observation.bundle else { continue }
            if plan?.bundle != hash {
                guard let kinds = try? await bundles.bundle(hash).kinds else { continue }
                plan = SchedulePlan(bundle: hash, kinds: kinds, at: observation.now)
            }
            guard var current = plan else { continue }
            await enqueueDue(of: &current, at: observation.now)
            // A run that becomes due before the next observation is not late.
            var now = observation.now
            while let pause = current.pause(at: now), now + pause < observation.now + configuration.heartbeatInterval {
                guard (try? await Task.sleep(for: pause)) != nil else { break }
                now = now + pause
                guard await enqueueDue(of: &current, at: now) else { break }
            }
            plan = current
        }
    }

    /// Enqueues the runs that are due; false when one has failed.
    @discardableResult
    private func enqueueDue(of plan: inout SchedulePlan, at now: Timestamp) async -> Bool {
        for due in plan.due(at: now) {
            guard await enqueue(due, of: plan.bundle, at: now) else { return false }
            plan.take(due.run)
        }
        return true
    }

    /// Submits the job of a scheduled run; false when the store is unavailable.
    private func enqueue(_ due: SchedulePlan.Due, of bundle: String, at now: Timestamp) async -> Bool {
        var generator = SystemRandomNumberGenerator()
        var job = due.kind.jobOfService(
            JobID(at: now, using: &generator), input: due.schedule.input, bundle: bundle,
            deadline: now + due.kind.deadline)
        if let within = due.kind.batch {
            (job.within, job.deadline, job.queue) = (within, now + within, .background)
        }
        // A job of the last run that is unfinished takes the place of this one.
        job.uniqueKey = "schedule:\(due.schedule.id)"
        let logger = logger.with([
            "kind": .string(due.kind.name), "schedule": .string(due.schedule.id),
            "scheduled_at": .string(ISO8601.text(milliseconds: due.run.timestamp.milliseconds)),
        ])
        do {
            switch try await store.enqueueScheduledRun(due.run, submitting: job) {
            case .submitted(.accepted(let job)):
                logger.info("a schedule submitted its job", ["job": .string(job.id.description)])
            case .submitted(.existing(let job)):
                logger.warning(
                    "a schedule's last job is unfinished; this run has none", ["job": .string(job.id.description)])
            case .submitted(.conflict), .submitted(.insufficientCredits):
                logger.error("a schedule's job was refused")
            case .recorded: logger.info("a new schedule begins with its next run")
            case .alreadyEnqueued: break
            }
            return true
        } catch {
            logger.error("cannot enqueue a scheduled run; trying again", ["reason": .string(error.description)])
            return false
        }
    }
}

/// The schedules of a bundle and the time of the next run of each.
///
/// A pure value: the store's time goes in, due runs come out. A run stays due until it is taken.
struct SchedulePlan {
    struct Entry {
        var kind: JobKind
        var schedule: JobSchedule
        /// `nil` when the schedule has no further run.
        var next: Timestamp?
    }

    struct Due {
        var kind: JobKind
        var schedule: JobSchedule
        /// The latest run: earlier ones that were missed are skipped.
        var run: ScheduledRun
    }

    let bundle: String
    private var entries: [Entry] = []

    /// Begins with the last run of each schedule, even if it was not enqueued.
    init(bundle: String, kinds: [String: JobKind], at now: Timestamp) {
        self.bundle = bundle
        for kind in kinds.values.sorted(by: { $0.name < $1.name }) {
            for schedule in kind.schedules {
                let last = schedule.times.latest(at: now)
                entries.append(Entry(kind: kind, schedule: schedule, next: last ?? schedule.times.next(after: now)))
            }
        }
    }

    func due(at now: Timestamp) -> [Due] {
        entries.compactMap { entry in
            guard let next = entry.next, next <= now else { return nil }
            let run = ScheduledRun(schedule: entry.schedule.id, timestamp: entry.schedule.times.latest(at: now) ?? next)
            return Due(kind: entry.kind, schedule: entry.schedule, run: run)
        }
    }

    /// Records that a run was enqueued.
    mutating func take(_ run: ScheduledRun) {
        for place in entries.indices where entries[place].schedule.id == run.schedule {
            entries[place].next = entries[place].schedule.times.next(after: run.timestamp)
        }
    }

    /// The time until the next run is due; `nil` when there is none.
    func pause(at now: Timestamp) -> Duration? {
        entries.compactMap(\.next).min().map { max(.zero, $0 - now) }
    }
}
