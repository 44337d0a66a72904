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
