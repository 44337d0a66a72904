internal import JobQueue
internal import Observability
internal import Prompts

/// The schedules of the fleet's current bundle. Every worker keeps them all; the store lets each tick fire once.
extension Worker {
    func fireSchedulesForever() async {
        var plan: SchedulePlan?
        var unreadable: String?
        var pause: Duration = .zero
        while (try? await Task.sleep(for: pause)) != nil {
            pause = configuration.scheduleCheckInterval
            guard let hash = try? await store.currentBundle(), let now = try? await store.now() else { continue }
            if plan?.bundle != hash, unreadable != hash {
                do {
                    plan = SchedulePlan(bundle: hash, kinds: try await bundles.bundle(hash).kinds, at: now)
                } catch {
                    if case .unavailable = error { continue }
                    // Another version's content: its own workers know what to do with it.
                    logger.error(
                        "cannot read the current bundle; its schedules are left to others", ["bundle": .string(hash)])
                    unreadable = hash
                    plan = nil
                }
            }
            guard var current = plan else { continue }
            for due in current.due(at: now) where await fire(due, of: current.bundle, at: now) {
                current.take(due.tick)
            }
            plan = current
            if let next = current.pause(at: now) { pause = min(pause, max(next, .milliseconds(10))) }
        }
    }

    /// Submits the job of a tick; false when the store could not be asked.
    private func fire(_ due: SchedulePlan.Due, of bundle: String, at now: Timestamp) async -> Bool {
        var generator = SystemRandomNumberGenerator()
        var job = NewJob(
            id: JobID(at: now, using: &generator), user: .system, kind: due.kind.name, input: due.schedule.input,
            bundle: bundle, cost: 0, deadline: now + due.kind.deadline, startingCredits: 0)
        job.queue = due.kind.queue
        job.maxAttempts = due.kind.retries.attempts
        job.limits = due.kind.limits
        // While the last tick's job is unfinished, it stands for this one.
        job.uniqueKey = "schedule:\(due.schedule.id)"
        let logger = logger.with([
            "kind": .string(due.kind.name), "schedule": .string(due.schedule.id),
            "tick": .string(ISO8601.text(milliseconds: due.tick.timestamp.milliseconds)),
        ])
        do {
            switch try await store.fire(due.tick, submitting: job) {
            case .submitted(.accepted(let job)):
                logger.info("a schedule submitted its job", ["job": .string(job.id.description)])
            case .submitted(.existing(let job)):
                logger.warning(
                    "a schedule's last job is unfinished; this tick has none", ["job": .string(job.id.description)])
            case .submitted(.conflict), .submitted(.insufficientCredits):
                logger.error("a schedule's job was refused")
            case .noted: logger.info("a new schedule begins with its next tick")
            case .alreadyFired: break
            }
            return true
        } catch {
            logger.error("cannot fire a schedule; trying again", ["reason": .string(error.description)])
            return false
        }
    }
}

/// The schedules of a bundle and when each of them wants its next job.
///
/// A pure value: the store's time goes in, ticks come out. A tick that was not taken stays due.
struct SchedulePlan {
    struct Entry {
        var kind: JobKind
        var schedule: JobSchedule
        /// `nil` when the schedule has no further tick.
        var next: Timestamp?
    }

    struct Due {
        var kind: JobKind
        var schedule: JobSchedule
        /// The latest tick: those before it that were missed are not made up for.
        var tick: ScheduleTick
    }

    let bundle: String
    private var entries: [Entry] = []

    /// Begins with the last tick of each schedule, whether or not it has fired: the store knows.
    init(bundle: String, kinds: [String: JobKind], at now: Timestamp) {
        self.bundle = bundle
        for kind in kinds.values.sorted(by: { $0.name < $1.name }) {
            for schedule in kind.schedules {
                let last = schedule.times.latest(at: now)
                entries.append(Entry(kind: kind, schedule: schedule, next: last ?? schedule.times.next(after: now)))
            }
        }
    }

    /// What is due.
    func due(at now: Timestamp) -> [Due] {
        entries.compactMap { entry in
            guard let next = entry.next, next <= now else { return nil }
            let tick = ScheduleTick(schedule: entry.schedule.id, timestamp: entry.schedule.times.latest(at: now) ?? next)
            return Due(kind: entry.kind, schedule: entry.schedule, tick: tick)
        }
    }

    /// Notes that a tick has been dealt with.
    mutating func take(_ tick: ScheduleTick) {
        for place in entries.indices where entries[place].schedule.id == tick.schedule {
            entries[place].next = entries[place].schedule.times.next(after: tick.timestamp)
        }
    }

    /// How long until something is due; `nil` when nothing will be.
    func pause(at now: Timestamp) -> Duration? {
        entries.compactMap(\.next).min().map { max(.zero, $0 - now) }
    }
}
